/* mpipp explain match-partial; mpipp run -n 2 --check=p2p */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[12] = {0};
    MPI_Datatype three;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    if (rank == 0)
        MPI_Send(data, 4, MPI_INT, 1, 7, MPI_COMM_WORLD); /* 3 or 6 would be whole elements */
    else if (rank == 1)
        MPI_Recv(data, 4, three, 0, 7, MPI_COMM_WORLD, &status); /* error: match-partial */
    MPI_Type_free(&three);
    MPI_Finalize();
    return 0;
}
