/*
 * What is wrong with a message whose calls are those of the right messages before it, with the same arguments.
 *
 *     after_others unsafe     both ranks send, and receive then
 *     after_others safe       the same, but rank 1 receives first: nothing is wrong
 *     after_others ready      a ready send whose receive is not posted
 *     after_others lost       a message that is not received
 *     after_others type       a receive from any source, and then a message of another datatype
 */
#include "common.h"

#include <stdbool.h>

enum { TIMES = 5 };

static int data[2];
static float fractions[2];

static void send(void)
{
    MPI_Send(data, 2, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD);
}

static void receive(void)
{
    MPI_Recv(data, 2, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void swap(bool receives_first)
{
    if (receives_first) {
        receive();
        send();
    } else {
        send();
        receive();
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void send_all(void)
{
    for (int i = 0; i < TIMES; i++)
        if (rank == 0)
            send();
        else
            receive();
}

static void run(const char *how)
{
    if (strcmp(how, "unsafe") == 0 || strcmp(how, "safe") == 0) {
        for (int i = 0; i < TIMES; i++)
            swap(rank == 1);
        swap(rank == 1 && strcmp(how, "safe") == 0);
        return;
    }
    send_all();
    if (strcmp(how, "ready") == 0) {
        if (rank == 0)
            MPI_Rsend(data, 2, MPI_INT, 1, 7, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1)
            receive();
    } else if (rank == 0) {
        send();
        if (strcmp(how, "type") == 0)
            MPI_Send(fractions, 2, MPI_FLOAT, 1, 7, MPI_COMM_WORLD);
    } else if (strcmp(how, "type") == 0) {
        MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        receive();
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    run(argc > 1 ? argv[1] : "");
    MPI_Finalize();
    return 0;
}
