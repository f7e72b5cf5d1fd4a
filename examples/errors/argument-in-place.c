/* mpipp explain argument-in-place */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Allreduce(&x, MPI_IN_PLACE, 1, MPI_DOUBLE, /* error: argument-in-place */
                  MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
