/* mpipp explain request-unknown */
#include <mpi.h>

int main(int argc, char **argv)
{
    int sent = 1, received;
    MPI_Request request, copy;
    MPI_Init(&argc, &argv);
    MPI_Irecv(&received, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    copy = request;
    MPI_Send(&sent, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&copy, MPI_STATUS_IGNORE); /* error: request-unknown */
    MPI_Finalize();
    return 0;
}
