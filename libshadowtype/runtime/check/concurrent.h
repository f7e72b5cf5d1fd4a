/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective-concurrent: two threads of a rank are in collective calls on one communicator, window
 * or file at the same time (MPI-4.0, 6.14).
 *
 * A thread that begins such a call looks at the thread that began the last one on that
 * communicator, and checks whether it is still in its call. Only calls that overlap in time count;
 * a pending nonblocking operation does not.
 *
 * A thread may leave a call by longjmp() in a callback of the program; then it does not seem to
 * have returned. So if there are callbacks, the finding waits until the other thread's call has
 * returned.
 *
 * Nothing is reported if thread-level reports calls of several threads; or if no other process is
 * in the communicator, so that MPI cannot confuse two calls (many programs dup MPI_COMM_SELF in
 * each thread).
 */
#ifndef ST_RUNTIME_CHECK_CONCURRENT_H
#define ST_RUNTIME_CHECK_CONCURRENT_H

#include <stdatomic.h>

#include "runtime/record/lock.h"
#include "runtime/wrap/facts.h"
#include "runtime/wrap/threads.h"

extern atomic_bool st_concurrent_on __attribute__((visibility("hidden")));

void st_concurrent_begins(void);
/* Called in MPI_Finalize: reports the findings that have waited. */
void st_concurrent_ends(void);
/* In a child after fork(). */
void st_concurrent_forget(void);

/* Returns true if a collective call on `comm` (NULL: an unknown one) must be checked. */
static inline bool st_concurrent_is_wanted(const struct st_comm *comm)
{
    return __builtin_expect(atomic_load_explicit(&st_lock_armed, memory_order_relaxed), 0) &&
           comm && (comm->group.size != 1 || comm->remote.size) &&
           atomic_load_explicit(&st_concurrent_on, memory_order_relaxed);
}

/* Checks a call of the program, which must be shown as running already. */
void st_check_concurrent(const struct st_form *form, struct st_comm *comm,
                         const struct st_call *call, const uint64_t *values);

/* Does the same for a call on the quick path; `pc` and `sp` as in struct st_call. */
void st_check_concurrent_quick(const struct st_form *form, struct st_comm *comm, const void *pc,
                               const void *sp, const uint64_t *values);

/* Returns the call site of another thread's call. */
uint32_t st_concurrent_site(const struct st_thread_sight *sight);

#endif
