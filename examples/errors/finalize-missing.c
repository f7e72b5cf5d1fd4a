/* mpipp explain finalize-missing */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    /* no MPI_Finalize */
    return 0;
}
