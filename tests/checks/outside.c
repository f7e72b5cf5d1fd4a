/*
 * Calls before MPI_Init and after MPI_Finalize. A line with a finding says so, and in which case. MPI may end
 * the process there.
 *
 *     outside CASE
 *
 * Runs as one rank.
 */
#include <mpi.h>
#include <string.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int number = 1, rank, length;
    char text[MPI_MAX_PROCESSOR_NAME];
    MPI_Datatype type;
    MPI_Request request;
    MPI_Group group;
    if (strcmp(name, "rank-before") == 0)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);                                /* init-missing (rank-before) */
    if (strcmp(name, "type-before") == 0)
        MPI_Type_contiguous(2, MPI_INT, &type);                              /* init-missing (type-before) */
    if (strcmp(name, "name-before") == 0)
        MPI_Get_processor_name(text, &length);                               /* init-missing (name-before) */
    if (strcmp(name, "finalize-before") == 0)
        MPI_Finalize();                                                      /* init-missing (finalize-before) */
    if (strcmp(name, "send-before") == 0)
        MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);     /* init-missing (send-before) */
    if (strcmp(name, "pmpi-before") == 0)
        PMPI_Barrier(MPI_COMM_WORLD);                                        /* init-missing (pmpi-before) */
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        MPI_Irecv(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    if (strcmp(name, "init-again") == 0)
        MPI_Init(&argc, &argv);                                              /* init-missing (init-again) */
    if (strcmp(name, "init-thread-again") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &rank);             /* init-missing (init-thread-again) */
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_free(&group);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_free(&type);
    MPI_Finalize();
    if (strcmp(name, "send-after") == 0)
        MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);     /* init-missing (send-after) */
    if (strcmp(name, "irecv-after") == 0)
        MPI_Irecv(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request); /* init-missing (irecv-after) */
    if (strcmp(name, "rank-after") == 0)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);                                /* init-missing (rank-after) */
    if (strcmp(name, "bcast-after") == 0)
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);                   /* init-missing (bcast-after) */
    if (strcmp(name, "dup-after") == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &(MPI_Comm){MPI_COMM_NULL});            /* init-missing (dup-after) */
    if (strcmp(name, "dims-after") == 0)
        MPI_Dims_create(4, 1, (int[]){0});                                   /* init-missing (dims-after) */
    if (strcmp(name, "finalize-after") == 0)
        MPI_Finalize();                                                      /* init-missing (finalize-after) */
    if (strcmp(name, "init-after") == 0)
        MPI_Init(NULL, NULL);                                                /* init-missing (init-after) */
    return 0;
}
