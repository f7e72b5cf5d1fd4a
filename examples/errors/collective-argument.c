/* mpipp explain collective-argument; mpipp run -n 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, periods[1];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int dims[] = {2};
    MPI_Comm ring;
    periods[0] = rank == 0;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring); /* error: collective-argument */
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
