/* mpipp explain collective-order; mpipp run -n 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 0;
    MPI_Comm one, two;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &two);
    if (rank == 0) {
        MPI_Bcast(&n, 1, MPI_INT, 0, one); /* error: collective-order */
        MPI_Bcast(&n, 1, MPI_INT, 1, two);
    } else {
        MPI_Bcast(&n, 1, MPI_INT, 1, two);
        MPI_Bcast(&n, 1, MPI_INT, 0, one);
    }
    MPI_Comm_free(&two);
    MPI_Comm_free(&one);
    MPI_Finalize();
    return 0;
}
