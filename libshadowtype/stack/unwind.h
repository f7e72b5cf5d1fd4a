/*
 * Where a function will return to, from the stack pointer alone.
 *
 * A Fortran binding calls a wrapper, and the user's frame is one further out. A full unwinding
 * takes a microsecond a call (docs/dependencies.md); but most functions have a frame of one size, and then the unwind
 * tables say once for all how far the return address lies from the stack pointer.
 */
#ifndef ST_STACK_UNWIND_H
#define ST_STACK_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

/* Of a function that called, relative to its stack pointer once the call has returned, in bytes. */
struct st_frame_rule {
    uintptr_t pc; /* where its call returns to */
    int32_t slot; /* where the address lies that it will return to itself */
    int32_t size; /* and the stack pointer of its caller after that */
    bool fixed;   /* else its tables give no such numbers: unwind */
};

/* Works it out from the unwind tables: some hundred nanoseconds. rule->pc is set by the caller. */
void st_frame_rule_read(struct st_frame_rule *rule);

/* The same, remembered. NULL: not fixed. What is remembered of a function stays when its library is
 * unloaded (caller.h). */
const struct st_frame_rule *st_frame_rule_of(uintptr_t pc);

#endif
