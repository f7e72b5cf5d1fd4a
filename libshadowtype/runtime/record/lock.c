/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/record/lock.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int cancellation; /* cancel state of the thread that has the lock, before it took it */
atomic_bool st_lock_armed;

/* True while this thread has the lock, or waits for it. A signal handler that calls MPI or exit()
 * meanwhile must not wait for the lock: the thread that it interrupts could never release it. */
static _Thread_local volatile bool here __attribute__((tls_model("initial-exec")));

/* A child of fork() gets a complete registry, and the lock is free. */
static _Thread_local bool forks_with_lock;

static void before_fork(void)
{
    forks_with_lock = st_lock_wait();
}

static void after_fork(void)
{
    if (forks_with_lock) {
        st_lock_leave();
    }
}

void st_lock_arm(void)
{
    if (!atomic_exchange(&st_lock_armed, true)) {
        pthread_atfork(before_fork, after_fork, after_fork);
    }
}

/* Disables cancellation: a thread that is cancelled while it holds the lock would never release it. */
bool st_lock_wait(void)
{
    int before;
    if (here) {
        return false;
    }
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    here = true;
    pthread_mutex_lock(&mutex);
    cancellation = before;
    return true;
}

void st_lock_leave(void)
{
    int before = cancellation;
    pthread_mutex_unlock(&mutex);
    here = false;
    pthread_setcancelstate(before, NULL);
}
