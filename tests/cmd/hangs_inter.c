/* Intercommunicators: the lower half of the ranks and the upper one. */
#include "hangs.h"

#include <mpi.h>
#include <unistd.h>

enum { SECONDS = 6 };

static int number;

/* A rank of the upper half has an offset of its half. */
static MPI_Comm make_halves(MPI_Comm *half)
{
    MPI_Comm inter;
    int upper = rank >= size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, half);
    MPI_Intercomm_create(*half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 3, &inter);
    return inter;
}

static void free_halves(MPI_Comm *half, MPI_Comm *inter)
{
    MPI_Comm_free(inter);
    MPI_Comm_free(half);
}

/* The two rank 0's receive from each other. */
static void inter_receive(void)
{
    MPI_Comm half, inter = make_halves(&half);
    if (rank % (size / 2) == 0)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, inter, MPI_STATUS_IGNORE); /* hang: inter_receive */
    free_halves(&half, &inter);
}

static void inter_any(void)
{
    MPI_Comm half, inter = make_halves(&half);
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 7, inter,
             MPI_STATUS_IGNORE); /* hang: inter_any */
}

static void inter_barrier(void)
{
    MPI_Comm half, inter = make_halves(&half);
    if (rank == size - 1)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, inter, MPI_STATUS_IGNORE);
    MPI_Barrier(inter); /* hang: inter_barrier */
}

/* The other leader receives instead. */
static void inter_create(void)
{
    MPI_Comm half, inter;
    int upper = rank >= size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    if (upper)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Intercomm_create(/* hang: inter_create */ half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 3,
                         &inter);
}

/* Rank 1 of the own half does not come. */
static void inter_member(void)
{
    MPI_Comm half, inter;
    int upper = rank >= size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    if (rank == 1)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Intercomm_create(/* hang: inter_member */ half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 3,
                         &inter);
}

static void inter_merge(void)
{
    MPI_Comm half, both, inter = make_halves(&half);
    if (rank == 0)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, inter, MPI_STATUS_IGNORE);
    MPI_Intercomm_merge(inter, rank >= size / 2, &both); /* hang: inter_merge */
}

/* The other leader comes late, and so does a message through it. */
static void inter_late(void)
{
    int root = rank == size / 2 ? MPI_ROOT : rank > size / 2 ? MPI_PROC_NULL : 0;
    if (rank == size / 2)
        sleep(SECONDS);
    MPI_Comm half, inter = make_halves(&half);
    if (rank == size / 2)
        sleep(SECONDS);
    MPI_Bcast(&number, 1, MPI_INT, root, inter);
    free_halves(&half, &inter);
}

const struct mode inter_modes[] = {
    {"inter_receive", inter_receive}, {"inter_any", inter_any},
    {"inter_barrier", inter_barrier}, {"inter_create", inter_create},
    {"inter_member", inter_member},   {"inter_merge", inter_merge},
    {"inter_late", inter_late},       {NULL, NULL},
};
