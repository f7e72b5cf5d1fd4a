/* mpipp explain collective-root; mpipp run -n 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&n, 1, MPI_INT, rank, MPI_COMM_WORLD); /* error: collective-root */
    MPI_Finalize();
    return 0;
}
