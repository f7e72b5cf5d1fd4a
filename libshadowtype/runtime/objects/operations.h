/*
 * The part of the registry that has the pending operations (core/model/registry.h), and the brackets around
 * its changes: what changes a record (records.h) or its buffers (pending.h) stands in one.
 */
#ifndef ST_RUNTIME_OBJECTS_OPERATIONS_H
#define ST_RUNTIME_OBJECTS_OPERATIONS_H

#include "runtime/record/lock.h"
#include "runtime/record/root.h"

extern struct st_operations st_operations __attribute__((visibility("hidden")));

/* MPI is initialized: the names of the functions, and where all of it is. */
void st_operations_begin(void);

/* This thread, as the operating system numbers it. */
uint32_t st_operations_thread_of_kernel(void);
static inline uint32_t st_operations_thread(void)
{
    static _Thread_local uint32_t id __attribute__((tls_model("initial-exec")));
    if (__builtin_expect(!id, 0))
        id = st_operations_thread_of_kernel();
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

/* The recorder's lock with a change inside. */
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
