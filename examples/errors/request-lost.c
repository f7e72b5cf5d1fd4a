/* mpipp explain request-lost */
#include <mpi.h>

int main(int argc, char **argv)
{
    int sent = 1, received[2];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Irecv(&received[0], 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    MPI_Irecv(&received[1], 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request); /* error: request-lost */
    MPI_Send(&sent, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Send(&sent, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
