/* mpipp explain collective-type; mpipp run -n 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = rank == 0 ? MPI_INT : MPI_FLOAT;
    MPI_Bcast(&n, 1, type, 0, MPI_COMM_WORLD); /* error: collective-type */
    MPI_Finalize();
    return 0;
}
