/*
 * The recorder's lock. It costs nothing until a program may call MPI from several threads at once.
 *
 * No MPI function is ever called under it: MPI holds locks of its own while it runs the user's
 * callbacks, which may create and free types.
 */
#ifndef ST_RUNTIME_RECORD_LOCK_H
#define ST_RUNTIME_RECORD_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

/* From now on threads may come at the same time (MPI_THREAD_MULTIPLE, MPI sessions). The caller
 * is still alone. */
void st_lock_arm(void);

extern atomic_bool st_lock_armed __attribute__((visibility("hidden")));
/* False: this thread has the lock already, in code that a signal handler interrupts. */
bool st_lock_wait(void);
void st_lock_leave(void);

/* True: taken, and to be given to st_unlock(). A thread under the lock is not cancelled. */
static inline bool st_lock(void)
{
    if (__builtin_expect(!atomic_load_explicit(&st_lock_armed, memory_order_relaxed), 1))
        return false;
    return st_lock_wait();
}

static inline void st_unlock(bool taken)
{
    if (__builtin_expect(taken, 0))
        st_lock_leave();
}

#endif
