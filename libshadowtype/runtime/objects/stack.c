/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/objects/stack.h"

#include <dlfcn.h>
#include <unwind.h>

#include "runtime/record/root.h"

/* An old symbol of the C library: the stack pointer in _start(). */
extern void *__libc_stack_end __attribute__((weak));

/* FIRST_FRAME is the size of _start()'s frame. The frame of main() is further down, below those of
 * __libc_start_main(). */
enum { MOST_BYTES = 64 << 20, FIRST_FRAME = 96 };

struct st_stack st_stack;
static const void *exit_function; /* the C library's exit(); NULL: not known */
_Atomic uint64_t st_stack_lowest = UINT64_MAX;

void st_stack_begin(void)
{
    if (!&__libc_stack_end || !__libc_stack_end) {
        return;
    }
    exit_function = dlsym(RTLD_NEXT, "exit");
    st_stack.low = st_address(__libc_stack_end) - MOST_BYTES;
    st_stack.bytes = MOST_BYTES;
}

struct st_stack_walk {
    uint64_t last;
    bool rises;
    bool exits; /* one of the frames is that of exit() */
};

/* Returns true for the frame of exit(). Its last instruction is a call, so the frame returns to the
 * address after its end. */
static bool is_in_exit(struct _Unwind_Context *context)
{
    uintptr_t pc = _Unwind_GetIP(context);
    return exit_function && pc && _Unwind_FindEnclosingFunction((void *)(pc - 1)) == exit_function;
}

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *data)
{
    struct st_stack_walk *walk = data;
    uint64_t here = (uint64_t)_Unwind_GetCFA(context);
    walk->rises = here >= walk->last;
    walk->last = here;
    walk->exits = walk->exits || is_in_exit(context);
    return walk->rises ? _URC_NO_REASON : _URC_END_OF_STACK;
}

bool st_stack_is_whole(void)
{
    struct st_stack_walk walk = {0};
    uint64_t end = st_stack.low + st_stack.bytes;
    _Unwind_Backtrace(visit_frame, &walk);
    return walk.rises && !walk.exits && walk.last <= end && end - walk.last <= FIRST_FRAME;
}
