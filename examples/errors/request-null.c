/* mpipp explain request-null */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Start(&request); /* error: request-null */
    MPI_Finalize();
    return 0;
}
