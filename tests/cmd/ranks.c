/*
 * A program whose ranks differ, for 'mpipp gdb -n N'.
 *
 *     ranks types A B...    each rank builds a type of its own and comes to stop_here
 *     ranks only            only rank 0 comes to stop_here; the others wait for it
 *     ranks crash           rank 0 fails after MPI_Init, the others wait
 *     ranks abort           rank 0 calls MPI_Abort
 *     ranks early N         ends with status N before MPI_Init
 *     ranks cat             rank 0 prints its standard input
 *     ranks sleep           waits to be killed
 *     ranks receive         the same; rank 1 waits in MPI_Recv
 *     ranks worlds          spawns as many ranks; rank 0 of each world receives from that of the other
 */
#include "../give_way.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

MPI_Datatype shared = MPI_DATATYPE_NULL;

static int stop_here(MPI_Datatype T, int rank)
{
    return T != MPI_DATATYPE_NULL ? rank : -1;
}

static void build(int rank, MPI_Datatype *type)
{
    if (rank == 0)
        MPI_Type_contiguous(3, MPI_INT, type);
    else
        MPI_Type_vector(rank + 1, 2, 5, MPI_DOUBLE, type);
    MPI_Type_commit(type);
}

/* In one write: the ranks share a line otherwise. */
static void say_end(int rank, char **arguments)
{
    char line[1000];
    size_t length = (size_t)snprintf(line, sizeof line, "rank %d ends", rank);
    for (; *arguments != NULL && length < sizeof line; arguments++)
        length += (size_t)snprintf(line + length, sizeof line - length, " [%s]", *arguments);
    if (length + 1 < sizeof line)
        line[length++] = '\n';
    if (write(STDOUT_FILENO, line, length) < 0)
        exit(1);
}

/* Rank r of a world waits for rank r of the other one; rank 0 of the second with another tag. */
static void wait_for_others(char **arguments, int rank)
{
    char *again[] = {"worlds", NULL};
    int size, number;
    MPI_Comm others;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&others);
    const int is_first = others == MPI_COMM_NULL;
    if (is_first)
        MPI_Comm_spawn(arguments[0], again, size, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others,
                       MPI_ERRCODES_IGNORE);
    MPI_Comm_set_name(others, "others");
    give_way();
    printf("asleep\n");
    fflush(stdout);
    MPI_Recv(&number, 1, MPI_INT, rank, is_first ? 3 : 4, others, MPI_STATUS_IGNORE);
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "types";
    int rank, c;
    if (strcmp(what, "early") == 0)
        return atoi(arguments[2]);

    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    build(rank, &shared);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(what, "types") == 0 || (strcmp(what, "only") == 0 && rank == 0))
        stop_here(shared, rank);
    if (strcmp(what, "crash") == 0 && rank == 0)
        raise(SIGSEGV);
    if (strcmp(what, "abort") == 0 && rank == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(what, "worlds") == 0)
        wait_for_others(arguments, rank);
    if (strcmp(what, "sleep") == 0 || strcmp(what, "receive") == 0) {
        give_way();
        printf("asleep\n");
        fflush(stdout);
        if (strcmp(what, "receive") == 0 && rank == 1)
            MPI_Recv(&c, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (;;)
            pause();
    }
    while (strcmp(what, "cat") == 0 && rank == 0 && (c = getchar()) != EOF)
        putchar(c);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Type_free(&shared);
    say_end(rank, arguments + (count > 1 ? 2 : 1));
    MPI_Finalize();
    return 0;
}
