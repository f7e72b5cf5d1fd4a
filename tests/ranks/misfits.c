/*
 * Messages that do not fit their receives: misfits HOW. Rank 0 sends, rank 1 receives; the lines are marked
 * "HOW: send", "HOW: receive". With a second argument the program handles MPI's errors itself.
 */
#include "common.h"

#include <pthread.h>
#include <stdbool.h>

/* So that a call and its mark fit in a line. */
#define world MPI_COMM_WORLD

static float sent[8];
static int received[8];

static bool is(const char *how, const char *name)
{
    return strcmp(how, name) == 0;
}

static void blocking(const char *how)
{
    const int any = MPI_ANY_SOURCE;
    MPI_Message message;
    MPI_Status status;
    MPI_Request request, requests[2];
    if (rank == 0 && is(how, "recv"))
        MPI_Send(sent, 6, MPI_FLOAT, 1, 1, world); /* recv: send */
    else if (is(how, "recv"))
        MPI_Recv(received, 6, MPI_INT, any, MPI_ANY_TAG, world, &status); /* recv: receive */
    else if (rank == 0 && is(how, "irecv"))
        MPI_Isend(sent, 6, MPI_FLOAT, 1, 1, world, &request); /* irecv: send */
    else if (is(how, "irecv"))
        MPI_Irecv(received, 6, MPI_INT, 0, 1, world, &request); /* irecv: receive */
    else if (rank == 0 && is(how, "waitall"))
        MPI_Ssend(sent, 6, MPI_FLOAT, 1, 1, world); /* waitall: send */
    else if (rank == 0 && is(how, "mprobe"))
        MPI_Send(sent, 6, MPI_FLOAT, 1, 1, world); /* mprobe: send */
    if (is(how, "irecv"))
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1 && is(how, "waitall")) {
        MPI_Irecv(received, 6, MPI_INT, 0, 1, world, &requests[0]); /* waitall: receive */
        MPI_Irecv(received, 6, MPI_INT, MPI_PROC_NULL, 1, world, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (rank == 1 && is(how, "mprobe")) {
        MPI_Mprobe(0, 1, world, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(received, 6, MPI_INT, &message, MPI_STATUS_IGNORE); /* mprobe: receive */
    }
}

static void both_ways(void)
{
    MPI_Status s;
    int in[8];
    if (rank == 0)
        MPI_Sendrecv(sent, 6, MPI_FLOAT, 1, 1, in, 6, MPI_INT, 1, 2, world, &s); /* swap: send */
    else
        MPI_Sendrecv(in, 6, MPI_INT, 0, 2, sent, 6, MPI_INT, 0, 1, world, &s); /* swap: receive */
}

static void persistent(void)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Send_init(sent, 6, MPI_FLOAT, 1, 1, world, &request); /* persistent: send */
    else
        MPI_Recv_init(received, 6, MPI_INT, 0, 1, world, &request); /* persistent: receive */
    for (int i = 0; i < 3; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

/* Of 20 bytes that may come, 16 come: they end inside the last MPI_LONG. MPICH says that the message is too long. */
static void inside(void)
{
    MPI_Datatype three;
    MPI_Type_create_struct(3, (int[]){1, 1, 1}, (MPI_Aint[]){0, 8, 16},
                           (MPI_Datatype[]){MPI_INT, MPI_LONG, MPI_LONG}, &three);
    MPI_Type_commit(&three);
    long data[3] = {0};
    if (rank == 0)
        MPI_Send(data, 2, MPI_LONG, 1, 1, world); /* inside: send */
    else
        MPI_Recv(data, 1, three, 0, 1, world, MPI_STATUS_IGNORE); /* inside: receive */
    MPI_Type_free(&three);
}

static void to_itself(void)
{
    MPI_Request request;
    if (rank != 0)
        return;
    MPI_Irecv(received, 6, MPI_INT, 0, 1, MPI_COMM_SELF, &request); /* self: receive */
    MPI_Send(sent, 6, MPI_FLOAT, 0, 1, MPI_COMM_SELF);              /* self: send */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void inter(void)
{
    MPI_Comm other;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, world, 1 - rank, 3, &other);
    if (rank == 0)
        MPI_Send(sent, 6, MPI_FLOAT, 0, 1, other); /* inter: send */
    else
        MPI_Recv(received, 6, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE); /* inter: receive */
    MPI_Comm_free(&other);
}

/* The communicator is gone when the receive completes. */
static void freed(void)
{
    MPI_Comm own;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    if (rank == 0)
        MPI_Isend(sent, 6, MPI_FLOAT, 1, 1, own, &request); /* freed: send */
    else
        MPI_Irecv(received, 6, MPI_INT, 0, 1, own, &request); /* freed: receive */
    MPI_Comm_free(&own);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void too_long(const char *how)
{
    MPI_Request request;
    if (rank == 0 && is(how, "long"))
        MPI_Send(received, 6, MPI_INT, 1, 1, world); /* long: send */
    else if (is(how, "long"))
        MPI_Recv(received, 2, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE); /* long: receive */
    else if (rank == 1)
        MPI_Irecv(received, 2, MPI_INT, 0, 1, world, &request); /* wait: receive */
    if (is(how, "wait"))
        MPI_Barrier(world);
    if (rank == 0 && is(how, "wait"))
        MPI_Send(received, 6, MPI_INT, 1, 1, world); /* wait: send */
    else if (is(how, "wait"))
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(world);
}

static void tested(void)
{
    MPI_Request request;
    int flag = 0;
    if (rank == 1)
        MPI_Irecv(received, 2, MPI_INT, 0, 1, world, &request); /* test: receive */
    MPI_Barrier(world);
    if (rank == 0)
        MPI_Send(received, 6, MPI_INT, 1, 1, world); /* test: send */
    else
        while (!flag && MPI_Test(&request, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS)
            ;
    MPI_Barrier(world);
}

/* The program has no statuses that could say which of the two is too long. */
static void one_of_two(void)
{
    MPI_Request requests[2];
    if (rank == 1) {
        MPI_Irecv(received, 2, MPI_INT, 0, 2, world, &requests[0]);
        MPI_Irecv(received + 2, 2, MPI_INT, 0, 1, world, &requests[1]); /* waits: receive */
    }
    MPI_Barrier(world);
    if (rank == 0) {
        MPI_Send(received, 2, MPI_INT, 1, 2, world);
        MPI_Send(received, 6, MPI_INT, 1, 1, world); /* waits: send */
    } else {
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Barrier(world);
}

/* Only the second of two has a message. */
static void some_of_two(void)
{
    MPI_Request requests[2];
    int count, indices[2];
    if (rank == 1) {
        MPI_Irecv(received, 2, MPI_INT, 0, 2, world, &requests[0]);
        MPI_Irecv(received + 2, 2, MPI_INT, 0, 1, world, &requests[1]); /* some: receive */
    }
    MPI_Barrier(world);
    if (rank == 0)
        MPI_Send(received, 6, MPI_INT, 1, 1, world); /* some: send */
    else
        MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
    MPI_Barrier(world);
}

static void ready(void)
{
    if (rank == 0)
        MPI_Rsend(received, 6, MPI_INT, 1, 1, world);
    MPI_Barrier(world);
    if (rank == 1)
        MPI_Recv(received, 6, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE);
}

/* One with another tag, three by one call; what is received is not lost. */
static void lost(void)
{
    if (rank == 0) {
        MPI_Send(received, 6, MPI_INT, 1, 1, world);
        MPI_Send(received, 6, MPI_INT, 1, 2, world);
        for (int i = 0; i < 3; i++)
            MPI_Send(received, i, MPI_INT, 1, 3, world);
    } else {
        MPI_Recv(received, 6, MPI_INT, 0, 2, world, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(world);
}

/* A receive that nobody completes may have the message: that is no lost one. */
static void leaked(void)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Send(received, 6, MPI_INT, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Irecv(received, 6, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void *receive_one(void *tag)
{
    int own[8];
    MPI_Recv(own, *(int *)tag == 1 ? 6 : 3, *(int *)tag == 1 ? MPI_INT : MPI_FLOAT, 0, *(int *)tag,
             world, MPI_STATUS_IGNORE);
    return NULL;
}

static void threads(void)
{
    pthread_t thread;
    int tags[2] = {1, 2};
    if (rank == 0) {
        MPI_Send(received, 6, MPI_INT, 1, 1, world);
        MPI_Send(sent, 3, MPI_FLOAT, 1, 2, world);
        return;
    }
    pthread_create(&thread, NULL, receive_one, &tags[1]);
    receive_one(&tags[0]);
    pthread_join(thread, NULL);
}

/* After a message that MPI has refused: one of another type. */
static void then(void)
{
    int three[3];
    if (rank == 0)
        MPI_Send(sent, 3, MPI_FLOAT, 1, 77, world);
    else
        MPI_Recv(three, 3, MPI_INT, 0, 77, world, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const char *how = argv[1];
    int level;
    MPI_Init_thread(&argc, &argv, is(how, "threads") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &level);
    begin();
    if (argc > 2)
        MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    if (is(how, "test"))
        tested();
    else if (is(how, "swap"))
        both_ways();
    else if (is(how, "persistent"))
        persistent();
    else if (is(how, "inside"))
        inside();
    else if (is(how, "self"))
        to_itself();
    else if (is(how, "inter"))
        inter();
    else if (is(how, "freed"))
        freed();
    else if (is(how, "long") || is(how, "wait"))
        too_long(how);
    else if (is(how, "waits"))
        one_of_two();
    else if (is(how, "some"))
        some_of_two();
    else if (is(how, "ready"))
        ready();
    else if (is(how, "lost"))
        lost();
    else if (is(how, "leaked"))
        leaked();
    else if (is(how, "threads"))
        threads();
    else
        blocking(how);
    if (argc > 2 && is(argv[2], "then"))
        then();
    MPI_Finalize();
    return 0;
}
