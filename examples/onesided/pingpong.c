/* mpipp run -n 3 --check=rma: a ping-pong whose locks are shared, though two ranks put to one. */
#include <mpi.h>

enum { COUNT = 8, TIMES = 5 };
#ifdef CORRECTED
#define LOCK MPI_LOCK_EXCLUSIVE
#else
#define LOCK MPI_LOCK_SHARED
#endif

int main(int argc, char **argv)
{
    int rank, size, data[COUNT] = {0}, *memory;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(COUNT * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    for (int i = 0; i < TIMES; i++) {
        const int to = i % size;
        if (rank != to) {
            MPI_Win_lock(LOCK, to, 0, window);
            MPI_Put(data, COUNT, MPI_INT, to, 0, COUNT, MPI_INT, window); /* rma-conflict */
            MPI_Win_unlock(to, window);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
