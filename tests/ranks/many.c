/*
 * More messages than the sender's memory has room for: rank 1 receives none before all are sent, and then all or none.
 *
 *     many NUMBER [receive]
 */
#include "common.h"

int main(int argc, char **argv)
{
    const int number = argc > 1 ? atoi(argv[1]) : 1;
    double data = 0;
    MPI_Init(&argc, &argv);
    begin();
    for (int i = 0; rank == 0 && i < number; i++)
        MPI_Send(&data, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == 1 && argc > 2 && i < number; i++)
        MPI_Recv(&data, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
