/* mpipp explain rma-local; mpipp run -n 2 --check=rma */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[4] = {0}, *memory;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
        MPI_Send(data, 2, MPI_INT, 1, 7, MPI_COMM_WORLD);
        MPI_Put(data, 4, MPI_INT, 1, 0, 4, MPI_INT, window); /* error: rma-local */
    } else {
        MPI_Recv(memory, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
