/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recorder's lock. It costs nothing until a program may call MPI from several threads at once.
 *
 * No MPI function is called while it is held: MPI holds its own locks while it runs the user's callbacks, which
 * may create and free types.
 */
#ifndef ST_RUNTIME_RECORD_LOCK_H
#define ST_RUNTIME_RECORD_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

/* Switches the lock on: from now on several threads may call MPI (MPI_THREAD_MULTIPLE, MPI sessions). Called
 * while there is still one thread. */
void st_lock_arm(void);

extern atomic_bool st_lock_armed __attribute__((visibility("hidden")));
/* Takes the lock. Returns false if this thread has it already, in code that a signal handler has interrupted. */
bool st_lock_wait(void);
void st_lock_leave(void);

/* Takes the lock if it is on. Returns what st_unlock() needs. A thread that holds the lock is not cancelled. */
static inline bool st_lock(void)
{
    if (__builtin_expect(!atomic_load_explicit(&st_lock_armed, memory_order_relaxed), 1)) {
        return false;
    }
    return st_lock_wait();
}

static inline void st_unlock(bool taken)
{
    if (__builtin_expect(taken, 0)) {
        st_lock_leave();
    }
}

#endif
