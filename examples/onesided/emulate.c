/* mpipp run -n 2 --check=rma: what MPI_Get is to bring is used in its epoch. Loads and stores are not seen. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, out = 0, *memory;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    *memory = 2 * rank;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Get(&out, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
#ifdef CORRECTED
        MPI_Win_unlock(0, window);
#endif
        if (out % 2 == 0)
            out++;
#ifndef CORRECTED
        MPI_Win_unlock(0, window);
#endif
        printf("%d\n", out);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
