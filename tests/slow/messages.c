/* Messages that come late. */
#include "slow.h"

#include <stdlib.h>

/* Polls for a message; the sender is late. Between two questions it does something else. */
static void polls(void)
{
    int flag = 0, number = 1, late = any_below(size), probes = any_below(2);
    double seconds = any_while(), pause = any_below(2) ? 0 : 0.01;
    MPI_Request request;
    if (rank == late) {
        sleep_for(seconds);
        for (int i = 0; i < size; i++)
            if (i != late)
                MPI_Send(&number, 1, MPI_INT, i, 7, MPI_COMM_WORLD);
        return;
    }
    if (!probes)
        MPI_Irecv(&number, 1, MPI_INT, late, 7, MPI_COMM_WORLD, &request);
    while (!flag) {
        if (probes)
            MPI_Iprobe(late, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        else
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        sleep_for(pause);
    }
    if (probes)
        MPI_Recv(&number, 1, MPI_INT, late, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 0 gives out work; whoever is done asks for more. */
static void master_worker(void)
{
    enum { ASKS = 1, WORK = 2, END = 3 };
    int jobs = size + any_below(size), left = size - 1;
    double each = any_while() / 2;
    MPI_Status status;
    for (int number = 0; rank == 0 && left > 0; number++) {
        int done;
        MPI_Recv(&done, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        left -= number >= jobs;
        MPI_Send(&number, 1, MPI_INT, status.MPI_SOURCE, number < jobs ? WORK : END,
                 MPI_COMM_WORLD);
    }
    for (int number = 0; rank != 0;) {
        MPI_Send(&number, 1, MPI_INT, 0, ASKS, MPI_COMM_WORLD);
        MPI_Recv(&number, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == END)
            return;
        sleep_for(each * (1 + (number + rank) % 3));
    }
}

static void complete_all(MPI_Request *requests, int count, int way)
{
    int indices[8], done = 0, some;
    if (way == 0)
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; way == 1 && i < count; i++)
        MPI_Waitany(count, requests, &some, MPI_STATUS_IGNORE);
    while (way == 2 && done < count) {
        MPI_Waitsome(count, requests, &some, indices, MPI_STATUSES_IGNORE);
        done += some;
    }
    for (int flag = 0; way == 3 && !flag;)
        MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
}

/* Neighbours exchange their edges, short or long ones; one is late. */
static void halo(void)
{
    enum { LONG = 1 << 18 };
    static int sent[2][LONG], received[2][LONG];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int steps = 1 + any_below(3); steps > 0; steps--) {
        int late = any_below(size), way = any_below(4), count = any_below(2) ? LONG : 1;
        double seconds = any_while() / 2;
        MPI_Request requests[4];
        MPI_Irecv(received[0], count, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(received[1], count, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
        if (rank == late)
            sleep_for(seconds);
        MPI_Isend(sent[0], count, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(sent[1], count, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[3]);
        complete_all(requests, 4, way);
    }
}

/* Messages that their receiver takes late; one is longer than what MPI buffers. */
static void taken_late(void)
{
    enum { LONG = 1 << 20 };
    static char block[LONG];
    int taker = any_below(size), count = any_below(2) ? LONG : 1, way = any_below(3);
    double seconds = any_while();
    if (rank == taker) {
        sleep_for(seconds);
        for (int i = 0; i < size - 1; i++)
            MPI_Recv(block, LONG, MPI_CHAR, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (way == 0) {
        MPI_Send(block, count, MPI_CHAR, taker, 5, MPI_COMM_WORLD);
    } else if (way == 1) {
        MPI_Ssend(block, count, MPI_CHAR, taker, 5, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Isend(block, count, MPI_CHAR, taker, 5, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* A message goes round; each holds it for a while. */
static void ring(void)
{
    int number = 0;
    double each = any_while() / size;
    if (rank == 0)
        MPI_Send(&number, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    MPI_Recv(&number, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sleep_for(each);
    if (rank != 0)
        MPI_Send(&number, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD);
}

/* Each waits for a message, and cancels the receive of what nobody sends. */
static void cancels(void)
{
    int numbers[2], late = any_below(size);
    double seconds = any_while();
    MPI_Request requests[2];
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&numbers[i], 1, MPI_INT, i ? (rank + 1) % size : MPI_ANY_SOURCE, 40 + i,
                  MPI_COMM_WORLD, &requests[i]);
    if (rank == late)
        sleep_for(seconds);
    MPI_Send(&rank, 1, MPI_INT, (rank + size - 1) % size, 41, MPI_COMM_WORLD);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

const struct phase message_phases[] = {{"polls", polls}, {"master_worker", master_worker},
                                       {"halo", halo},   {"taken_late", taken_late},
                                       {"ring", ring},   {"cancels", cancels},
                                       {NULL, NULL}};
