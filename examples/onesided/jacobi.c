/* mpipp run -n 3 --check=rma: a halo, of which one half is put and one is got, without a fence between the two. */
#include <mpi.h>

enum { CELLS = 16, STEPS = 3 };

int main(int argc, char **argv)
{
    int rank, size;
    double *cells, next[CELLS + 2] = {0}, halo = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int upper = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    const int second = rank + 2 < size ? rank + 2 : MPI_PROC_NULL; /* whose halo upper puts */
    MPI_Win_allocate((CELLS + 2) * sizeof *cells, sizeof *cells, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &cells, &win);
    for (int i = 0; i < CELLS + 2; i++)
        cells[i] = rank;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int step = 0; step < STEPS; step++) {
        MPI_Put(&next[CELLS], 1, MPI_DOUBLE, upper, 0, 1, MPI_DOUBLE, win); /* rma-conflict */
#ifdef CORRECTED
        MPI_Win_fence(0, win);
#endif
        MPI_Get(&halo, 1, MPI_DOUBLE, second, 0, 1, MPI_DOUBLE, win); /* rma-conflict */
        MPI_Win_fence(0, win);
        for (int i = 1; i <= CELLS; i++)
            next[i] = 0.5 * (cells[i - 1] + cells[i + 1]);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
