/*
 * MPI_Isendrecv and MPI_Isendrecv_replace: sendrecv HOW. MPICH 4.0.2 completes them with a status that says nothing.
 *
 *     right    they are right, and so are the messages after them, with tag 0
 *     any      the same; they receive from any source, with any tag
 *     many     more than a rank keeps of messages with ranks of other nodes
 *     wrong    the last one does not match (marked); so does `replace`
 */
#include "common.h"

static int numbers[4];
static float others[4], more[4];

/* Rank 0 sends MPI_INT with tag 1, and rank 1 MPI_FLOAT with tag 2. */
static void exchange(int from, int tag)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Isendrecv(numbers, 4, MPI_INT, 1, 1, others, 4, MPI_FLOAT, from, tag, MPI_COMM_WORLD,
                      &request);
    else
        MPI_Isendrecv(others, 4, MPI_FLOAT, 0, 2, numbers, 4, MPI_INT, from, tag, MPI_COMM_WORLD,
                      &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Isendrecv_replace(numbers, 4, MPI_INT, 1, 3, from, tag == MPI_ANY_TAG ? tag : 3,
                              MPI_COMM_WORLD, &request);
    else
        MPI_Isendrecv_replace(numbers, 4, MPI_INT, 0, 3, from, tag == MPI_ANY_TAG ? tag : 3,
                              MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* When the first one is received, the second one is there, too. */
static void send_two(void)
{
    MPI_Request requests[2];
    if (rank == 0) {
        meet();
        MPI_Isend(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(others, 4, MPI_FLOAT, 1, 0, MPI_COMM_WORLD, &requests[1]);
        meet();
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        meet();
        meet();
        MPI_Recv(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(others, 4, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void fail(void)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Isendrecv(/* wrong: send */ more, 4, MPI_FLOAT, 1, 1, others, 4, MPI_FLOAT, 1, 2,
                      MPI_COMM_WORLD, &request);
    else
        MPI_Isendrecv(/* wrong: receive */ others, 4, MPI_FLOAT, 0, 2, numbers, 4, MPI_INT, 0, 1,
                      MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void fail_in_place(void)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Isendrecv_replace(/* replace: send */ others, 4, MPI_FLOAT, 1, 1, MPI_PROC_NULL, 0,
                              MPI_COMM_WORLD, &request);
    else
        MPI_Isendrecv_replace(/* replace: receive */ numbers, 4, MPI_INT, MPI_PROC_NULL, 0, 0, 1,
                              MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    const int times = strcmp(argv[1], "many") == 0 ? 10000 : 5;
    const int is_any = strcmp(argv[1], "any") == 0;
    for (int i = 0; i < times; i++)
        exchange(is_any ? MPI_ANY_SOURCE : 1 - rank, is_any ? MPI_ANY_TAG : 2 - rank);
    if (strcmp(argv[1], "wrong") == 0)
        fail();
    else if (strcmp(argv[1], "replace") == 0)
        fail_in_place();
    else
        send_two();
    MPI_Finalize();
    return 0;
}
