/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/record/calm.h"

#include <stddef.h>
#include <time.h>

/* These signals may still end the process: a write may block for long if nobody reads. */
static void choose_signals(sigset_t *waiting)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigfillset(waiting);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        sigdelset(waiting, faults[i]);
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct sigaction action;
        if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL) {
            sigdelset(waiting, ends[i]);
        }
    }
}

/* While another thread has the lock, the program's signals are not blocked. */
bool st_calm_lock(struct st_calm *calm, pthread_mutex_t *mutex, unsigned milliseconds)
{
    const struct timespec short_time = {.tv_nsec = 1000000};
    sigset_t waiting;
    choose_signals(&waiting);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &calm->cancellation);
    pthread_sigmask(SIG_BLOCK, &waiting, &calm->signals);
    for (unsigned waited = 0; pthread_mutex_trylock(mutex) != 0; waited++) {
        pthread_sigmask(SIG_SETMASK, &calm->signals, NULL);
        if (waited >= milliseconds) {
            pthread_setcancelstate(calm->cancellation, NULL);
            return false;
        }
        nanosleep(&short_time, NULL);
        pthread_sigmask(SIG_BLOCK, &waiting, NULL);
    }
    return true;
}

void st_calm_unlock(const struct st_calm *calm, pthread_mutex_t *mutex)
{
    pthread_mutex_unlock(mutex);
    pthread_sigmask(SIG_SETMASK, &calm->signals, NULL);
    pthread_setcancelstate(calm->cancellation, NULL);
}
