/*
 * Two threads of rank 0 in collective calls. A line with a finding says so, and in which case.
 *
 *     concurrent CASE         as two ranks
 *
 * libmeanwhile.so (meanwhile.c) stands between the program and MPI: in some cases the other thread's call does not
 * reach MPI.
 */
#define _GNU_SOURCE
#include "common.h"

#include <pthread.h>
#include <setjmp.h>
#include <time.h>

extern void (*in_call)(void); /* instead of MPI_Barrier and MPI_Win_fence */

static MPI_Comm comm, other;
static MPI_Win win;
static pthread_barrier_t both;
static int number;

/* Waits until a thread has computed for a while: it is in MPI, which looks for messages all the time. */
static void let_enter(pthread_t thread)
{
    clockid_t clock;
    struct timespec used = {0, 0};
    pthread_getcpuclockid(thread, &clock);
    while (used.tv_sec == 0 && used.tv_nsec < 50000000)
        clock_gettime(clock, &used);
}

/* clang-format off */

static void *wait_in_barrier(void *unused)
{
    MPI_Barrier(comm);
    return unused;
}

/* The last call on `comm` is this thread's, too. */
static void *wait_in_other(void *unused)
{
    MPI_Request pending;
    MPI_Ibarrier(comm, &pending);
    MPI_Barrier(other);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    return unused;
}

/* Rank 1 comes when `call` has been made beside the call of the other thread. */
static void beside(void *(*wait)(void *), void (*call)(void), void (*join)(void))
{
    pthread_t thread;
    if (rank == 0) {
        pthread_create(&thread, NULL, wait, NULL);
        let_enter(thread);
        call();
        MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        wait(NULL);
        join();
    }
}

static void cast(void)
{
    MPI_Bcast(&number, 0, MPI_INT, 0, comm);                            /* collective-concurrent (call) */
}

static MPI_Request request;
static void cast_at_once(void)
{
    MPI_Ibcast(&number, 0, MPI_INT, 0, comm, &request);                 /* collective-concurrent (nonblocking) */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void join_cast(void) { MPI_Bcast(&number, 0, MPI_INT, 0, comm); }

static void join_cast_at_once(void)
{
    MPI_Ibcast(&number, 0, MPI_INT, 0, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* In a call on another communicator, and while an operation is pending: nothing is wrong. */
static void *wait_for_pending(void *unused)
{
    MPI_Request pending;
    MPI_Ibarrier(comm, &pending);
    pthread_barrier_wait(&both);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    return unused;
}

static void pending(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_pending, NULL);
    pthread_barrier_wait(&both);
    MPI_Barrier(comm);
    pthread_join(thread, NULL);
}

/* The threads take turns. */
static void *take_turns(void *lock)
{
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(lock);
        MPI_Allreduce(MPI_IN_PLACE, (int[]){1}, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
        MPI_Barrier(MPI_COMM_SELF);
        pthread_mutex_unlock(lock);
    }
    return NULL;
}

static void turns(void)
{
    pthread_t thread;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_create(&thread, NULL, take_turns, &lock);
    take_turns(&lock);
    pthread_join(thread, NULL);
}

/* --- the other thread is in a call, or has left it --------------------------------------------- */

static void stay(void)
{
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
}

static jmp_buf out;
static void leave(void)
{
    longjmp(out, 1);
}

static void *stay_in_fence(void *unused)
{
    in_call = stay;
    MPI_Win_fence(0, win);
    return unused;
}

static void *stay_in_barrier(void *how)
{
    in_call = how ? leave : stay;
    if (setjmp(out) == 0)
        MPI_Barrier(comm);
    if (how)
        stay();
    return NULL;
}

static void *leave_and_return(void *unused)
{
    stay_in_barrier(unused);
    in_call = NULL;
    MPI_Barrier(other);
    return unused;
}

static void handle(MPI_Comm *failed, int *code, ...)
{
    (void)failed, (void)code;
}

/* As far as MPI knows, the program has functions that it may call. */
static void give_callback(void)
{
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Errhandler_free(&handler);
}

static void meanwhile(void *(*thread_main)(void *), void *how)
{
    pthread_t thread;
    pthread_create(&thread, NULL, thread_main, how);
    pthread_barrier_wait(&both);
    if (thread_main == stay_in_fence)
        MPI_Win_set_info(win, MPI_INFO_ENV);                            /* collective-concurrent (window) */
    else
        MPI_Comm_set_info(comm, MPI_INFO_ENV);                          /* collective-concurrent (inside) */ /* collective-concurrent (returns) */
    pthread_barrier_wait(&both);
    pthread_join(thread, NULL);
    in_call = NULL;
}
/* clang-format on */

int main(int argc, char **argv)
{
    int provided;
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    begin();
    pthread_barrier_init(&both, NULL, 2);
    MPI_Comm_dup(strcmp(name, "alone") == 0 ? MPI_COMM_SELF : MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (strcmp(name, "call") == 0) {
        beside(wait_in_barrier, cast, join_cast);
    } else if (strcmp(name, "nonblocking") == 0) {
        beside(wait_in_barrier, cast_at_once, join_cast_at_once);
    } else if (strcmp(name, "window") == 0) {
        meanwhile(stay_in_fence, NULL);
    } else if (strcmp(name, "inside") == 0) {
        meanwhile(stay_in_barrier, NULL);
    } else if (strcmp(name, "alone") == 0) { /* no other rank's call could be taken for it */
        meanwhile(stay_in_barrier, NULL);
    } else if (strcmp(name, "returns") == 0) {
        give_callback();
        meanwhile(stay_in_barrier, NULL);
    } else if (strcmp(name, "left") == 0) {
        give_callback();
        meanwhile(stay_in_barrier, &both);
        meanwhile(leave_and_return, &both);
    } else {
        beside(wait_in_other, join_cast, join_cast);
        pending();
        turns();
    }
    MPI_Win_free(&win);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
