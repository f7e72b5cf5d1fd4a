/* mpipp explain collective-in-place; mpipp run -n 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 1, all = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const void *from = rank == 0 ? MPI_IN_PLACE : &n;
    MPI_Allreduce(from, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* error: collective-in-place */
    MPI_Finalize();
    return 0;
}
