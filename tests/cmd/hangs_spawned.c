/* Two worlds: the ranks, and the processes that they spawn, which run the same function. */
#include "hangs.h"

#include <mpi.h>
#include <unistd.h>

enum { SECONDS = 6 };

static int number;

/* What is between the two worlds. */
static MPI_Comm find_others(char *mode)
{
    MPI_Comm others;
    char *arguments[] = {mode, NULL};
    MPI_Comm_get_parent(&others);
    if (others == MPI_COMM_NULL)
        MPI_Comm_spawn("./hangs", arguments, size, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others,
                       MPI_ERRCODES_IGNORE);
    return others;
}

static int is_child(void)
{
    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

/* Rank 0 of each world receives from that of the other one. */
static void spawned_receive(void)
{
    MPI_Comm others = find_others("spawned_receive");
    MPI_Status status;
    int tag = is_child() ? 7 : 8;
    if (rank == 0)
        MPI_Recv(&number, 1, MPI_INT, 0, tag, others, &status); /* hang: spawned_receive */
    MPI_Barrier(others);
}

/* The child ends before anybody has looked at it. */
static void spawned_ended(void)
{
    MPI_Comm others = find_others("spawned_ended");
    if (!is_child())
        MPI_Recv(&number, 1, MPI_INT, 0, 7, others, MPI_STATUS_IGNORE); /* hang: spawned_ended */
}

/* The same in one communicator of both: the last parent and the first child. */
static void spawned_merge(void)
{
    MPI_Comm all, others = find_others("spawned_merge");
    MPI_Status status;
    int place, count;
    MPI_Intercomm_merge(others, is_child(), &all);
    MPI_Comm_rank(all, &place);
    MPI_Comm_size(all, &count);
    int other = count - 1 - place;
    if (place == count / 2 - 1 || place == count / 2)
        MPI_Recv(&number, 1, MPI_INT, other, 7, all, &status); /* hang: spawned_merge */
    MPI_Barrier(all);
}

/* Two groups meet at a port of the first one's. */
static MPI_Comm meet(MPI_Comm own, int opens, MPI_Comm way, int there)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm met;
    int place;
    MPI_Comm_rank(own, &place);
    if (opens && place == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, there, 9, way);
    } else if (place == 0) {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, there, 9, way, MPI_STATUS_IGNORE);
    }
    if (opens)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, own, &met);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, own, &met);
    return met;
}

/* Each receives from rank 0 of the others. */
static void met_spawned(void)
{
    MPI_Comm others = find_others("met_spawned");
    MPI_Comm met = meet(MPI_COMM_WORLD, !is_child(), others, 0);
    MPI_Recv(&number, 1, MPI_INT, 0, 7, met, MPI_STATUS_IGNORE); /* hang: met_spawned */
}

/* The same of two halves of one world, after a call of both in which the last one passes another datatype. */
static void met_halves(void)
{
    const int half = size / 2, opens = rank < half;
    MPI_Comm own, met, all;
    MPI_Comm_split(MPI_COMM_WORLD, opens, rank, &own);
    met = meet(own, opens, MPI_COMM_WORLD, opens ? half : 0);
    MPI_Intercomm_merge(met, !opens, &all);
    MPI_Bcast(&number, 1, rank == size - 1 ? MPI_FLOAT : MPI_INT, 0, all);
    MPI_Comm_free(&all);
    MPI_Comm_free(&own);
    MPI_Comm_disconnect(&met);
}

/* The last child passes another datatype. */
static void spawned_bcast(void)
{
    MPI_Comm all, others = find_others("spawned_bcast");
    int is_last = is_child() && rank == size - 1;
    MPI_Intercomm_merge(others, is_child(), &all);
    MPI_Bcast(&number, 1, is_last ? MPI_FLOAT : MPI_INT, 0, all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&others);
}

/* The children are late, in several ways. */
static void spawned_late(void)
{
    MPI_Comm all, copy, others = find_others("spawned_late");
    MPI_Request request;
    if (is_child())
        sleep(SECONDS);
    MPI_Bcast(&number, 1, MPI_INT, is_child() ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, others);
    MPI_Intercomm_merge(others, is_child(), &all);
    MPI_Comm_idup(all, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (is_child())
        sleep(SECONDS);
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&others);
}

const struct mode spawned_modes[] = {
    {"spawned_receive", spawned_receive}, {"spawned_ended", spawned_ended},
    {"spawned_merge", spawned_merge},     {"spawned_bcast", spawned_bcast},
    {"spawned_late", spawned_late},       {"met_spawned", met_spawned},
    {"met_halves", met_halves},           {NULL, NULL},
};
