/* mpipp explain buffer-size; mpipp run --check=size */
/* A field with a border of ghost cells was allocated without it: the count is of all cells. */
#include <mpi.h>
#include <stdlib.h>

enum { CELLS = 100, GHOSTS = 2 };

int main(void)
{
    MPI_Init(NULL, NULL);
    double *field = calloc(CELLS, sizeof *field);
    MPI_Bcast(field, CELLS + GHOSTS, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* error: buffer-size */
    free(field);
    MPI_Finalize();
}
