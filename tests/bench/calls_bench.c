/*
 * What a checked call costs: each pattern bare and wrapped, in turns in one process.
 *
 *     mpipp run -n 2 build/tests/bench/calls_bench-mpich
 *
 * The bare calls go to the MPI library's functions by their addresses, past the wrappers. One line
 * per pattern: its name, ns bare, ns wrapped; the best of many rounds. Rank 0 speaks.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bare.h"

enum { ROUNDS = 60, WINDOW = 16 };

struct calls {
    int (*rank)(MPI_Comm, int *);
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    int (*recv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
    int (*sendrecv)(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int,
                    MPI_Comm, MPI_Status *);
    int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int (*irecv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int (*waitall)(int, MPI_Request *, MPI_Status *);
    int (*test)(MPI_Request *, int *, MPI_Status *);
    int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*bcast)(void *, int, MPI_Datatype, int, MPI_Comm);
    int (*alltoallv)(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
                     const int *, MPI_Datatype, MPI_Comm);
    int (*barrier)(MPI_Comm);
    int (*vector)(int, int, int, MPI_Datatype, MPI_Datatype *);
    int (*commit)(MPI_Datatype *);
    int (*release)(MPI_Datatype *);
    int (*put)(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win);
    int (*flush)(int, MPI_Win);
    void *(*allocate)(size_t);
    void (*give_back)(void *);
};

static int me;
static double buffer[64][64];
static MPI_Datatype column; /* of a plane */
static MPI_Win window;      /* of 64 doubles, in an epoch of MPI_Win_lock_all */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void ask_rank(const struct calls *calls, int times)
{
    int rank;
    for (int i = 0; i < times; i++)
        calls->rank(MPI_COMM_WORLD, &rank);
}

static void stream(const struct calls *calls, int times)
{
    for (int i = 0; i < times; i++)
        if (me == 0)
            calls->send(buffer, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
        else
            calls->recv(buffer, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ping_pong(const struct calls *calls, int times)
{
    for (int i = 0; i < times; i++)
        if (me == 0) {
            calls->send(buffer, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
            calls->recv(buffer, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            calls->recv(buffer, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            calls->send(buffer, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
        }
}

/* To itself: nobody to wait for. */
static void send_receive(const struct calls *calls, int times)
{
    for (int i = 0; i < times; i++)
        calls->sendrecv(buffer[0], 1, MPI_DOUBLE, me, 1, buffer[1], 1, MPI_DOUBLE, me, 1,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* To itself: requests, and nobody to wait for. */
static void requests(const struct calls *calls, int times)
{
    MPI_Request all[2 * WINDOW];
    for (int i = 0; i < times; i += 2 * WINDOW) {
        for (int k = 0; k < WINDOW; k++)
            calls->irecv(&buffer[0][k], 1, MPI_DOUBLE, me, k, MPI_COMM_WORLD, &all[k]);
        for (int k = 0; k < WINDOW; k++)
            calls->isend(&buffer[1][k], 1, MPI_DOUBLE, me, k, MPI_COMM_WORLD, &all[WINDOW + k]);
        calls->waitall(2 * WINDOW, all, MPI_STATUSES_IGNORE);
    }
}

/* A receive that is not complete is tested again and again. */
static void test_again(const struct calls *calls, int times)
{
    int flag;
    MPI_Request request;
    calls->irecv(buffer[0], 1, MPI_DOUBLE, me, 1, MPI_COMM_WORLD, &request);
    for (int i = 0; i < times; i++)
        calls->test(&request, &flag, MPI_STATUS_IGNORE);
    calls->send(buffer[1], 1, MPI_DOUBLE, me, 1, MPI_COMM_WORLD);
    calls->waitall(1, &request, MPI_STATUSES_IGNORE);
}

/* To the other rank, from one place or from as many as there are calls. */
static void put_again(const struct calls *calls, int times)
{
    for (int i = 0; me == 0 && i < times; i += 64) {
        for (int k = 0; k < 64; k++)
            calls->put(buffer, 1, MPI_DOUBLE, 1, k, 1, MPI_DOUBLE, window);
        calls->flush(1, window);
    }
}

static void put_each(const struct calls *calls, int times)
{
    for (int i = 0; me == 0 && i < times; i += 64) {
        for (int k = 0; k < 64; k++)
            calls->put(&buffer[0][k], 1, MPI_DOUBLE, 1, k, 1, MPI_DOUBLE, window);
        calls->flush(1, window);
    }
}

/* 64 messages of 1 KiB pending between two ranks. */
static void pending(const struct calls *calls, int times)
{
    static char in[32][1024], out[32][1024];
    MPI_Request all[64];
    for (int i = 0; i < times; i += 64) {
        for (int k = 0; k < 32; k++)
            calls->irecv(in[k], 1024, MPI_BYTE, 1 - me, k, MPI_COMM_WORLD, &all[k]);
        for (int k = 0; k < 32; k++)
            calls->isend(out[k], 1024, MPI_BYTE, 1 - me, k, MPI_COMM_WORLD, &all[32 + k]);
        calls->waitall(64, all, MPI_STATUSES_IGNORE);
    }
}

/* A message each way, with nonblocking calls. */
static void exchange(const struct calls *calls, int times, int bytes)
{
    static char in[1 << 20], out[1 << 20];
    for (int i = 0; i < times; i++) {
        MPI_Request both[2];
        calls->irecv(in, bytes, MPI_BYTE, 1 - me, 3, MPI_COMM_WORLD, &both[0]);
        calls->isend(out, bytes, MPI_BYTE, 1 - me, 3, MPI_COMM_WORLD, &both[1]);
        calls->waitall(2, both, MPI_STATUSES_IGNORE);
    }
}

static void exchange_8(const struct calls *calls, int times)
{
    exchange(calls, times, 8);
}

static void exchange_1k(const struct calls *calls, int times)
{
    exchange(calls, times, 1 << 10);
}

static void exchange_1m(const struct calls *calls, int times)
{
    exchange(calls, times, 1 << 20);
}

/* The halo of a plane, a column as a derived type each way, and the sweep over the plane. */
static void stencil(const struct calls *calls, int times)
{
    static double plane[2][514][514];
    for (int i = 0; i < times; i++) {
        double(*from)[514] = plane[i % 2], (*to)[514] = plane[1 - i % 2];
        MPI_Request both[2];
        calls->irecv(&from[1][me == 0 ? 513 : 0], 1, column, 1 - me, 2, MPI_COMM_WORLD, &both[0]);
        calls->isend(&from[1][me == 0 ? 512 : 1], 1, column, 1 - me, 2, MPI_COMM_WORLD, &both[1]);
        calls->waitall(2, both, MPI_STATUSES_IGNORE);
        for (int y = 1; y <= 512; y++)
            for (int x = 1; x <= 512; x++)
                to[y][x] =
                    0.25 * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
    }
}

/* Of one rank alone: MPI's own share is small. */
static void allreduce(const struct calls *calls, int times)
{
    for (int i = 0; i < times; i++)
        calls->allreduce(buffer[0], buffer[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

static void allreduce_both(const struct calls *calls, int times)
{
    for (int i = 0; i < times; i++)
        calls->allreduce(buffer[0], buffer[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void bcast(const struct calls *calls, int times)
{
    for (int i = 0; i < times; i++)
        calls->bcast(buffer[0], 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void barrier(const struct calls *calls, int times)
{
    for (int i = 0; i < times; i++)
        calls->barrier(MPI_COMM_WORLD);
}

static void types(const struct calls *calls, int times)
{
    for (int i = 0; i < times; i++) {
        MPI_Datatype type;
        calls->vector(3, 1, 8, MPI_DOUBLE, &type);
        calls->commit(&type);
        calls->release(&type);
    }
}

/* Blocks of 16 bytes to 4 KiB, 64 at a time, that come and go. */
static void allocate(const struct calls *calls, int times)
{
    void *blocks[64];
    for (int i = 0; i < times; i += 64) {
        for (int k = 0; k < 64; k++)
            blocks[k] = calls->allocate((size_t)16 << k % 9);
        for (int k = 0; k < 64; k++)
            calls->give_back(blocks[k]);
    }
}

/* One number to and from each rank. */
static void all_to_all_v(const struct calls *calls, int times)
{
    int counts[64], displs[64];
    for (int i = 0; i < 64; i++) {
        counts[i] = 1;
        displs[i] = i;
    }
    for (int i = 0; i < times; i++)
        calls->alltoallv(buffer[0], counts, displs, MPI_DOUBLE, buffer[1], counts, displs,
                         MPI_DOUBLE, MPI_COMM_WORLD);
}

static const struct pattern {
    const char *name;
    void (*run)(const struct calls *, int times);
    int times;
} patterns[] = {
    {"rank", ask_rank, 20000},
    {"stream", stream, 5000},
    {"pingpong", ping_pong, 2000},
    {"sendrecv", send_receive, 5000},
    {"requests", requests, 3200},
    {"test", test_again, 6400},
    {"pending", pending, 3200},
    {"put", put_again, 6400},
    {"puteach", put_each, 6400},
    {"types", types, 1000},
    {"stencil", stencil, 4},
    {"malloc", allocate, 6400},
    {"exchange8", exchange_8, 1000},
    {"exchange1k", exchange_1k, 1000},
    {"exchange1m", exchange_1m, 10},
    {"allreduce", allreduce, 10000},
    {"allreduce2", allreduce_both, 2000},
    {"bcast", bcast, 2000},
    {"alltoallv", all_to_all_v, 2000},
    {"barrier", barrier, 2000},
};

static void measure(const struct pattern *pattern, const struct calls *bare,
                    const struct calls *wrapped)
{
    const struct calls *both[2] = {bare, wrapped};
    double best[2] = {1e18, 1e18};
    for (int i = 0; i < 2 * ROUNDS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = now();
        pattern->run(both[i % 2], pattern->times);
        double time = (now() - start) / pattern->times;
        if (time < best[i % 2])
            best[i % 2] = time;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (me == 0)
        printf("%s %.2f %.2f\n", pattern->name, best[0], best[1]);
}

static struct calls bare_calls(void)
{
    struct calls calls;
    *(void **)&calls.rank = bare_function("PMPI_Comm_rank");
    *(void **)&calls.send = bare_function("PMPI_Send");
    *(void **)&calls.recv = bare_function("PMPI_Recv");
    *(void **)&calls.sendrecv = bare_function("PMPI_Sendrecv");
    *(void **)&calls.isend = bare_function("PMPI_Isend");
    *(void **)&calls.irecv = bare_function("PMPI_Irecv");
    *(void **)&calls.waitall = bare_function("PMPI_Waitall");
    *(void **)&calls.test = bare_function("PMPI_Test");
    *(void **)&calls.allreduce = bare_function("PMPI_Allreduce");
    *(void **)&calls.bcast = bare_function("PMPI_Bcast");
    *(void **)&calls.alltoallv = bare_function("PMPI_Alltoallv");
    *(void **)&calls.barrier = bare_function("PMPI_Barrier");
    *(void **)&calls.vector = bare_function("PMPI_Type_vector");
    *(void **)&calls.commit = bare_function("PMPI_Type_commit");
    *(void **)&calls.release = bare_function("PMPI_Type_free");
    *(void **)&calls.put = bare_function("PMPI_Put");
    *(void **)&calls.flush = bare_function("PMPI_Win_flush");
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    *(void **)&calls.allocate = libc ? dlsym(libc, "malloc") : NULL;
    *(void **)&calls.give_back = libc ? dlsym(libc, "free") : NULL;
    return calls;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const struct calls bare = bare_calls();
    const struct calls wrapped = {MPI_Comm_rank,   MPI_Send,        MPI_Recv,      MPI_Sendrecv,
                                  MPI_Isend,       MPI_Irecv,       MPI_Waitall,   MPI_Test,
                                  MPI_Allreduce,   MPI_Bcast,       MPI_Alltoallv, MPI_Barrier,
                                  MPI_Type_vector, MPI_Type_commit, MPI_Type_free, MPI_Put,
                                  MPI_Win_flush,   malloc,          free};
    MPI_Type_vector(512, 1, 514, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    double *memory;
    MPI_Win_allocate(64 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    MPI_Win_lock_all(0, window);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (argc < 2 || !__builtin_strcmp(argv[1], patterns[i].name))
            measure(&patterns[i], &bare, &wrapped);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
