/* mpipp explain argument-count */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&x, -1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* error: argument-count */
    MPI_Finalize();
    return 0;
}
