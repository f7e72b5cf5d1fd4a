/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds a thread at an error.
 */
#ifndef ST_RUNTIME_ATTACH_HOLD_H
#define ST_RUNTIME_ATTACH_HOLD_H

#include <stdint.h>

/* The words of 'mpipp on-error', one byte each. The end of the connection means ST_WORD_GO. */
enum { ST_WORD_GO = 'g', ST_WORD_STOP = 's' };

/* Waits until the helper says so, a debugger clears shadowtype_held, or st_hold_drop() is called.
 * Closes HELPER. */
void st_hold(int helper);

/* Ends a hold whose thread has left it by a longjmp() out of a signal handler. */
void st_hold_drop(void);

/* Returns a counter that grows while a thread is held and runs. */
uint32_t st_hold_beats(void);

#endif
