/*
 * A part of the library that the program must not leave: neither by pthread_cancel(), nor by a signal
 * handler that calls exit(), MPI_Abort() or longjmp(). For a lock that is held across system calls.
 *
 *     struct st_calm calm;
 *     if (st_calm_lock(&calm, &mutex, 1000)) {
 *         ... open, write, close ...
 *         st_calm_unlock(&calm, &mutex);
 *     }
 *
 * Signals wait until the end, in this thread. But an interrupt or a request to end that would end the
 * process does so at once.
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

/* Waits for `milliseconds` at most. Returns false if the lock is still another's: nothing is to be
 * undone. */
bool st_calm_lock(struct st_calm *calm, pthread_mutex_t *mutex, unsigned milliseconds);
void st_calm_unlock(const struct st_calm *calm, pthread_mutex_t *mutex);

#endif
