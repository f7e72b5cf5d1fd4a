/* mpipp explain handle-leak */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* error: handle-leak */
    MPI_Finalize();
    return 0;
}
