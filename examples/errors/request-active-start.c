/* mpipp explain request-active-start */
#include <mpi.h>

int main(int argc, char **argv)
{
    int sent = 1, received;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Recv_init(&received, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    MPI_Start(&request);
    MPI_Start(&request); /* error: request-active-start */
    MPI_Send(&sent, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
