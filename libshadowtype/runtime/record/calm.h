/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lock around code that the program must not leave: neither by pthread_cancel(), nor by a signal handler that
 * calls exit(), MPI_Abort() or longjmp(). For a lock that is held during system calls.
 *
 *     struct st_calm calm;
 *     if (st_calm_lock(&calm, &mutex, 1000)) {
 *         ... open, write, close ...
 *         st_calm_unlock(&calm, &mutex);
 *     }
 *
 * Signals to this thread wait until the end. But SIGINT, SIGTERM, SIGHUP or SIGQUIT ends the process at once, if it is to end
 * it.
 */
#ifndef ST_RUNTIME_RECORD_CALM_H
#define ST_RUNTIME_RECORD_CALM_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

struct st_calm {
    int cancellation;
    sigset_t signals;
};

/* Waits for `milliseconds` at most. Returns false if another thread still has the lock: then
 * st_calm_unlock() must not be called. */
bool st_calm_lock(struct st_calm *calm, pthread_mutex_t *mutex, unsigned milliseconds);
void st_calm_unlock(const struct st_calm *calm, pthread_mutex_t *mutex);

#endif
