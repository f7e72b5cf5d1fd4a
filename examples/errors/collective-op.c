/* mpipp explain collective-op; mpipp run -n 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 1, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op op = rank == 0 ? MPI_SUM : MPI_MAX;
    MPI_Allreduce(&n, &all, 1, MPI_INT, op, MPI_COMM_WORLD); /* error: collective-op */
    MPI_Finalize();
    return 0;
}
