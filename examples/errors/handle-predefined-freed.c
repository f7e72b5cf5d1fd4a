/* mpipp explain handle-predefined-freed */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Op sum = MPI_SUM;
    MPI_Init(&argc, &argv);
    MPI_Op_free(&sum); /* error: handle-predefined-freed */
    MPI_Finalize();
    return 0;
}
