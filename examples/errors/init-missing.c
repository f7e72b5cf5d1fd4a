/* mpipp explain init-missing */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); /* error: init-missing */
    return 0;
}
