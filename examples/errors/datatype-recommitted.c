/* mpipp explain datatype-recommitted */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype row;
    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(3, MPI_INT, &row);
    MPI_Type_commit(&row);
    MPI_Type_commit(&row); /* error: datatype-recommitted */
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}
