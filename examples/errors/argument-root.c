/* mpipp explain argument-root */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&x, 1, MPI_DOUBLE, 5, MPI_COMM_SELF); /* error: argument-root */
    MPI_Finalize();
    return 0;
}
