/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs of several nodes: tests/cmd/nodes.sh. The argument is what they do. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, data[64];

static int is_last(void)
{
    return rank == size - 1;
}

/* Each rank sends each other one as many elements as its own rank. */
static void alltoall(MPI_Comm comm)
{
    int mine, sends[16], receives[16], places[16], sent[64], received[64];
    MPI_Comm_rank(comm, &mine);
    for (int i = 0; i < size; i++) {
        sends[i] = mine;
        receives[i] = i;
        places[i] = 16 * i;
        sent[i] = 0;
    }
    MPI_Alltoallv(sent, sends, places, MPI_INT, received, receives, places, MPI_INT, comm);
}

/* Correct calls of many kinds, on communicators that lie on one node and on several. */
static void correct(void)
{
    MPI_Comm halves, copy, turned;
    MPI_Datatype pair;
    int *all = calloc((size_t)size, sizeof *all);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    MPI_Comm_dup(turned, &copy);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < 200; i++) {
        MPI_Bcast(data, i % 2 == rank % 2 ? 2 : 4, i % 2 == rank % 2 ? pair : MPI_INT, i % size,
                  MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, data, 4, MPI_INT, MPI_MAX, halves);
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, i % size, copy);
        if (i % 50 == 0) {
            alltoall(copy);
        }
        MPI_Scan(data, data + 8, 3, MPI_INT, MPI_SUM, turned);
        MPI_Barrier(i % 3 == 0 ? MPI_COMM_WORLD : copy);
    }
    MPI_Type_free(&pair);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&turned);
    MPI_Comm_free(&halves);
    free(all);
}

/* Goes on until there is a file "stop": all ranks know it in the same turn. */
static void kept_going(void)
{
    int stops = 0;
    while (!stops) {
        usleep(20000);
        stops = access("stop", F_OK) == 0;
        MPI_Allreduce(MPI_IN_PLACE, &stops, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
}

/* MPI gets calls that fit; mpipp sees what the program passed. */
static void wrong(const char *what)
{
    MPI_Datatype mixed;
    const int lengths[] = {1, 1, 1};
    const MPI_Aint places[] = {0, 4, 8};
    const MPI_Datatype types[] = {MPI_INT, MPI_FLOAT, MPI_INT};
    MPI_Type_create_struct(3, lengths, places, types, &mixed);
    MPI_Type_commit(&mixed);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(what, "type") == 0) {
        const MPI_Datatype type = is_last() ? MPI_FLOAT : MPI_INT;
        MPI_Bcast(data, 4, type, 0, MPI_COMM_WORLD); /* wrong: type */
    } else if (strcmp(what, "mixed") == 0) {
        const MPI_Datatype type = is_last() ? mixed : MPI_INT;
        MPI_Bcast(data, is_last() ? 1 : 3, type, 0, MPI_COMM_WORLD);
    } else if (strcmp(what, "operation") == 0) {
        const MPI_Op operation = is_last() ? MPI_MAX : MPI_SUM;
        MPI_Allreduce(data, data + 8, 1, MPI_INT, operation, MPI_COMM_WORLD);
    }
    MPI_Type_free(&mixed);
    /* The ranks are still there when the calls are compared. */
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(500000);
}

/* What rank 0 receives from the last one is one element less than that sends. */
static void unequal(void)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    int counts[16], places[16], all[64];
    for (int i = 0; i < size; i++) {
        counts[i] = i == size - 1 ? 2 : 3;
        places[i] = 4 * i;
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Barrier(comm);
    MPI_Gatherv(data, 3, MPI_INT, all, counts, places, MPI_INT, 0, comm); /* wrong: pair */
    usleep(500000);
}

/* A rank is killed before anybody has waited for it. */
static void killed(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_last()) {
        MPI_Request request;
        MPI_Ibcast(data, 2, MPI_INT, 1, MPI_COMM_WORLD, &request); /* wrong: killed */
        raise(SIGKILL);
    }
    MPI_Bcast(data, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(what, "correct") == 0) {
        correct();
    } else if (strcmp(what, "keep_going") == 0) {
        kept_going();
    } else if (strcmp(what, "keep_going_wrong") == 0) {
        kept_going();
        wrong("type");
    } else if (strcmp(what, "unequal") == 0) {
        unequal();
    } else if (strcmp(what, "killed") == 0) {
        killed();
    } else {
        wrong(what);
    }
    MPI_Finalize();
    return 0;
}
