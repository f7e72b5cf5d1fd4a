/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/check/unreturned.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/agree/numbering.h"

/* The outermost call is first. The stack grows downward, so a call in a callback has a lower stack
 * pointer. */
enum { MOST_CALLS = 8 };
static _Thread_local struct st_unreturned calls[MOST_CALLS]
    __attribute__((tls_model("initial-exec")));
static _Thread_local int count __attribute__((tls_model("initial-exec")));

void st_unreturned_add(const struct st_unreturned *call)
{
    if (count < MOST_CALLS) {
        calls[count++] = *call;
    }
}

/* Returns false if the return address of the call is no longer at its place: then another function
 * has been called from there, or the stack is gone. */
static bool has_frame(const struct st_unreturned *call)
{
#ifdef __x86_64__
    const void *address = NULL;
    struct iovec to = {&address, sizeof address};
    struct iovec from = {(char *)(uintptr_t)call->sp - sizeof address, sizeof address};
    int saved = errno;
    ssize_t bytes = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    bool is_there = bytes < 0 ? errno != EFAULT : address == call->pc;
    errno = saved;
    return is_there;
#else
    (void)call;
    return true;
#endif
}

bool st_unreturned_left(const void *sp, struct st_unreturned *left)
{
    if (__builtin_expect(!count || (calls[count - 1].sp > sp && has_frame(&calls[count - 1])), 1)) {
        return false;
    }
    *left = calls[--count];
    return true;
}

bool st_unreturned_left_inside(const void *sp, struct st_unreturned *left)
{
    if (count && calls[count - 1].sp == sp) {
        count--;
    } else if (count && calls[count - 1].sp < sp) {
        *left = calls[--count];
        return true;
    }
    return false;
}

uint32_t st_unreturned_receive(void)
{
    return count ? calls[count - 1].receive : ST_NO_RECEIVE;
}
