/*
 * Two threads of rank 1 receive what two threads of rank 0 send (MPI_THREAD_MULTIPLE): threaded HOW. In `tags` and
 * `comms` each has its own tag, or communicator, and the last message of the second one does not fit (marked). In
 * `shared`, `wild` and `probes` nobody knows which receive gets which message: all are right.
 */
#include "common.h"

#include <pthread.h>

enum { TIMES = 50 };

static const char *how;
static MPI_Comm comms[2];

static int is(const char *name)
{
    return strcmp(how, name) == 0;
}

static void send_all(int own, MPI_Comm comm, int tag)
{
    int numbers[2] = {own, 0};
    float others[2] = {0, 0};
    for (int i = 0; i < TIMES; i++)
        MPI_Send(numbers, 2, MPI_INT, 1, tag, comm);
    if (own == 1 && (is("tags") || is("comms")))
        MPI_Send(others, 2, MPI_FLOAT, 1, tag, comm); /* wrong: send */
    else
        MPI_Send(numbers, 1, MPI_INT, 1, tag, comm);
}

static void receive_all(MPI_Comm comm, int source, int tag)
{
    int numbers[2];
    MPI_Request request;
    for (int i = 0; i < TIMES; i++) {
        if (i % 2) {
            MPI_Recv(numbers, 2, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE);
        } else {
            MPI_Irecv(numbers, 2, MPI_INT, source, tag, comm, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    MPI_Recv(numbers, 2, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE); /* wrong: receive */
}

/* Messages of two types with two tags: the two threads take all of them by what MPI_Mprobe says. */
static void probe_all(void)
{
    int numbers[2];
    MPI_Message message;
    MPI_Status status;
    for (int i = 0; i <= TIMES; i++) {
        MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(numbers, 2, status.MPI_TAG ? MPI_FLOAT : MPI_INT, &message, &status);
    }
}

static void send_both(int own)
{
    float numbers[2] = {0, 0};
    for (int i = 0; i <= TIMES; i++)
        MPI_Send(numbers, 2, own ? MPI_FLOAT : MPI_INT, 1, own, MPI_COMM_WORLD);
}

static void *run(void *number)
{
    const int own = *(int *)number;
    MPI_Comm comm = is("comms") ? comms[own] : MPI_COMM_WORLD;
    const int tag = is("tags") ? own : 5;
    if (is("probes"))
        rank == 0 ? send_both(own) : probe_all();
    else if (rank == 0)
        send_all(own, comm, tag);
    else if (is("comms") || (is("wild") && own == 1))
        receive_all(comm, MPI_ANY_SOURCE, MPI_ANY_TAG);
    else
        receive_all(comm, 0, tag);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int level, numbers[2] = {0, 1};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    begin();
    how = argv[1];
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    if (level == MPI_THREAD_MULTIPLE && rank < 2) {
        pthread_create(&thread, NULL, run, &numbers[1]);
        run(&numbers[0]);
        pthread_join(thread, NULL);
    }
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
