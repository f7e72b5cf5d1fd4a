/* mpipp explain rma-epoch-end */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n = 1, *memory;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Put(&n, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    MPI_Win_unlock(0, window); /* error: rma-epoch-end */
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
