/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The collective calls of a communicator, window or file, counted at their beginning:
 * st_comm.collectives. All its processes make the same calls in the same order, so the count
 * identifies a call in each of them.
 *
 * Counts the functions marked `:collective` in calls.table: blocking, nonblocking, persistent when
 * the request is made (not at MPI_Start), constructors, and destructors such as MPI_Comm_free. Only
 * calls of the program itself are counted.
 */
#ifndef ST_RUNTIME_OBJECTS_COLLECTIVES_H
#define ST_RUNTIME_OBJECTS_COLLECTIVES_H

#include <stdatomic.h>
#include <stddef.h>

#include "core/model/registry.h"
#include "runtime/record/lock.h"
#include "runtime/wrap/facts.h"

/* Communicators by a hash of their handle; if several share an entry, the one used last. A struct
 * st_comm is never unmapped, so a look-up needs no lock; its result is valid if it has the handle. */
enum { ST_LOG2_NEAR = 8 };
extern _Atomic(struct st_comm *) st_comms_near[1 << ST_LOG2_NEAR]
    __attribute__((visibility("hidden")));

static inline _Atomic(struct st_comm *) *st_comm_near(uint64_t handle)
{
    return &st_comms_near[handle * UINT64_C(0x9E3779B97F4A7C15) >> (64 - ST_LOG2_NEAR)];
}

/* Finds it by its record; takes the lock. Returns NULL if the handle is not known. */
struct st_comm *st_comm_find_near(uint64_t handle);

/* Returns the low 32 bits of the number of the last call that has begun, for st_record.order. The
 * caller holds the lock. */
uint32_t st_collective_order(uint64_t handle);

/* Returns true if a collective function may wait for all ranks of its communicator, when it is called or in MPI_Wait,
 * and makes no object. */
bool st_collective_joins(const struct st_form *form);

/* Returns the communicator, window or file of a handle; NULL if it is not known. */
static inline struct st_comm *st_comm_of_handle(uint64_t handle)
{
    struct st_comm *comm = atomic_load_explicit(st_comm_near(handle), memory_order_acquire);
    if (__builtin_expect(!comm || __atomic_load_n(&comm->handle, __ATOMIC_RELAXED) != handle, 0)) {
        comm = st_comm_find_near(handle);
    }
    return comm;
}

/* Counts a collective call that begins on a communicator, window or file. Returns that; NULL if it
 * is not known. */
static inline struct st_comm *st_collective_begins(uint64_t handle)
{
    struct st_comm *comm = st_comm_of_handle(handle);
    if (__builtin_expect(!comm, 0)) {
        return NULL;
    }
    /* If only one thread at a time calls MPI, the addition need not be atomic: that would cost 5
     * ns. */
    if (__builtin_expect(atomic_load_explicit(&st_lock_armed, memory_order_relaxed), 0)) {
        __atomic_fetch_add(&comm->collectives, 1, __ATOMIC_RELAXED);
    } else {
        __atomic_store_n(&comm->collectives, comm->collectives + 1, __ATOMIC_RELAXED);
    }
    return comm;
}

#endif
