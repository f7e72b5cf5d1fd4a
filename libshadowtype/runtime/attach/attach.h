/*
 * The debugger at the error: what follows the report of one, as MPIPP_ON_ERROR says.
 *
 *     st_attach_begin(say);                 // reads the environment
 *     ... at an error, right before the call that is wrong:
 *     if (st_attach_wanted())
 *         st_attach_at(number);             // returns when the rank may go on
 *
 * The rank does little itself: it starts 'mpipp on-error' beside it (helper.h), which owns the
 * debugger, and waits for a word of it, or for a debugger to clear `shadowtype_held`.
 */
#ifndef ST_RUNTIME_ATTACH_ATTACH_H
#define ST_RUNTIME_ATTACH_ATTACH_H

#include <stdbool.h>
#include <stdint.h>

/* The thread (as Linux numbers them) that an error holds; 0: none. A debugger that writes 0 lets it
 * go on. */
extern volatile int32_t shadowtype_held;

/* SAY hands a sentence to the user. A wrong value in the environment is one, and counts as none. */
void st_attach_begin(void (*say)(const char *sentence));

/* Whether errors are to be followed by more than a report. */
bool st_attach_wanted(void);

/* After finding NUMBER, in the thread that is about to make the wrong call. From one thread at a
 * time. */
void st_attach_at(int64_t number);

#endif
