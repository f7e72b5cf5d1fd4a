/* mpipp explain datatype-null */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&x, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD); /* error: datatype-null */
    MPI_Finalize();
    return 0;
}
