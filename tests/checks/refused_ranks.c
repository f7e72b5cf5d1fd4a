/*
 * Calls that MPI refuses on an intercommunicator, and in processes that MPI_Comm_spawn started: each the end of
 * the job. Lines with a finding say so.
 *
 *     refused_ranks CASE
 *
 * "between" runs as two ranks, the others as one. "alive" calls nothing wrong: exit status 77 where this MPI cannot
 * spawn.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
static int ints[4], more[4];

static void between(void)
{
    MPI_Comm half, inter;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 3, &inter);
    if (rank == 0)
        MPI_Recv(more, 2, MPI_INT, 0, 1, inter, MPI_STATUS_IGNORE);      /* mpi-error (between) */
    else
        MPI_Send(ints, 4, MPI_INT, 0, 1, inter);
    MPI_Barrier(inter);
}

static MPI_Comm children_of(char *program, char *word)
{
    char *words[] = {word, NULL};
    MPI_Comm children;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (MPI_Comm_spawn(program, words, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE) != MPI_SUCCESS) {
        MPI_Finalize();
        exit(77);
    }
    return children;
}

static void in_own_world(void)
{
    MPI_Request request;
    MPI_Isend(ints, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    MPI_Recv(more, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* mpi-error (spawned) */
}

static void from_parent(MPI_Comm parent)
{
    MPI_Recv(more, 2, MPI_INT, 0, 1, parent, MPI_STATUS_IGNORE);         /* mpi-error (parent) */
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Comm parent;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (strcmp(name, "between") == 0)
        between();
    else if (strcmp(name, "spawned") == 0)
        MPI_Barrier(children_of(argv[0], "child-of-itself"));
    else if (strcmp(name, "parent") == 0) {
        MPI_Comm children = children_of(argv[0], "child-of-parent");
        MPI_Send(ints, 4, MPI_INT, 0, 1, children);
        MPI_Barrier(children);
    } else if (strcmp(name, "alive") == 0) {
        MPI_Comm children = children_of(argv[0], "child");
        MPI_Barrier(children); /* some Open MPIs spawn a child that they cannot reach */
        MPI_Comm_disconnect(&children);
    } else if (strcmp(name, "child") == 0) {
        MPI_Barrier(parent);
        MPI_Comm_disconnect(&parent);
    } else if (strstr(name, "-itself"))
        in_own_world();
    else if (strstr(name, "-parent"))
        from_parent(parent);
    MPI_Finalize();
    return 0;
}
