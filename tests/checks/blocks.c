/*
 * MPI_Gather, MPI_Scatter, MPI_Allgather, MPI_Alltoall, MPI_Reduce and MPI_Reduce_scatter_block. Each wrong call is made
 * after correct ones, so that what is known of these does not hide it. A line with a finding says so in a comment: its id.
 * Everything else must be silent. `alone': calls of a root that is alone are wrong; `other': as two ranks, calls of the
 * other rank; else one call is wrong in which MPICH ends the job.
 */
#include <mpi.h>
#include <stddef.h>
#include <string.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
static int in[64], out[64], rank, size;

/* All forms of correct calls that need not be looked at closely, and some that do. */
static void correct(MPI_Comm comm)
{
    MPI_Datatype column;
    MPI_Type_vector(2, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < 3; i++) {
        for (int root = 0; root < size; root++) {
            int *from = rank == root ? in : NULL, *to = rank == root ? out : NULL;
            MPI_Gather(in, 4, MPI_INT, to, rank == root ? 4 : -7, rank == root ? MPI_INT : MPI_DATATYPE_NULL, root, comm);
            MPI_Gather(rank == root ? MPI_IN_PLACE : in, 4, MPI_INT, to, 4, MPI_INT, root, comm);
            MPI_Gather(out + 4 * size, 4, MPI_INT, rank == root ? out : out + 4 * size, 4, MPI_INT, root, comm);
            MPI_Gather(in, 1, column, out, 2, MPI_INT, root, comm);
            MPI_Gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, root, comm);
            MPI_Scatter(from, rank == root ? 4 : -7, rank == root ? MPI_INT : MPI_DATATYPE_NULL, out, 4, MPI_INT, root, comm);
            MPI_Scatter(from, 4, MPI_INT, rank == root ? MPI_IN_PLACE : out, 4, MPI_INT, root, comm);
            MPI_Scatter(in, 4, MPI_INT, in + 4 * size, 4, MPI_INT, root, comm);
            MPI_Scatter(in, 2, MPI_INT, out, 1, column, root, comm);
            MPI_Reduce(in, to, 4, MPI_INT, MPI_SUM, root, comm);
            MPI_Reduce(rank == root ? MPI_IN_PLACE : in, rank == root ? in : NULL, 4, MPI_INT, MPI_SUM, root, comm);
            MPI_Reduce(in, in + 4, 4, MPI_INT, MPI_BAND, root, comm);
            MPI_Reduce(in + 4, in, 4, MPI_INT, MPI_BAND, root, comm);
        }
        MPI_Allgather(in, 4, MPI_INT, out, 4, MPI_INT, comm);
        MPI_Allgather(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, out, 4, MPI_INT, comm);
        MPI_Allgather(out + 4 * size, 4, MPI_INT, out, 4, MPI_INT, comm);
        MPI_Alltoall(in, 4, MPI_INT, out, 4, MPI_INT, comm);
        MPI_Alltoall(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, out, 4, MPI_INT, comm);
        MPI_Alltoall(out + 4 * size, 4, MPI_INT, out, 4, MPI_INT, comm);
        MPI_Alltoall(out, 4, MPI_INT, out + 4 * size, 4, MPI_INT, comm);
        MPI_Reduce_scatter_block(in, out, 4, MPI_INT, MPI_SUM, comm);
        MPI_Reduce_scatter_block(MPI_IN_PLACE, in, 4, MPI_INT, MPI_SUM, comm);
        MPI_Reduce_scatter_block(in, in + 4 * size, 4, MPI_INT, MPI_SUM, comm);
    }
    MPI_Type_free(&column);
}

/* The root, which is alone. */
static void wrong(MPI_Comm comm)
{
    MPI_Gather(in, -1, MPI_INT, out, 4, MPI_INT, 0, comm);                    /* argument-count (alone) */
    MPI_Gather(in, 4, MPI_INT, out, -1, MPI_INT, 0, comm);                    /* argument-count (alone) */
    MPI_Gather(in, 4, MPI_INT, out, 4, MPI_INT, 1, comm);                     /* argument-root (alone) */
    MPI_Gather(in, 4, MPI_INT, out, 4, MPI_INT, -1, comm);                    /* argument-root (alone) */
    MPI_Gather(in, 4, MPI_DATATYPE_NULL, out, 4, MPI_INT, 0, comm);           /* datatype-null (alone) */
    MPI_Gather(in, 4, MPI_INT, out, 4, MPI_INT, 0, MPI_COMM_NULL);            /* argument-comm (alone) */
    MPI_Gather(in, 4, MPI_INT, out, 2, MPI_INT, 0, comm);                     /* collective-type (alone) */
    MPI_Scatter(in, 4, MPI_INT, out, -1, MPI_INT, 0, comm);                   /* argument-count (alone) */
    MPI_Scatter(in, 4, MPI_INT, out, 4, MPI_FLOAT, 0, comm);                  /* collective-type (alone) */
    MPI_Allgather(in, 4, MPI_INT, out, 2, MPI_INT, comm);                     /* collective-type (alone) */
    MPI_Alltoall(in, 4, MPI_INT, out, 4, MPI_FLOAT, comm);                    /* collective-type (alone) */
    MPI_Reduce(in, out, 4, MPI_FLOAT, MPI_BAND, 0, comm);                     /* op-datatype (alone) */
    MPI_Reduce(in, out, 4, MPI_INT, MPI_OP_NULL, 0, comm);                    /* op-datatype (alone) */
    MPI_Reduce(in, out, -1, MPI_INT, MPI_SUM, 0, comm);                       /* argument-count (alone) */
    MPI_Reduce(in, out, 4, MPI_INT, MPI_SUM, 1, comm);                        /* argument-root (alone) */
    MPI_Reduce_scatter_block(in, out, 4, MPI_FLOAT, MPI_BAND, comm);          /* op-datatype (alone) */
}

/* Buffers overlap by one element, or are the same. */
static void alias(const char *name, MPI_Comm comm)
{
    if (strcmp(name, "gathered") == 0)
        MPI_Gather(in, 4, MPI_INT, in + 3, 4, MPI_INT, 0, comm);              /* buffer-alias (gathered) */ /* at {0}+0 {3}+12 */
    else if (strcmp(name, "scattered") == 0)
        MPI_Scatter(in + 3, 4, MPI_INT, in, 4, MPI_INT, 0, comm);             /* buffer-alias (scattered) */ /* at {0}+0 {3}+12 */
    else if (strcmp(name, "gathered-by-all") == 0)
        MPI_Allgather(in, 4, MPI_INT, in, 4, MPI_INT, comm);                  /* buffer-alias (gathered-by-all) */ /* at {0}+0 */
    else if (strcmp(name, "from-all-to-all") == 0)
        MPI_Alltoall(in + 3, 4, MPI_INT, in, 4, MPI_INT, comm);               /* buffer-alias (from-all-to-all) */ /* at {0}+0 {3}+12 */
    else if (strcmp(name, "reduced") == 0)
        MPI_Reduce(in, in + 3, 4, MPI_INT, MPI_SUM, 0, comm);                 /* buffer-alias (reduced) */ /* at {0}+0 {3}+12 */
    else if (strcmp(name, "reduced-blocks") == 0)
        MPI_Reduce_scatter_block(in + 3, in, 4, MPI_INT, MPI_SUM, comm);      /* buffer-alias (reduced-blocks) */ /* at {0}+0 {3}+12 */
}

/* The other rank, on a communicator on which both ranks have made correct calls. No call reaches the root: MPI refuses it. */
static void wrong_elsewhere(MPI_Comm comm)
{
    MPI_Gather(in, -1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, comm);         /* argument-count (other) */
    MPI_Gather(in, 4, MPI_DATATYPE_NULL, NULL, 0, MPI_DATATYPE_NULL, 0, comm); /* datatype-null (other) */
    MPI_Gather(in, 4, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 2, comm);          /* argument-root (other) */
    MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, out, -1, MPI_INT, 0, comm);       /* argument-count (other) */
    MPI_Reduce(in, NULL, 4, MPI_FLOAT, MPI_BAND, 0, comm);                    /* op-datatype (other) */
}

/* A call uses memory that a pending operation uses. */
static void pending(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Irecv(out, 4, MPI_INT, 0, 1, comm, &request);
    MPI_Gather(in, 4, MPI_INT, out, 4, MPI_INT, 0, comm);                     /* buffer-overlap (alone) */ /* at {0}+0 */
    MPI_Reduce(out, in, 4, MPI_INT, MPI_SUM, 0, comm);                        /* buffer-overlap (alone) */ /* at {0}+0 */
    MPI_Send(in, 4, MPI_INT, 0, 1, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    correct(MPI_COMM_WORLD);
    correct(copy);
    if (strcmp("alone", argv[1]) == 0) {
        wrong(MPI_COMM_WORLD);
        pending(MPI_COMM_WORLD);
    } else if (strcmp("other", argv[1]) == 0) {
        if (rank == 1)
            wrong_elsewhere(copy);
    } else {
        alias(argv[1], MPI_COMM_WORLD);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_free(&copy);
    if (strcmp("alone", argv[1]) == 0)
        MPI_Reduce(in, out, 4, MPI_INT, MPI_SUM, 0, copy);                    /* argument-comm (alone) */
    MPI_Finalize();
    return 0;
}
