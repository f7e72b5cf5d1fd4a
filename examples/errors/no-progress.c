/* mpipp explain no-progress; mpipp run -n 2 --timeout=2 --severity=note */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        sleep(8);
    MPI_Barrier(MPI_COMM_WORLD); /* note: no-progress */
    MPI_Finalize();
    return 0;
}
