/* mpipp explain datatype-freed */
#include <mpi.h>

int main(int argc, char **argv)
{
    int cells[3] = {1, 2, 3};
    MPI_Datatype row, copy;
    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(3, MPI_INT, &row);
    MPI_Type_commit(&row);
    copy = row;
    MPI_Type_free(&row);
    MPI_Bcast(cells, 1, copy, 0, MPI_COMM_WORLD); /* error: datatype-freed */
    MPI_Finalize();
    return 0;
}
