/* mpipp explain argument-topology */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, dims[2] = {0, 0}, periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    dims[0] = size + 1;
    dims[1] = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); /* error: argument-topology */
    MPI_Finalize();
    return 0;
}
