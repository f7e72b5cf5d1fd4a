/* mpipp explain datatype-overflow */
#include <limits.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype giant, more;
    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(INT_MAX, MPI_DOUBLE, &giant);
    MPI_Type_contiguous(INT_MAX, giant, &more); /* error: datatype-overflow */
    MPI_Type_free(&more);
    MPI_Type_free(&giant);
    MPI_Finalize();
    return 0;
}
