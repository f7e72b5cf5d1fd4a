/*
 * Brackets around every change of the registry:
 *
 *     bool locked = st_change_begin();
 *     ... fill what nobody sees; publish it by one store (publish.h) ...
 *     st_change_end(locked);
 *
 * Between the two root.changes is odd, other threads wait, and one store, no more, changes what a
 * debugger reads (counters apart, core/model/registry.h): it may stop the rank at any instruction.
 */
#ifndef ST_RUNTIME_RECORD_CHANGE_H
#define ST_RUNTIME_RECORD_CHANGE_H

#include "runtime/record/lock.h"
#include "runtime/record/root.h"

/* What was changed so far is whole; another change follows in the same bracket. */
static inline void st_change_next(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    st_root.changes += 2;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Returns what st_change_end() is to be given. */
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

/* The same where the lock is held already. */
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
