/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of the registry that lists the pending operations (core/model/registry.h), and the marks around each
 * change of it. A record (records.h) or its buffers (pending.h) are changed only between
 * st_operations_change() and st_operations_changed(): a debugger sees by the count that a change goes on.
 */
#ifndef ST_RUNTIME_OBJECTS_OPERATIONS_H
#define ST_RUNTIME_OBJECTS_OPERATIONS_H

#include "runtime/record/lock.h"
#include "runtime/record/root.h"

extern struct st_operations st_operations __attribute__((visibility("hidden")));

/* To be called when MPI is initialized: publishes the names of the functions, and the addresses of
 * the rest. */
void st_operations_begin(void);

/* Returns the operating system's number of this thread. */
uint32_t st_operations_thread_of_kernel(void);
static inline uint32_t st_operations_thread(void)
{
    static _Thread_local uint32_t id __attribute__((tls_model("initial-exec")));
    if (__builtin_expect(!id, 0)) {
        id = st_operations_thread_of_kernel();
    }
    return id;
}

static inline void st_operations_change(void)
{
    st_operations.changes++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void st_operations_changed(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    st_operations.changes++;
}

/* Takes the recorder's lock and begins a change; ends both. */
static inline bool st_operations_lock(void)
{
    bool locked = st_lock();
    st_operations_change();
    return locked;
}

static inline void st_operations_unlock(bool locked)
{
    st_operations_changed();
    st_unlock(locked);
}

#endif
