/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The debugger at an error: what happens after its report, as MPIPP_ON_ERROR says.
 *
 *     st_attach_begin(say);                 // reads the environment
 *     ... at an error, right before the wrong call:
 *     if (st_attach_wanted())
 *         st_attach_at(number);             // returns when the rank may go on
 *
 * The rank itself does little: it starts 'mpipp on-error' beside it (helper.h), which owns the
 * debugger, and waits until that process says to go on, or until a debugger clears
 * `shadowtype_held`.
 */
#ifndef ST_RUNTIME_ATTACH_ATTACH_H
#define ST_RUNTIME_ATTACH_ATTACH_H

#include <stdbool.h>
#include <stdint.h>

/* The thread (Linux's number) that is held at an error; 0: none. A debugger releases it by writing
 * 0 (held.c). */
extern volatile int32_t shadowtype_held;

/* Reads the environment. A wrong value is reported by SAY, which shows the user a sentence, and
 * then ignored. */
void st_attach_begin(void (*say)(const char *sentence));

/* Returns true if errors have more consequences than a report. */
bool st_attach_wanted(void);

/* To be called after finding NUMBER, in the thread that is about to make the wrong call. Handles
 * one thread at a time. */
void st_attach_at(int64_t number);

#endif
