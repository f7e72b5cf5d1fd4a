/* mpipp explain request-inactive */
#include <mpi.h>

int main(int argc, char **argv)
{
    int sent = 1;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Send_init(&sent, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* error: request-inactive */
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
