/* mpipp explain argument-rank */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Send(&x, 1, MPI_DOUBLE, 7, 0, MPI_COMM_SELF); /* error: argument-rank */
    MPI_Finalize();
    return 0;
}
