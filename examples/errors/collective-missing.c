/* mpipp explain collective-missing; mpipp run -n 2 --timeout=2 --on-hang=end */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD); /* error: collective-missing */
    MPI_Finalize();
    return 0;
}
