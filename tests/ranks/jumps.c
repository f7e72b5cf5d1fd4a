/*
 * Error handlers that leave MPI's call by longjmp(): whether it has sent or received is not known then, and what
 * follows on its communicator is not compared.
 *
 *     jumps receive [TIMES]    a receive from any source, which MPI has cut
 *     jumps known [TIMES]      a receive from one source
 *     jumps send               a send that MPI refuses
 *     jumps inside [TIMES]     a receive in the handler of another one, which returns
 *
 * TIMES (1): the receive is called so often, and is right but for the last time.
 *
 * Rank 0 sends to rank 1. Each case ends with a message on another communicator, which does not fit.
 */
#include "common.h"

#include <setjmp.h>

enum { MESSAGES = 5 };

static jmp_buf back;
static MPI_Comm other;
static volatile int times = 1;
static int numbers[8];
static float fractions[8];

static void leave(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    longjmp(back, 1);
}

/* Leaves a call on `other`, and returns. */
static void leave_inside(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    if (setjmp(back) == 0)
        MPI_Recv(numbers, 2, MPI_INT, MPI_ANY_SOURCE, 7, other, MPI_STATUS_IGNORE);
}

static void handle(MPI_Comm comm, MPI_Comm_errhandler_function *function)
{
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(function, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
}

/* The sender's types differ from the receiver's where one message is taken for another. */
static void exchange(MPI_Comm comm)
{
    for (int i = 0; i < MESSAGES; i++)
        if (rank == 0)
            MPI_Send(numbers, 4, MPI_INT, 1, 7, comm);
        else
            MPI_Recv(numbers, 4, MPI_INT, 0, 7, comm, MPI_STATUS_IGNORE);
}

static void too_long(int source)
{
    for (int i = 1; rank == 0 && i < times; i++)
        MPI_Send(numbers, 2, MPI_INT, 1, 7, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(fractions, 4, MPI_FLOAT, 1, 7, MPI_COMM_WORLD);
    else if (setjmp(back) == 0)
        for (int i = 0; i < times; i++)
            MPI_Recv(numbers, 2, MPI_INT, source, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    exchange(MPI_COMM_WORLD);
}

static void refused(void)
{
    if (rank == 0 && setjmp(back) == 0)
        MPI_Send(NULL, 4, MPI_FLOAT, 1, 7, MPI_COMM_WORLD);
    exchange(MPI_COMM_WORLD);
}

static void inside(void)
{
    handle(MPI_COMM_WORLD, leave_inside);
    handle(other, leave);
    if (rank == 0)
        MPI_Send(fractions, 4, MPI_FLOAT, 1, 7, other);
    for (int i = 1; i <= times; i++)
        if (rank == 0)
            MPI_Send(numbers, i < times ? 2 : 4, MPI_INT, 1, 7, MPI_COMM_WORLD);
        else
            MPI_Recv(numbers, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    exchange(other);
}

int main(int argc, char **argv)
{
    MPI_Comm last;
    MPI_Init(&argc, &argv);
    begin();
    times = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_dup(MPI_COMM_WORLD, &last);
    handle(MPI_COMM_WORLD, leave);
    if (strcmp(argv[1], "receive") == 0)
        too_long(MPI_ANY_SOURCE);
    else if (strcmp(argv[1], "known") == 0)
        too_long(0);
    else if (strcmp(argv[1], "send") == 0)
        refused();
    else
        inside();
    if (rank == 0)
        MPI_Send(fractions, 4, MPI_FLOAT, 1, 7, last);
    else
        MPI_Recv(numbers, 4, MPI_INT, 0, 7, last, MPI_STATUS_IGNORE);
    MPI_Comm_free(&last);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
