/* mpipp explain mpi-error */
#include <mpi.h>

int main(int argc, char **argv)
{
    int sent[4] = {1, 2, 3, 4}, received[2];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Isend(sent, 4, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    MPI_Recv(received, 2, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* error: mpi-error */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
