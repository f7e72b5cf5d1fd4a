/*
 * Epochs of windows as the standard allows them, in two ranks or more; with "threads": by threads that share one.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
enum { UNITS = 64, THREADS = 4 };
static int rank, size, next, previous, data[UNITS], more[UNITS];
static MPI_Group to_next, to_previous;

static void put(int target, MPI_Win win)
{
    MPI_Put(data, 1, MPI_INT, target, 0, 1, MPI_INT, win);
}

/* --- fences ------------------------------------------------------------------------------- */

static void pass_fences(MPI_Win win)
{
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    put(next, win);
    MPI_Win_fence(0, win);
    MPI_Get(more, 1, MPI_INT, next, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSTORE, win);
    MPI_Accumulate(data, 1, MPI_INT, next, 4, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win); /* nothing was called since the last one */
    put(next, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win); /* a barrier */
    MPI_Win_fence(0, win);
    put(MPI_PROC_NULL, win);
    MPI_Put(data, 0, MPI_INT, next, 0, 0, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
}

/* A fence that no one-sided call follows opens no epoch. */
static void pass_empty_fences(MPI_Win win)
{
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    put(next, win);
    MPI_Win_unlock(next, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Win_lock_all(0, win);
    put(next, win);
    MPI_Win_unlock_all(win);
    MPI_Win_fence(0, win);
    MPI_Win_post(to_previous, 0, win);
    MPI_Win_start(to_next, 0, win);
    put(next, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Win_unlock(rank, win);
    MPI_Win_fence(0, win);
}

/* --- post, start, complete, wait ----------------------------------------------------------- */

static void test_until_done(MPI_Win win)
{
    int done = 0;
    while (!done)
        MPI_Win_test(win, &done);
}

static void post_and_start(MPI_Win win)
{
    MPI_Group all;
    MPI_Win_get_group(win, &all);
    for (int i = 0; i < 4; i++) {
        MPI_Win_post(i % 2 ? to_previous : all, i == 3 ? MPI_MODE_NOSTORE : 0, win);
        MPI_Win_start(i % 2 ? to_next : all, 0, win);
        put(next, win);
        if (i % 2 == 0)
            put(rank, win);
        put(MPI_PROC_NULL, win);
        MPI_Win_complete(win);
        if (i < 2)
            MPI_Win_wait(win);
        else
            test_until_done(win);
    }
    MPI_Win_post(to_previous, 0, win);
    MPI_Barrier(WORLD);
    MPI_Win_start(to_next, MPI_MODE_NOCHECK, win);
    put(next, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&all);
}

/* The kind of an epoch counts, not how many it names. */
static void post_to_nobody(MPI_Win win)
{
    MPI_Win_start(MPI_GROUP_EMPTY, 0, win);
    put(MPI_PROC_NULL, win);
    MPI_Win_complete(win);
    MPI_Win_post(MPI_GROUP_EMPTY, 0, win);
    MPI_Win_start(MPI_GROUP_EMPTY, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
}

/* Own memory is exposed, that of another rank locked. */
static void lock_another_while_posted(MPI_Win win)
{
    if (rank % 2 == 0) {
        MPI_Win_post(MPI_GROUP_EMPTY, 0, win);
        if (rank + 1 < size) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank + 1, 0, win);
            put(rank + 1, win);
            MPI_Win_unlock(rank + 1, win);
        }
        MPI_Win_wait(win);
    }
    MPI_Barrier(WORLD);
}

/* --- locks --------------------------------------------------------------------------------- */

static void lock_one(MPI_Win win)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
    put(next, win);
    MPI_Win_flush(next, win);
    MPI_Win_flush_local(next, win);
    MPI_Win_flush_all(win);
    MPI_Win_flush_local_all(win);
    MPI_Fetch_and_op(data, more, MPI_INT, next, 1, MPI_SUM, win);
    MPI_Win_unlock(next, win);
#ifndef OPEN_MPI /* which refuses it */
    MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, win);
    put(MPI_PROC_NULL, win);
    MPI_Win_unlock(MPI_PROC_NULL, win);
#endif
    put(MPI_PROC_NULL, win); /* in no epoch */
}

static void lock_several(MPI_Win win)
{
    for (int target = 0; target < size; target++)
        MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    for (int target = 0; target < size; target++)
        MPI_Accumulate(data, 1, MPI_INT, target, 2, 1, MPI_INT, MPI_SUM, win);
    for (int target = 0; target < size; target++) {
        MPI_Win_unlock(target, win);
        if (target + 1 < size)
            MPI_Accumulate(data, 1, MPI_INT, target + 1, 2, 1, MPI_INT, MPI_SUM, win);
    }
}

static void lock_all(int assert, MPI_Win win)
{
    MPI_Request requests[2];
    MPI_Win_lock_all(assert, win);
    for (int target = 0; target < size; target++)
        MPI_Accumulate(data, 1, MPI_INT, target, 3, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(next, win);
    MPI_Rput(data, 1, MPI_INT, next, rank, 1, MPI_INT, win, &requests[0]);
    MPI_Rget(more, 1, MPI_INT, next, UNITS - 1, 1, MPI_INT, win, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Win_flush_all(win);
    MPI_Win_flush_local_all(win);
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
}

static void lock_for_request(MPI_Win win)
{
    MPI_Request request;
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    MPI_Raccumulate(data, 1, MPI_INT, next, 5, 1, MPI_INT, MPI_SUM, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock(next, win);
}

/* --- windows ------------------------------------------------------------------------------- */

static void use(MPI_Win win)
{
    pass_fences(win);
    pass_empty_fences(win);
    MPI_Barrier(WORLD);
    post_and_start(win);
    post_to_nobody(win);
    MPI_Barrier(WORLD);
    lock_another_while_posted(win);
    lock_one(win);
    lock_several(win);
    lock_all(0, win);
    MPI_Barrier(WORLD);
    lock_all(MPI_MODE_NOCHECK, win);
    lock_for_request(win);
    MPI_Barrier(WORLD);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, win); /* no epoch is left to end */
}

/* Each window has epochs of its own. */
static void use_both(MPI_Win one, MPI_Win other)
{
    MPI_Win_fence(0, one);
    put(next, one);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, other);
    put(next, other);
    put(next, one);
    MPI_Win_unlock(next, other);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, one);
    MPI_Win_lock_all(0, one);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, other);
    put(next, other);
    put(next, one);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, other);
    MPI_Win_unlock_all(one);
    MPI_Barrier(WORLD);
}

static void use_dynamic(void)
{
    MPI_Win win;
    MPI_Aint here, there;
    MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
    MPI_Win_attach(win, more, sizeof more);
    MPI_Get_address(more, &here);
    MPI_Sendrecv(&here, 1, MPI_AINT, previous, 0, &there, 1, MPI_AINT, next, 0, WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    MPI_Put(data, 1, MPI_INT, next, there, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    MPI_Put(data, 1, MPI_INT, next, there, 1, MPI_INT, win);
    MPI_Win_unlock(next, win);
    MPI_Barrier(WORLD);
    MPI_Win_detach(win, more);
    MPI_Win_free(&win);
}

static void use_all(void)
{
    static int memory[UNITS];
    int *allocated, *shared;
    MPI_Win created, given, joint;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, WORLD, &created);
    MPI_Win_allocate(sizeof memory, sizeof(int), MPI_INFO_NULL, WORLD, &allocated, &given);
    MPI_Win_allocate_shared(sizeof memory, sizeof(int), MPI_INFO_NULL, WORLD, &shared, &joint);
    use(created);
    use(given);
    use(joint);
    use_both(created, given);
    MPI_Win_free(&joint);
    MPI_Win_free(&given);
    MPI_Win_free(&created);
    use_dynamic();
}

/* --- threads ------------------------------------------------------------------------------- */

static pthread_barrier_t together;

static void *share_window(void *argument)
{
    const MPI_Win win = *(MPI_Win *)argument;
    int one = 1, got;
    for (int i = 0; i < 200; i++) {
        MPI_Fetch_and_op(&one, &got, MPI_INT, (rank + i) % size, 1, MPI_SUM, win);
        MPI_Win_flush((rank + i) % size, win);
    }
    pthread_barrier_wait(&together);
    return NULL;
}

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void *lock_in_turn(void *argument)
{
    const MPI_Win win = *(MPI_Win *)argument;
    int one = 1, got;
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&turn);
        MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
        MPI_Fetch_and_op(&one, &got, MPI_INT, next, 1, MPI_SUM, win);
        MPI_Win_unlock(next, win);
        pthread_mutex_unlock(&turn);
    }
    return NULL;
}

static void run_threads(void *(*run)(void *), MPI_Win win)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, &win);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void use_threads(void)
{
    MPI_Win win;
    int *memory;
    pthread_barrier_init(&together, NULL, THREADS);
    MPI_Win_allocate(UNITS * sizeof *memory, sizeof *memory, MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    run_threads(share_window, win);
    MPI_Win_unlock_all(win);
    run_threads(lock_in_turn, win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    const int threads = argc > 1 && strcmp(argv[1], "threads") == 0;
    MPI_Group world;
    int level;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 1, &next, &to_next);
    MPI_Group_incl(world, 1, &previous, &to_previous);
    if (!threads)
        use_all();
    else if (level == MPI_THREAD_MULTIPLE)
        use_threads();
    MPI_Group_free(&to_next);
    MPI_Group_free(&to_previous);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
