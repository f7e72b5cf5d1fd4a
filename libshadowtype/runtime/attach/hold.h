/*
 * Standing still at an error.
 */
#ifndef ST_RUNTIME_ATTACH_HOLD_H
#define ST_RUNTIME_ATTACH_HOLD_H

#include <stdint.h>

/* The words of 'mpipp on-error', a byte each. The end of its connection means ST_WORD_GO. */
enum { ST_WORD_GO = 'g', ST_WORD_STOP = 's' };

/* Returns when the helper says so, or a debugger has cleared shadowtype_held, or st_hold_drop() was
 * called. Takes HELPER, and closes it. */
void st_hold(int helper);

/* Ends a hold whose thread has left it: by a longjmp() out of a signal handler. */
void st_hold_drop(void);

/* Grows while a thread is held and runs. */
uint32_t st_hold_beats(void);

#endif
