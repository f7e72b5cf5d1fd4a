/* mpipp explain argument-color */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_split(MPI_COMM_WORLD, -2, 0, &part); /* error: argument-color */
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
