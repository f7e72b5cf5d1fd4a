/*
 * Threads in what the checks keep for each other: buffers that are gone, calls that MPI refuses, and the level of
 * thread support.
 *
 *     checked_threads ROUNDS                 MPI_THREAD_MULTIPLE: all at once, some of it wrong
 *     checked_threads ROUNDS turns           MPI_THREAD_SERIALIZED: one thread at a time
 *     checked_threads ROUNDS at-a-time       MPI_THREAD_SERIALIZED: two at a time
 *
 * Runs as one rank.
 */
#include "recorder/tree.h"

#include <pthread.h>

enum { THREADS = 4 };

#define FAR __attribute__((noinline))

static int rounds;
static bool takes_turns;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_are_there;
static _Atomic int refused, answered;

static void count_refused(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    refused++;
}

/* MPI refuses the receive, and the code returns. */
static void receive_too_much(MPI_Comm comm)
{
    int sent[4] = {0}, received[2];
    MPI_Request request;
    MPI_Isend(sent, 4, MPI_INT, 0, 1, comm, &request);
    answered += MPI_Recv(received, 2, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Correct: the frame is there until the receive is complete. */
FAR static void receive_in_frame(MPI_Comm comm)
{
    int halo[4], cells[4] = {1, 2, 3, 4}, size;
    MPI_Request request;
    MPI_Irecv(halo, 4, MPI_INT, 0, 2, comm, &request);
    MPI_Comm_size(comm, &size);
    MPI_Send(cells, 4, MPI_INT, 0, 2, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Wrong in the main thread, the only one whose stack is looked at: the frame is gone while the receive is
 * pending. Nothing is ever sent. */
FAR static void receive_and_return(MPI_Comm comm, MPI_Request *request)
{
    int halo[4];
    MPI_Irecv(halo, 4, MPI_INT, 0, 3, comm, request);
}

static void leave_pending(MPI_Comm comm)
{
    MPI_Request request;
    int size;
    receive_and_return(comm, &request);
    MPI_Comm_size(comm, &size);
    MPI_Barrier(comm);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void *work_at_once(void *own)
{
    MPI_Comm comm = *(MPI_Comm *)own;
    pthread_barrier_wait(&all_are_there);
    for (int i = 0; i < rounds; i++) {
        receive_in_frame(comm);
        if (i % 64 == 0) {
            receive_too_much(comm);
            leave_pending(comm);
        }
    }
    return NULL;
}

static void *call_in_turn(void *own)
{
    MPI_Comm comm = *(MPI_Comm *)own;
    int rank;
    pthread_barrier_wait(&all_are_there);
    for (int i = 0; i < 10 * rounds; i++) {
        if (takes_turns)
            pthread_mutex_lock(&turn);
        MPI_Comm_rank(comm, &rank);
        if (takes_turns) {
            MPI_Barrier(comm);
            pthread_mutex_unlock(&turn);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    MPI_Comm comms[THREADS];
    MPI_Errhandler handler;
    bool at_once = argc == 2;
    int level = at_once ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED, provided;
    start();
    rounds = argc > 1 ? atoi(argv[1]) : 0;
    takes_turns = argc > 2 && strcmp(argv[2], "turns") == 0;
    MPI_Init_thread(NULL, NULL, level, &provided);
    CHECK_EQUAL(provided, level);
    MPI_Comm_create_errhandler(count_refused, &handler);
    for (int i = 0; i < THREADS; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
        MPI_Comm_set_errhandler(comms[i], handler);
    }
    MPI_Errhandler_free(&handler);
    void *(*work)(void *) = at_once ? work_at_once : call_in_turn;
    pthread_barrier_init(&all_are_there, NULL, THREADS);
    for (int i = 1; i < THREADS; i++)
        CHECK_EQUAL(pthread_create(&threads[i], NULL, work, &comms[i]), 0);
    work(&comms[0]);
    for (int i = 1; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(refused, at_once ? THREADS * ((rounds + 63) / 64) : 0);
    CHECK_EQUAL(answered, refused);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    CHECK(is_sound());
    MPI_Finalize();
    return finish();
}
