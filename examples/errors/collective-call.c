/* mpipp explain collective-call; mpipp run -n 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 1, all[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); /* error: collective-call */
    else
        MPI_Gather(&n, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD); /* error: collective-call */
    MPI_Finalize();
    return 0;
}
