/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat flows through a plate whose left side is hot. The ranks own columns of it, side by side, and
 * exchange their edges. The result is wrong on more than one rank: docs/book/tutorial.md finds out
 * why.
 */
#include <mpi.h>
#include <stdio.h>

#define ROWS 8
#define COLUMNS 8 /* of all ranks */
#define STEPS 40

/* A column of a grid that has a frame of ghost cells around it. */
static MPI_Datatype make_column(int columns, int start)
{
    int sizes[] = {ROWS + 2, columns + 2}, subsizes[] = {ROWS, 1}, starts[] = {1, start};
    MPI_Datatype column;
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    return column;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int columns = COLUMNS / size;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double grid[ROWS + 2][columns + 2], next[ROWS + 2][columns + 2];
    for (int i = 0; i < ROWS + 2; i++)
        for (int j = 0; j < columns + 2; j++)
            grid[i][j] = next[i][j] = rank == 0 && j == 0 ? 100 : 0;

    MPI_Datatype left_edge = make_column(columns, 1), right_edge = make_column(columns, columns);
    MPI_Datatype left_ghost = make_column(columns, 0), right_ghost = make_column(columns, columns);

    for (int step = 0; step < STEPS; step++) {
        MPI_Sendrecv(grid, 1, left_edge, left, 0, grid, 1, right_ghost, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(grid, 1, right_edge, right, 1, grid, 1, left_ghost, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= ROWS; i++) /* exchanged */
            for (int j = 1; j <= columns; j++)
                next[i][j] =
                    (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]) / 4;
        for (int i = 1; i <= ROWS; i++)
            for (int j = 1; j <= columns; j++)
                grid[i][j] = next[i][j];
    }

    double heat = 0, all = 0;
    for (int i = 1; i <= ROWS; i++)
        for (int j = 1; j <= columns; j++)
            heat += grid[i][j];
    MPI_Reduce(&heat, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("heat: %.3f\n", all);

    MPI_Type_free(&left_edge);
    MPI_Type_free(&right_edge);
    MPI_Type_free(&left_ghost);
    MPI_Type_free(&right_ghost);
    MPI_Finalize();
    return 0;
}
