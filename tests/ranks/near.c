/*
 * Jobs that hang because a message was sent with another tag, on another communicator, to another rank, or not at all;
 * and some that are only slow.
 *
 *     near MODE
 */
#include "common.h"

#include <string.h>
#include <unistd.h>

enum { SLOW = 7 }; /* seconds: longer than the watch waits */

static MPI_Comm rows;

static void send_to(int dest, int tag, MPI_Comm comm)
{
    int number = 1;
    MPI_Send(&number, 1, MPI_INT, dest, tag, comm); /* sent */
}

static void receive(int source, int tag, MPI_Comm comm)
{
    int number;
    MPI_Recv(&number, 1, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE); /* received */
}

static void other_tag(void)
{
    if (rank == 0) {
        send_to(1, 9, MPI_COMM_WORLD);
        receive(1, 7, MPI_COMM_WORLD);
    } else if (rank == 1) {
        receive(0, 8, MPI_COMM_WORLD);
    }
}

static void other_comm(void)
{
    if (rank < 2) {
        send_to(1 - rank, 7, rank ? MPI_COMM_WORLD : rows);
        receive(1 - rank, 7, rank ? MPI_COMM_WORLD : rows);
    }
}

static void other_rank(void)
{
    if (rank == 0) {
        send_to(2, 7, MPI_COMM_WORLD);
        receive(1, 7, MPI_COMM_WORLD);
    } else if (rank == 1) {
        receive(0, 7, MPI_COMM_WORLD);
    }
}

/* What rank 2 has sent is that of the receive from any source, which rank 0 has not waited for yet. */
static void taken_by_any(void)
{
    int number;
    MPI_Request request;
    if (rank == 0) {
        MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
        receive(2, 7, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            usleep(500000); /* the other message comes first */
        send_to(0, 7, MPI_COMM_WORLD);
    }
}

/* Rank 0 waits for messages of both: that of rank 1 has come. */
static void both(int tag, int seconds)
{
    int numbers[2];
    MPI_Request requests[2];
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&numbers[i], 1, MPI_INT, 1 + i, 7, MPI_COMM_WORLD, &requests[i]); /* posted */
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);                                  /* all */
        send_to(1, 5, MPI_COMM_WORLD);
        send_to(2, 5, MPI_COMM_WORLD);
        return;
    }
    sleep(rank == 2 ? (unsigned)seconds : 0);
    send_to(0, rank == 2 ? tag : 7, MPI_COMM_WORLD);
    receive(0, 5, MPI_COMM_WORLD);
}

/* More messages than are remembered by default: the first one has another tag, and the others are received. */
static void pass_many(void)
{
    enum { MANY = 20000 };
    for (int i = 0; i < MANY && rank == 0; i++)
        send_to(1, i == 0 ? 7 : 8, MPI_COMM_WORLD);
    for (int i = 1; i < MANY && rank == 1; i++)
        receive(0, 8, MPI_COMM_WORLD);
}

/* The first one is received last. */
static void flood(void)
{
    pass_many();
    if (rank == 0) {
        receive(1, 9, MPI_COMM_WORLD);
    } else if (rank == 1) {
        receive(0, 7, MPI_COMM_WORLD);
        receive(0, 6, MPI_COMM_WORLD);
    }
}

/* It is not received. */
static void buried(void)
{
    pass_many();
    if (rank == 0) {
        receive(1, 9, MPI_COMM_WORLD);
    } else if (rank == 1) {
        receive(0, 6, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    const char *mode = argv[argc - 1];
    MPI_Init(&argc, &argv);
    begin();
    MPI_Comm_dup(MPI_COMM_WORLD, &rows);
    MPI_Comm_set_name(rows, "rows");
    if (strcmp(mode, "other_tag") == 0)
        other_tag();
    else if (strcmp(mode, "other_comm") == 0)
        other_comm();
    else if (strcmp(mode, "other_rank") == 0)
        other_rank();
    else if (strcmp(mode, "taken_by_any") == 0)
        taken_by_any();
    else if (strcmp(mode, "one_of_two") == 0)
        both(8, 0);
    else if (strcmp(mode, "slow") == 0)
        both(7, SLOW);
    else if (strcmp(mode, "flood") == 0)
        flood();
    else if (strcmp(mode, "buried") == 0)
        buried();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&rows);
    MPI_Finalize();
    return 0;
}
