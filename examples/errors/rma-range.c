/* mpipp explain rma-range; mpipp run -n 2 --check=rma */
#include <mpi.h>

int main(int argc, char **argv)
{
    static int data = 1, memory[8];
    int rank;
    MPI_Aint address;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, memory, 4 * sizeof *memory);
    MPI_Get_address(&memory[4], &address);
    MPI_Bcast(&address, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    MPI_Win_fence(0, window);
    if (rank == 0)
        MPI_Put(&data, 1, MPI_INT, 1, address, 1, MPI_INT, window); /* error: rma-range */
    MPI_Win_fence(0, window);
    MPI_Win_detach(window, memory);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
