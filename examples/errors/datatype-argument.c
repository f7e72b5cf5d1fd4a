/* mpipp explain datatype-argument */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype column;
    MPI_Init(&argc, &argv);
    MPI_Type_vector(-1, 1, 8, MPI_DOUBLE, &column); /* error: datatype-argument */
    MPI_Finalize();
    return 0;
}
