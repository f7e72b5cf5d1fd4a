/* mpipp explain op-datatype */
#include <mpi.h>

int main(int argc, char **argv)
{
    char mine = 1, all;
    MPI_Init(&argc, &argv);
    MPI_Allreduce(&mine, &all, 1, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD); /* error: op-datatype */
    MPI_Finalize();
    return 0;
}
