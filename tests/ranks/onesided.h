/*
 * What the programs of one-sided calls share (onesided.c, ordered.c): three ranks, a window of COUNT integers in each, and
 * calls that access that of rank 1.
 */
#ifndef TESTS_RANKS_ONESIDED_H
#define TESTS_RANKS_ONESIDED_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 64 };

static int rank, data[COUNT], *memory;
static MPI_Win window;
static const MPI_Comm world = MPI_COMM_WORLD;

/* To rank 1, from element `at` on. */
#define PUT(at, count) MPI_Put(data, count, MPI_INT, 1, at, count, MPI_INT, window)
#define GET(at, count) MPI_Get(data, count, MPI_INT, 1, at, count, MPI_INT, window)
#define ADD(at, op) MPI_Accumulate(data, 1, MPI_INT, 1, at, 1, MPI_INT, op, window)
#define RPUT(at) MPI_Rput(data, 1, MPI_INT, 1, at, 1, MPI_INT, window, &request)
#define PUT_OTHER(at) MPI_Put(data, 1, MPI_INT, 1, at, 1, MPI_INT, other)
#define GET_OTHER(at) MPI_Get(data + at, 1, MPI_INT, 1, at, 1, MPI_INT, other)
#define ADD_OTHER(op) MPI_Accumulate(data, 1, MPI_INT, 1, 0, 1, MPI_INT, op, other)
#define IRECV(at) MPI_Irecv(memory + at, 2, MPI_INT, 0, 7, world, &request)
/* The same in bytes, in a window of such units. */
#define ADD_BYTES(at) MPI_Accumulate(data, 1, MPI_INT, 1, at, 1, MPI_INT, MPI_SUM, bytes)
#define ADD_TYPE(at) MPI_Accumulate(data, 7, MPI_INT, 1, at, 1, type, MPI_SUM, bytes)
#define BARRIER MPI_Barrier(world)

static void send_to(int to)
{
    MPI_Send(data, 1, MPI_INT, to, 7, world);
}

static void receive_from(int from)
{
    MPI_Recv(data + 32, 2, MPI_INT, from, 7, world, MPI_STATUS_IGNORE);
}

static MPI_Datatype make_indexed(int first)
{
    MPI_Datatype type;
    const int lengths[] = {1, 3, 2, 1}, places[] = {first, 9, 20, 31};
    MPI_Type_indexed(4, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

struct onesided_case {
    const char *name;
    void (*run)(void);
};
#define CASE(name) {#name, name}

/* Runs the case that the command line names; returns the exit status. */
static int run_case(int argc, char **argv, const struct onesided_case *cases, size_t count)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Win_allocate(COUNT * sizeof *memory, sizeof *memory, MPI_INFO_NULL, world, &memory,
                     &window);
    memset(memory, 0, COUNT * sizeof *memory);
    BARRIER;
    int status = 1;
    for (size_t i = 0; i < count; i++)
        if (argc > 1 && strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            status = 0;
        }
    MPI_Win_free(&window);
    MPI_Finalize();
    return status;
}

#endif
