/* mpipp explain datatype-leak */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype row;
    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(3, MPI_INT, &row); /* error: datatype-leak */
    MPI_Type_commit(&row);
    MPI_Finalize();
    return 0;
}
