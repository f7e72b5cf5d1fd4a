/*
 * Reductions to every rank. Each wrong call is made after correct ones with the same datatype and operation, so that what
 * is known of these does not hide it. A line with a finding says so, as in wrong.c. With
 * an argument only that case. Runs as one rank.
 */
#include <mpi.h>
#include <stddef.h>
#include <string.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
#define SELF MPI_COMM_SELF

static double a[64], b[64];
static int ints[64], more[64];

/* Correct: nothing is found here. */
static void correct(MPI_Comm comm)
{
    for (int i = 0; i < 3; i++) {
        MPI_Allreduce(a, b, 4, MPI_DOUBLE, MPI_SUM, comm);
        MPI_Allreduce(MPI_IN_PLACE, b, 4, MPI_DOUBLE, MPI_SUM, comm);
        MPI_Allreduce(a, a + 4, 4, MPI_DOUBLE, MPI_SUM, comm);
        MPI_Allreduce(a + 4, a, 4, MPI_DOUBLE, MPI_SUM, comm);
        MPI_Allreduce(NULL, NULL, 0, MPI_DOUBLE, MPI_SUM, comm);
        MPI_Allreduce(ints, more, 4, MPI_INT, MPI_BAND, comm);
        MPI_Scan(a, b, 4, MPI_DOUBLE, MPI_SUM, comm);
        MPI_Scan(MPI_IN_PLACE, b, 4, MPI_DOUBLE, MPI_SUM, comm);
        MPI_Exscan(a, b, 4, MPI_DOUBLE, MPI_SUM, comm);
        MPI_Exscan(a, NULL, 4, MPI_DOUBLE, MPI_SUM, comm);
    }
}

static void wrong(MPI_Comm comm)
{
    MPI_Allreduce(a, b, 4, MPI_DOUBLE, MPI_BAND, comm);                  /* op-datatype */
    MPI_Allreduce(a, b, 4, MPI_DOUBLE, MPI_OP_NULL, comm);               /* op-datatype */
    MPI_Allreduce(a, b, 4, MPI_DATATYPE_NULL, MPI_SUM, comm);            /* datatype-null */
    MPI_Allreduce(a, b, -1, MPI_DOUBLE, MPI_SUM, comm);                  /* argument-count */
    MPI_Allreduce(a, a, 4, MPI_DOUBLE, MPI_SUM, comm);                   /* buffer-alias */ /* at {0}+0 */
    MPI_Allreduce(a, b, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_NULL);          /* argument-comm */
    MPI_Scan(a, b, 4, MPI_DOUBLE, MPI_BAND, comm);                       /* op-datatype */
    MPI_Exscan(a, b, 4, MPI_DOUBLE, MPI_BAND, comm);                     /* op-datatype */
}

/* Calls in which an MPI library may crash, or end the job. */
static void harmful(const char *name, MPI_Comm comm)
{
    if (strcmp(name, "null-received") == 0)
        MPI_Allreduce(a, NULL, 4, MPI_DOUBLE, MPI_SUM, comm); /* buffer-null (null-received) */
    else if (strcmp(name, "null-sent") == 0)
        MPI_Allreduce(NULL, b, 4, MPI_DOUBLE, MPI_SUM, comm); /* buffer-null (null-sent) */
    else if (strcmp(name, "received-in-place") == 0)
        MPI_Allreduce(a, MPI_IN_PLACE, 4, MPI_DOUBLE, MPI_SUM, comm); /* argument-in-place (received-in-place) */
    else if (strcmp(name, "null-scanned") == 0)
        MPI_Scan(a, NULL, 4, MPI_DOUBLE, MPI_SUM, comm); /* buffer-null (null-scanned) */
    else if (strcmp(name, "block-below") == 0)
        MPI_Reduce_scatter_block(a, a + 3, 4, MPI_DOUBLE, MPI_SUM, comm); /* buffer-alias (block-below) */ /* at {0}+0 {3}+24 */
    else if (strcmp(name, "scanned-below") == 0)
        MPI_Scan(a, a + 3, 4, MPI_DOUBLE, MPI_SUM, comm); /* buffer-alias (scanned-below) */ /* at {0}+0 {3}+24 */
    else if (strcmp(name, "sent-above") == 0)
        MPI_Allreduce(a + 3, a, 4, MPI_DOUBLE, MPI_SUM, comm); /* buffer-alias (sent-above) */ /* at {0}+0 {3}+24 */
    else if (strcmp(name, "sent-below") == 0)
        MPI_Allreduce(a, a + 3, 4, MPI_DOUBLE, MPI_SUM, comm); /* buffer-alias (sent-below) */ /* at {0}+0 {3}+24 */
}

/* What is sent from while it is reduced into, and the other way round. */
static void pending(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Irecv(b, 4, MPI_DOUBLE, 0, 1, comm, &request);
    MPI_Allreduce(a, b, 4, MPI_DOUBLE, MPI_SUM, comm);                   /* buffer-overlap */ /* at {0}+0 */
    MPI_Allreduce(b, a, 4, MPI_DOUBLE, MPI_SUM, comm);                   /* buffer-overlap */ /* at {0}+0 */
    MPI_Send(a, 4, MPI_DOUBLE, 0, 1, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(a, b, 4, MPI_DOUBLE, MPI_SUM, comm);
}

int main(int argc, char **argv)
{
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(SELF, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    correct(MPI_COMM_WORLD);
    correct(copy);
    if (argc > 1) {
        harmful(argv[1], MPI_COMM_WORLD);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    wrong(MPI_COMM_WORLD);
    pending(MPI_COMM_WORLD);
    MPI_Comm_free(&copy);
    MPI_Allreduce(a, b, 4, MPI_DOUBLE, MPI_SUM, copy);                   /* argument-comm */
    MPI_Finalize();
    return 0;
}
