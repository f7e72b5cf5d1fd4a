/* mpipp explain argument-null */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int flag;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, NULL, &flag); /* error: argument-null */
    MPI_Finalize();
    return 0;
}
