/* mpipp explain request-active-free */
#include <mpi.h>

int main(int argc, char **argv)
{
    int sent = 1, received;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Irecv(&received, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    MPI_Request_free(&request); /* error: request-active-free */
    MPI_Send(&sent, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
