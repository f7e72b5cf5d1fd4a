/*
 * Messages that end inside an element of the receive's datatype: partial HOW. Rank 0 sends 4 x MPI_INT, rank 1 receives
 * elements of 3. The wrong ones are marked "HOW: send", "HOW: receive"; `right` has those that are meant so.
 */
#include "common.h"

static int data[12], more[12];
static MPI_Datatype three;
static MPI_Status status;

static int is(const char *how, const char *name)
{
    return strcmp(how, name) == 0;
}

static void sends(const char *how)
{
    if (is(how, "blocking"))
        MPI_Send(data, 4, MPI_INT, 1, 1, MPI_COMM_WORLD); /* blocking: send */
    else if (is(how, "waited"))
        MPI_Send(data, 4, MPI_INT, 1, 1, MPI_COMM_WORLD); /* waited: send */
    else if (is(how, "probed"))
        MPI_Send(data, 4, MPI_INT, 1, 1, MPI_COMM_WORLD); /* probed: send */
    else if (is(how, "counted"))
        MPI_Send(data, 4, MPI_INT, 1, 1, MPI_COMM_WORLD); /* counted: send */
}

/* Nobody asks where the message ends; MPI_Get_count of the same datatype does not tell. */
static void receives(const char *how)
{
    MPI_Request request;
    MPI_Message message;
    int count;
    if (is(how, "blocking")) {
        MPI_Recv(data, 4, three, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* blocking: receive */
    } else if (is(how, "waited")) {
        MPI_Irecv(data, 4, three, 0, 1, MPI_COMM_WORLD, &request); /* waited: receive */
        MPI_Wait(&request, &status);
    } else if (is(how, "probed")) {
        MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(data, 4, three, &message, MPI_STATUS_IGNORE); /* probed: receive */
    } else if (is(how, "counted")) {
        MPI_Recv(data, 4, three, 0, 1, MPI_COMM_WORLD, &status); /* counted: receive */
        MPI_Get_count(&status, three, &count);
    }
}

static void asked_before(void)
{
    int count;
    MPI_Probe(0, 3, MPI_COMM_WORLD, &status);
    MPI_Get_elements(&status, three, &count);
    MPI_Recv(data, 4, three, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The status is copied, and the length is asked for once all have come. */
static void asked_later(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2], copy;
    int count;
    MPI_Irecv(data, 2, three, 0, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(more, 2, three, 0, 5, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    MPI_Recv(data, 2, three, 0, 6, MPI_COMM_WORLD, &status);
    copy = status;
    memset(&status, 0, sizeof status);
    MPI_Get_elements(&statuses[0], three, &count);
    MPI_Get_count(&statuses[1], MPI_INT, &count);
    MPI_Get_elements(&copy, three, &count);
}

static void right(void)
{
    if (rank == 0) {
        MPI_Send(data, 6, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(data, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(data, 4, MPI_INT, 1, 2, MPI_COMM_WORLD);
        for (int tag = 3; tag < 7; tag++)
            MPI_Send(data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(data, 4, three, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* two elements */
        MPI_Recv(data, 4, three, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* none */
        MPI_Recv(data, 9, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        asked_before();
        asked_later();
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    if (is(argv[1], "right"))
        right();
    else if (rank == 0)
        sends(argv[1]);
    else if (rank == 1)
        receives(argv[1]);
    MPI_Type_free(&three);
    MPI_Finalize();
    return 0;
}
