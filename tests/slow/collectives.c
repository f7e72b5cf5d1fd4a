/* Collective calls to which some ranks come late. */
#include "slow.h"

#include <stdlib.h>

/* The same calls on a part of the ranks, and each rank late by another time. */
static void uneven(void)
{
    MPI_Comm part;
    int sum;
    int colors = 1 + any_below(2);
    MPI_Comm_split(MPI_COMM_WORLD, rank % colors, -rank, &part);
    for (int calls = 1 + any_below(4); calls > 0; calls--) {
        double seconds = any_while() / 2;
        int which = any_below(5);
        sleep_for(seconds * ((rank * 7 + calls) % size) / size);
        if (which == 0)
            MPI_Barrier(part);
        else if (which == 1)
            MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
        else if (which == 2)
            MPI_Bcast(&sum, 1, MPI_INT, 0, part);
        else if (which == 3)
            MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, part);
        else
            MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
    }
    MPI_Comm_free(&part);
}

/* Two communicators with ranks in common, in an order that works. */
static void overlapping(void)
{
    MPI_Comm copy;
    double seconds = any_while();
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 0)
        sleep_for(seconds);
    MPI_Barrier(copy);
    if (rank == size - 1)
        sleep_for(seconds / 2);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&copy);
}

/* Started now, waited for later. */
static void nonblocking(void)
{
    MPI_Request requests[2];
    int late = any_below(size), way = any_below(3), flag = 0, sum, order = any_below(2);
    double seconds = any_while();
    if (rank == late && order)
        sleep_for(seconds);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    if (rank == late && !order)
        sleep_for(seconds);
    while (way == 0 && !flag)
        MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    if (way == 1)
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 1; way == 2 && i >= 0; i--)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

/* Whoever has got all answers starts a barrier, and goes on answering until all have. */
static void consensus(void)
{
    int done = 0, flag, number = 0, received, right = (rank + 1) % size, sent = 0;
    double seconds = any_while();
    MPI_Request request, barrier = MPI_REQUEST_NULL;
    sleep_for(seconds * rank / size);
    MPI_Issend(&number, 1, MPI_INT, right, 12, MPI_COMM_WORLD, &request);
    while (!done) {
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 12, MPI_COMM_WORLD, &flag, &status);
        if (flag)
            MPI_Recv(&received, 1, MPI_INT, status.MPI_SOURCE, 12, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (!sent) {
            MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
            if (sent)
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        } else {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        }
    }
}

/* Two groups that talk, and merge. */
static void groups(void)
{
    MPI_Comm part, other, all;
    int is_high = rank >= size / 2, number = 1;
    double seconds = any_while();
    MPI_Comm_split(MPI_COMM_WORLD, is_high, 0, &part);
    if (rank == size - 1)
        sleep_for(seconds);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, is_high ? 0 : size / 2, 77, &other);
    if (rank == 0)
        sleep_for(seconds / 2);
    MPI_Bcast(&number, 1, MPI_INT, is_high ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, other);
    MPI_Intercomm_merge(other, is_high, &all);
    if (rank == 1)
        sleep_for(seconds / 2);
    MPI_Barrier(all);
    MPI_Comm_free(&all);
    MPI_Comm_free(&other);
    MPI_Comm_free(&part);
}

static void add_slowly(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    sleep_for(1.5);
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* An operation of the program's own that takes its time. */
static void own_operation(void)
{
    MPI_Op add;
    int sum;
    MPI_Op_create(add_slowly, 1, &add);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, add, MPI_COMM_WORLD);
    MPI_Op_free(&add);
}

const struct phase collective_phases[] = {{"uneven", uneven},
                                          {"overlapping", overlapping},
                                          {"nonblocking", nonblocking},
                                          {"consensus", consensus},
                                          {"groups", groups},
                                          {"own_operation", own_operation},
                                          {NULL, NULL}};
