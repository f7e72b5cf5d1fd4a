/* mpipp explain match-ready; mpipp run -n 2 --check=p2p */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[4] = {0};
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Rsend(data, 4, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD); /* too late: it has to stand between MPI_Irecv and MPI_Rsend */
    if (rank == 1)
        MPI_Recv(data, 4, MPI_INT, 0, 7, MPI_COMM_WORLD, &status); /* error: match-ready */
    MPI_Finalize();
    return 0;
}
