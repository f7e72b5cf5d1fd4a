/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds where a function will return to, from the stack pointer alone.
 *
 * If a Fortran binding calls a wrapper, the user's frame is one further out. A full unwinding takes
 * a microsecond a call (docs/dependencies.md). But the frames of most functions have one size; then
 * the unwind tables give, once for all calls, the distance of the return address from the stack
 * pointer.
 */
#ifndef ST_STACK_UNWIND_H
#define ST_STACK_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

/* A function that has made a call. All distances are in bytes from its stack pointer after the call
 * has returned. */
struct st_frame_rule {
    uintptr_t pc; /* the address that its call returns to */
    int32_t slot; /* where its own return address is stored */
    int32_t size; /* the stack pointer of its caller, after it has returned */
    bool fixed;   /* if false, its frame has no fixed size: use a full unwinding */
};

/* Computes the rule from the unwind tables, in some hundred nanoseconds. The caller must set
 * rule->pc. */
void st_frame_rule_read(struct st_frame_rule *rule);

/* Returns the same from a cache; NULL if the size is not fixed. Entries stay when their library is
 * unloaded (caller.h). */
const struct st_frame_rule *st_frame_rule_of(uintptr_t pc);

#endif
