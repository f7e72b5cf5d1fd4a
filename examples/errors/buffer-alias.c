/* mpipp explain buffer-alias: what two codes of SPEC MPI2007, 115.fds4 and 122.tachyon, did */
#include <mpi.h>

int main(int argc, char **argv)
{
    double table[64];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* some libraries refuse the call */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    table[rank] = rank;
    MPI_Allgather(table, 1, MPI_DOUBLE, /* error: buffer-alias */
                  table, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
