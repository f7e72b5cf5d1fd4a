/*
 * More messages than the sender's memory has room for: rank 1 receives FIRST of them as they come; when all are sent, it
 * receives all others, or none.
 *
 *     many NUMBER [FIRST]          none
 *     many NUMBER FIRST receive    all others
 *     many NUMBER FIRST two        none; those at the end are sent by another call
 */
#include "common.h"

int main(int argc, char **argv)
{
    const int number = argc > 1 ? atoi(argv[1]) : 1, first = argc > 2 ? atoi(argv[2]) : 0;
    const int receives = argc > 3 && strcmp(argv[3], "receive") == 0;
    const int later = argc > 3 && !receives ? 1000 : 0;
    double data = 0;
    MPI_Init(&argc, &argv);
    begin();
    for (int i = 0; rank == 1 && i < first; i++)
        MPI_Recv(&data, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; rank == 0 && i < number - later; i++) {
        MPI_Send(&data, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
        if (i + 1 == first)
            MPI_Recv(&data, 0, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 1 && first)
        MPI_Send(&data, 0, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < later; i++)
        MPI_Send(&data, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = first; rank == 1 && receives && i < number; i++)
        MPI_Recv(&data, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
