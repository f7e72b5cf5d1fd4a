/* mpipp explain argument-comm */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_NULL); /* error: argument-comm */
    MPI_Finalize();
    return 0;
}
