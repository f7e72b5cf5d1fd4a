/* mpipp run -n 2 --check=rma: it waits, in the epoch, for what MPI_Get brings at its end. */
#include <mpi.h>

enum { MOST_TRIES = 10 };

int main(int argc, char **argv)
{
    int rank, check = 0, *memory;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    *memory = 1;
    MPI_Win_fence(0, window);
    for (int i = 0; rank == 1 && check == 0 && i < MOST_TRIES; i++) {
#ifdef CORRECTED
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
#endif
        MPI_Get(&check, 1, MPI_INT, 0, 0, 1, MPI_INT, window); /* buffer-overlap */
#ifdef CORRECTED
        MPI_Win_unlock(0, window);
#endif
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
