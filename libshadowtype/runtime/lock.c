#define _GNU_SOURCE
#include "runtime/lock.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_bool st_lock_armed;

/* A child of fork() gets the registry whole and the lock free. */
static void before_fork(void)
{
    pthread_mutex_lock(&mutex);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&mutex);
}

void st_lock_arm(void)
{
    if (!atomic_exchange(&st_lock_armed, true))
        pthread_atfork(before_fork, after_fork, after_fork);
}

void st_lock_wait(void)
{
    pthread_mutex_lock(&mutex);
}

void st_lock_leave(void)
{
    pthread_mutex_unlock(&mutex);
}
