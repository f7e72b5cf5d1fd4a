/*
 * Two ranks that pass different tags to MPI_Intercomm_create, as the first call after MPI_Init: one of them comes to it
 * while the other one may still be in MPI_Init. The call does not reach MPI (swallow.py).
 */
#include <mpi.h>

extern int swallow;

int main(int argc, char **argv)
{
    MPI_Comm made = MPI_COMM_NULL; /* it is not set: the call does nothing */
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    swallow = 1;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 5 + rank, &made);
    swallow = 0;
    MPI_Finalize();
    return 0;
}
