/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffer-size (--check=size): compares the buffers of a call with the memory that contains them
 * (memory.h).
 *
 * If it is on, every call's buffers are checked, also on the quick path (quick.h). If it is off, it
 * costs nothing (pending.h, st_pending_watch).
 */
#ifndef ST_RUNTIME_CHECK_LOCAL_SIZE_H
#define ST_RUNTIME_CHECK_LOCAL_SIZE_H

#include "runtime/wrap/uses.h"

/* To be called if MPIPP_CHECK selects the check, once findings can be reported. */
void st_size_begin(void);

/* Checks all buffers that the call uses. */
void st_check_size(struct st_facts *facts, const struct st_uses *uses);

/* Checks memory that is passed with its size in bytes (form.room). */
void st_check_room(struct st_facts *facts);

/* True if st_check_window() is on. */
extern bool st_window_on __attribute__((visibility("hidden")));
void st_window_begin(void);

/* window.c: checks the memory at the target of a one-sided call, if the window's size there is
 * known: in the own rank, and for shared windows in all ranks. */
void st_check_window(struct st_facts *facts);

#endif
