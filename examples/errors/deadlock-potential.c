/* mpipp explain deadlock-potential; mpipp run -n 2 --synchronous --timeout=2 --on-hang=end */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD); /* warning: deadlock-potential */
    MPI_Recv(&other, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
