/*
 * Ranks that make different numbers of collective calls, none of which waits for the others: found when the
 * job has ended; and a call that frees the communicator. A line with a finding says so, and in which case. Runs as three ranks.
 *
 *     ends CASE
 */
#include <mpi.h>
#include <string.h>

static int rank, in[8], out[64];

/* MPI_Finalize calls back. */
static int meet(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)value, (void)state;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(in, out, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return MPI_SUCCESS;
}

static void set_callback(void)
{
    int keyval;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, meet, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    MPI_Comm_free_keyval(&keyval);
}

/* Ranks 1 and 2 make calls that rank 0 does not make. */
static void be_silent(void)
{
    MPI_Comm comm;
    for (int i = 0; i < 700; i++)
        MPI_Bcast(in, 1, MPI_INT, i % 3, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &comm);
    for (int i = 0; i < 700 && rank != 0; i++)
        MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, 0, comm);
    MPI_Comm_free(&comm);
    set_callback();
}

/* clang-format off */

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(name, "silent") == 0)
        be_silent();
    if (rank == 2 && strcmp(name, "more") == 0)
        MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_WORLD); /* collective-call (more) */
    if (rank != 2 && strcmp(name, "fewer") == 0)
        MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, 2, MPI_COMM_WORLD);
    if (strcmp(name, "freed") == 0) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (rank != 2)
            MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, 2, comm);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Comm_free(&comm);                                           /* collective-call (freed) */
    }
    MPI_Finalize();                                                     /* collective-call (fewer) */
    return 0;
}
