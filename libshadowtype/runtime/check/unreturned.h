/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This thread's calls that have sent or received and have not returned. An error handler of the
 * program may leave such a call by longjmp() or an exception: then it is not known what the call
 * has done.
 */
#ifndef ST_RUNTIME_CHECK_UNRETURNED_H
#define ST_RUNTIME_CHECK_UNRETURNED_H

#include <stdbool.h>
#include <stdint.h>

struct st_unreturned {
    const void *pc, *sp; /* as in struct st_call */
    uint32_t receive;    /* the receive that it has posted; ST_NO_RECEIVE: none */
    bool sends;
    bool begins;              /* it begins operations of existing requests */
    uint64_t comm;            /* id of the communicator on which it sends */
    struct st_probed *probed; /* MPI_Mprobe's message that it receives; NULL: none */
};

/* Adds a call. */
void st_unreturned_add(const struct st_unreturned *call);

/* A call begins with the stack pointer `sp`. If an older call of this thread was left, removes it,
 * stores it, and returns true. */
bool st_unreturned_left(const void *sp, struct st_unreturned *left);

/* The call with this stack pointer returns: removes it. Calls that were made in its callbacks and
 * were left are removed first, one at a time, as above. */
bool st_unreturned_left_inside(const void *sp, struct st_unreturned *left);

/* Returns the receive that the innermost call has posted; ST_NO_RECEIVE: none. */
uint32_t st_unreturned_receive(void);

#endif
