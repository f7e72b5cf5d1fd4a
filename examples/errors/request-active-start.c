/* mpipp explain request-active-start */
#include <mpi.h>

int main(int argc, char **argv)
{
    int received;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Recv_init(&received, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    MPI_Start(&request);
    MPI_Start(&request); /* error: request-active-start */
    MPI_Finalize();
    return 0;
}
