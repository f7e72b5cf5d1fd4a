/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The marks around each change of the registry:
 *
 *     bool locked = st_change_begin();
 *     ... fill what no reader sees; publish it by one store (publish.h) ...
 *     st_change_end(locked);
 *
 * Between the two, root.changes is odd and other threads wait. Only one store changes what a debugger reads
 * (except counters, core/model/registry.h), because it may stop the rank at any instruction.
 */
#ifndef ST_RUNTIME_RECORD_CHANGE_H
#define ST_RUNTIME_RECORD_CHANGE_H

#include "runtime/record/lock.h"
#include "runtime/record/root.h"

/* Ends one change, and begins the next one under the same lock. */
static inline void st_change_next(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    st_root.changes += 2;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Takes the lock and begins a change. Returns what st_change_end() needs. */
static inline bool st_change_begin(void)
{
    bool locked = st_lock();
    st_root.changes++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return locked;
}

static inline void st_change_end(bool locked)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    st_root.changes++;
    st_unlock(locked);
}

/* The same for callers that hold the lock. */
static inline void st_change_enter(void)
{
    st_root.changes++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void st_change_leave(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    st_root.changes++;
}

#endif
