/*
 * Collective calls on several communicators, windows and files that ranks make in a circle, and others that are as they
 * should be. Where they are wrong, they do not reach MPI (swallow.py), so that each rank goes on.
 *
 *     orders CASE       as three ranks
 */
#include "common.h"

#include <pthread.h>

extern int swallow;

static MPI_Comm one, two, pairs[3]; /* pairs[i]: of ranks i and i + 1 */
static MPI_Win win;
static MPI_File file;
static int x;

static void barrier_one(void)
{
    MPI_Barrier(one); /* collective-order (two) */
}

static void barrier_two(void)
{
    MPI_Barrier(two);
}

static void two_communicators(void)
{
    if (rank == 2) {
        barrier_two();
        barrier_one();
    } else {
        barrier_one();
        barrier_two();
    }
}

/* Each rank is right with each other one alone. */
static void three_communicators(void)
{
    if (rank != 2) {
        MPI_Barrier(pairs[rank]); /* collective-order (three) */
        MPI_Barrier(pairs[(rank + 2) % 3]);
    } else {
        MPI_Barrier(pairs[2]);
        MPI_Barrier(pairs[1]);
    }
}

/* The first ones of many are right. */
static void much_later(void)
{
    for (int i = 0; i < 1000; i++) {
        MPI_Bcast(&x, 1, MPI_INT, 0, one);
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, two);
    }
    if (rank == 2)
        MPI_Barrier(two);
    MPI_Bcast(&x, 1, MPI_INT, 0, one); /* collective-order (later) */
    if (rank != 2)
        MPI_Barrier(two);
    for (int i = 0; i < 100; i++) {
        MPI_Bcast(&x, 1, MPI_INT, 0, one);
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, two);
    }
}

static void window_and_file(void)
{
    if (rank == 0)
        MPI_Win_fence(0, win); /* collective-order (objects) */
    MPI_File_sync(file);
    if (rank != 0)
        MPI_Win_fence(0, win);
}

/* --- as they should be --------------------------------------------------------------------- */

static void nonblocking(void)
{
    MPI_Request requests[3];
    for (int i = 0; i < 10; i++) {
        MPI_Ibarrier(rank ? one : two, &requests[0]);
        MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Ibarrier(rank ? two : one, &requests[2]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    }
}

/* There is an order that works for communicators of each two. */
static void overlapping(void)
{
    for (int i = 0; i < 100; i++) {
        const int first = rank == 2 ? 1 : 0, second = rank == 0 ? 2 : rank;
        MPI_Barrier(pairs[first]);
        MPI_Barrier(pairs[second == first ? 2 : second]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bcast(&x, 1, MPI_INT, i % 3, i % 2 ? one : two);
        if (i % 5 == rank)
            MPI_Barrier(MPI_COMM_SELF);
    }
}

static void *use_two(void *unused)
{
    for (int i = 0; i < 100; i++)
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, two);
    return unused;
}

static void threads(void)
{
    pthread_t thread;
    int y = 0;
    pthread_create(&thread, NULL, use_two, NULL);
    for (int i = 0; i < 100; i++)
        MPI_Allreduce(MPI_IN_PLACE, &y, 1, MPI_INT, MPI_SUM, one);
    pthread_join(thread, NULL);
}

/* Of these no rank waits for another one. */
static void freed(void)
{
    MPI_Comm a, b;
    MPI_Comm_dup(one, &a);
    MPI_Comm_dup(one, &b);
    MPI_Comm_free(rank ? &a : &b);
    MPI_Comm_free(rank ? &b : &a);
}

static const struct {
    const char *name;
    void (*run)(void);
    int is_wrong;
} cases[] = {{"two", two_communicators, 1},   {"three", three_communicators, 1},
             {"later", much_later, 1},        {"objects", window_and_file, 1},
             {"nonblocking", nonblocking, 0}, {"overlapping", overlapping, 0},
             {"threads", threads, 0},         {"freed", freed, 0}};

static void make_objects(void)
{
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &two);
    for (int i = 0; i < 3; i++) {
        const int is_in = rank == i || rank == (i + 1) % 3;
        MPI_Comm_split(MPI_COMM_WORLD, is_in ? 0 : MPI_UNDEFINED, 0, &made);
        if (is_in)
            pairs[i] = made;
    }
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
}

static void free_objects(void)
{
    for (int i = 0; i < 3; i++)
        if (rank == i || rank == (i + 1) % 3)
            MPI_Comm_free(&pairs[i]);
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Comm_free(&two);
    MPI_Comm_free(&one);
}

int main(int argc, char **argv)
{
    const int multiple = argc > 1 && strcmp(argv[1], "threads") == 0;
    int provided;
    MPI_Init_thread(&argc, &argv, multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    begin();
    make_objects();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc < 2 || strcmp(argv[1], cases[i].name) != 0)
            continue;
        swallow = cases[i].is_wrong;
        cases[i].run();
        swallow = 0;
        meet();
    }
    free_objects();
    MPI_Finalize();
    return 0;
}
