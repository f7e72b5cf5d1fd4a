/*
 * buffer-size (--check=size): the buffers of a call against the memory that they lie in (memory.h).
 *
 * Where it is on, every call's buffers are looked at, also those that quick.h would let pass; where
 * it is off, nothing more is asked than before (pending.h, st_pending_watch).
 */
#ifndef ST_RUNTIME_CHECK_LOCAL_SIZE_H
#define ST_RUNTIME_CHECK_LOCAL_SIZE_H

#include "runtime/wrap/uses.h"

/* Called if MPIPP_CHECK asks for the check, once findings can be reported. */
void st_size_begin(void);

/* Checks all buffers that the call uses. */
void st_check_size(struct st_facts *facts, const struct st_uses *uses);

/* Checks memory that the call is given with its size in bytes (form.room). */
void st_check_room(struct st_facts *facts);

/* window.c: the memory that a one-sided call names at its target, where the window's size there is known:
 * in the own rank, and of shared windows in all. */
void st_check_window(struct st_facts *facts);

#endif
