/*
 * Findings in masses, and ranks that end in the middle of them:
 *
 *     many loop COUNT     one wrong call, so often
 *     many sites          1,000 wrong calls, each of its own
 *     many functions      two functions, called at one place
 *     many abort          rank 0 errs until it is ended; rank 1 calls MPI_Abort once rank 0 has erred
 *     many killed         the same, and rank 1 is killed
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int data[4];

static void wrong(void)
{
    MPI_Send(data, -1, MPI_INT, 0, 0, MPI_COMM_SELF);
}

/* MPI bears it at once, where it thinks of errors for microseconds. */
static void again(long count)
{
    MPI_Datatype type = MPI_INT;
    for (; count > 0; count--)
        MPI_Type_commit(&type);
}

#define ONE MPI_Send(data, -1, MPI_INT, 0, 0, MPI_COMM_SELF);
#define TEN(what) what what what what what what what what what what

static void of_their_own(void)
{
    TEN(TEN(TEN(ONE)))
}

static void at_one_place(void)
{
    static int (*const functions[])(const void *, int, MPI_Datatype, int, int,
                                    MPI_Comm) = {MPI_Send, MPI_Ssend};
    for (int i = 0; i < 8; i++)
        functions[i % 2](data, -1, MPI_INT, 0, 0, MPI_COMM_SELF);
}

/* Rank 1 ends when rank 0 has erred, which goes on with it. */
static void in_the_middle(int rank, const char *way)
{
    if (rank == 0) {
        wrong();
        MPI_Send(data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        for (;;)
            of_their_own();
    }
    MPI_Recv(data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(way, "killed") == 0)
        raise(SIGKILL);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (strcmp(argv[1], "loop") == 0)
        again(atol(argv[2]));
    else if (strcmp(argv[1], "sites") == 0)
        of_their_own();
    else if (strcmp(argv[1], "functions") == 0)
        at_one_place();
    else
        in_the_middle(rank, argv[1]);
    MPI_Finalize();
    return 0;
}
