/* mpipp explain handle-unknown */
#include <mpi.h>

static MPI_Comm row; /* never made */

int main(int argc, char **argv)
{
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(row, &rank); /* error: handle-unknown */
    MPI_Finalize();
    return 0;
}
