/* mpipp run -n 2 --check=rma: rank 0 changes its memory under a shared lock while rank 1 puts there. Loads and stores are
 * not seen. */
#include <mpi.h>

enum { COUNT = 8 };
#ifdef CORRECTED
enum { BARRIERS = 1 };
#else
enum { BARRIERS = 0 };
#endif

int main(int argc, char **argv)
{
    int rank, data[COUNT] = {0}, *memory;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(COUNT * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    if (rank == 0) {
        if (BARRIERS)
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        for (int i = 0; i < COUNT; i++)
            memory[i] = -1 - memory[i];
        MPI_Win_unlock(0, window);
    } else {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Put(data, COUNT, MPI_INT, 0, 0, COUNT, MPI_INT, window);
        MPI_Win_unlock(0, window);
        if (BARRIERS)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
