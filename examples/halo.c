/*
 * A 2-d halo exchange along one axis, to look at in gdb:
 *
 *     mpicc.mpich -g examples/halo.c -o halo
 *     mpipp gdb -n 1 ./halo
 *     (gdb) break exchanged
 *     (gdb) run
 *     (gdb) up
 *     (gdb) info locals
 *
 * Every rank owns ROWS x COLUMNS cells, with a frame of ghost cells around them. The columns at the
 * left and at the right edge go to the neighbours as one vector type each; the inner part of the
 * field is a subarray.
 */
#include <mpi.h>

#define ROWS 4
#define COLUMNS 6

typedef struct {
    double value;
    char tag[4];
} cell;

static void exchanged(void)
{
}

static MPI_Datatype make_cell(void)
{
    int lengths[] = {1, 4};
    MPI_Aint places[] = {0, sizeof(double)};
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_CHAR}, bare, made;
    MPI_Type_create_struct(2, lengths, places, types, &bare);
    MPI_Type_create_resized(bare, 0, sizeof(cell), &made);
    MPI_Type_free(&bare);
    MPI_Type_set_name(made, "cell");
    return made;
}

int main(int argc, char **argv)
{
    static cell field[ROWS + 2][COLUMNS + 2];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ROWS + 2; i++) {
        for (int j = 0; j < COLUMNS + 2; j++) {
            field[i][j] = (cell){100 * rank + 10 * i + j, "abc"};
        }
    }

    MPI_Datatype unit = make_cell(), column, inner, stale;
    MPI_Type_vector(ROWS, 1, COLUMNS + 2, unit, &column);
    MPI_Type_set_name(column, "column");
    MPI_Type_commit(&column);

    int sizes[] = {ROWS + 2, COLUMNS + 2}, subsizes[] = {ROWS, COLUMNS}, starts[] = {1, 1};
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, unit, &inner);
    stale = unit;
    MPI_Type_free(&unit);

    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Sendrecv(&field[1][COLUMNS], 1, column, right, 0, &field[1][0], 1, column, left, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    exchanged();

    (void)stale;
    MPI_Type_free(&column);
    MPI_Type_free(&inner);
    MPI_Finalize();
    return 0;
}
