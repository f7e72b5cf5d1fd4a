/* --check=size: buffers that are freed before their operation is complete; and such that are not. */
#include <mpi.h>
#include <stdlib.h>

#define IGNORE MPI_STATUS_IGNORE
#define SELF MPI_COMM_SELF

static int other[4];

static void operations(void)
{
    MPI_Request request, both[2];

    int *cells = calloc(4, sizeof *cells);
    MPI_Isend(cells, 4, MPI_INT, 0, 1, SELF, &request);
    free(cells);
    MPI_Recv(other, 4, MPI_INT, 0, 1, SELF, IGNORE);
    MPI_Wait(&request, IGNORE); /* buffer-gone */

    /* Moved by realloc(): the old block is gone. */
    cells = calloc(4, sizeof *cells);
    MPI_Isend(cells, 4, MPI_INT, 0, 1, SELF, &both[0]);
    cells = realloc(cells, 1 << 24);
    both[1] = MPI_REQUEST_NULL;
    MPI_Recv(other, 4, MPI_INT, 0, 1, SELF, IGNORE);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE); /* buffer-gone */
    free(cells);

    /* Complete before. */
    cells = calloc(4, sizeof *cells);
    MPI_Isend(cells, 4, MPI_INT, 0, 1, SELF, &request);
    MPI_Recv(other, 4, MPI_INT, 0, 1, SELF, IGNORE);
    MPI_Wait(&request, IGNORE);
    free(cells);

    /* Another block is freed; this one grows where it is, or not at all. */
    cells = calloc(4, sizeof *cells);
    int *neighbour = calloc(4, sizeof *neighbour);
    MPI_Isend(cells, 4, MPI_INT, 0, 1, SELF, &request);
    free(neighbour);
    MPI_Recv(other, 4, MPI_INT, 0, 1, SELF, IGNORE);
    MPI_Wait(&request, IGNORE);
    free(cells);

    /* Inactive: its buffer may go. */
    cells = calloc(4, sizeof *cells);
    MPI_Send_init(cells, 4, MPI_INT, 0, 1, SELF, &request);
    MPI_Start(&request);
    MPI_Recv(other, 4, MPI_INT, 0, 1, SELF, IGNORE);
    MPI_Wait(&request, IGNORE);
    free(cells);
    MPI_Request_free(&request);
}

/* Open MPI has no windows of one rank: two make them. */
static void window(int rank)
{
    int *memory = calloc(4, sizeof *memory);
    MPI_Win win;
    MPI_Win_create(memory, 4 * sizeof *memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        free(memory);
    MPI_Win_fence(0, win); /* buffer-gone */
    MPI_Win_free(&win);
    if (rank != 0)
        free(memory);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        operations();
    window(rank);
    MPI_Finalize();
    return 0;
}
