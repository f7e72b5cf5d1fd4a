/* mpipp explain buffer-null */
#include <stddef.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    double *x = NULL;
    MPI_Init(&argc, &argv);
    MPI_Bcast(x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* error: buffer-null */
    MPI_Finalize();
    return 0;
}
