/* mpipp explain argument-lock */
#include <mpi.h>

int main(int argc, char **argv)
{
    double *memory;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    if (MPI_Win_lock(0, 0, 0, window) == MPI_SUCCESS) /* error: argument-lock */
        MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
