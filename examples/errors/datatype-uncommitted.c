/* mpipp explain datatype-uncommitted */
#include <mpi.h>

int main(int argc, char **argv)
{
    int cells[3] = {1, 2, 3};
    MPI_Datatype row;
    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(3, MPI_INT, &row);
    MPI_Bcast(cells, 1, row, 0, MPI_COMM_WORLD); /* error: datatype-uncommitted */
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}
