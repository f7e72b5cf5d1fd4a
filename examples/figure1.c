/*
 * Figure 1 of the paper: the structure that the whole project began with. Rank 0 sends a buffer
 * through it to rank 1.
 *
 *     mpicc -g figure1.c -o figure1 && mpipp run -n 2 ./figure1
 */

/* MPI_Type_struct, MPI_LB and MPI_UB left the standard with MPI-3. MPICH still declares them; Open
 * MPI only exports them, and its header puts errors in their place. */
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#include <mpi.h>

#ifdef OPEN_MPI
#undef MPI_Type_struct
#undef MPI_LB
#undef MPI_UB
int MPI_Type_struct(int count, int blocklengths[], MPI_Aint displacements[], MPI_Datatype types[],
                    MPI_Datatype *newtype);
extern struct ompi_predefined_datatype_t ompi_mpi_lb;
extern struct ompi_predefined_datatype_t ompi_mpi_ub;
#define MPI_LB OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_lb)
#define MPI_UB OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_ub)
#endif

#include <stdio.h>
#include <string.h>

static void fill(char *buffer)
{
    const int numbers[5] = {1, 2, 3, 4, 5};
    const double constants[2] = {3.14, 2.71};
    memcpy(buffer, numbers, sizeof numbers);
    memcpy(buffer + 47, "holisti", 7); /* "holistic", cut to the block's length */
    memcpy(buffer + 76, constants, sizeof constants);
}

int main(int argc, char **argv)
{
    int B[5] = {1, 5, 7, 2, 1};
    MPI_Aint D[5] = {-4, 0, 47, 76, 100};
    MPI_Datatype T[5] = {MPI_LB, MPI_INT, MPI_CHAR, MPI_DOUBLE, MPI_UB};
    MPI_Datatype struDT;
    char buffer[100] = {0};
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Type_struct(5, B, D, T, &struDT);
    MPI_Type_commit(&struDT);

    if (rank == 0) {
        fill(buffer);
        if (size > 1)
            MPI_Send(buffer, 1, struDT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(buffer, 1, struDT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("rank %d has \"%.7s\"\n", rank, buffer + 47); /* stop here */

    MPI_Type_free(&struDT);
    MPI_Finalize();
    return 0;
}
