/* mpipp explain datatype-unknown */
#include <string.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    double x = 1;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    memset(&type, 0x5a, sizeof type);          /* what a variable may have that was never set */
    MPI_Bcast(&x, 1, type, 0, MPI_COMM_WORLD); /* error: datatype-unknown */
    MPI_Finalize();
    return 0;
}
