/* mpipp explain argument-tag */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Send(&x, 1, MPI_DOUBLE, 0, -5, MPI_COMM_SELF); /* error: argument-tag */
    MPI_Finalize();
    return 0;
}
