/* mpipp explain buffer-overlap */
#include <mpi.h>

int main(int argc, char **argv)
{
    int halo[8] = {0}, inner[8] = {0};
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Irecv(halo, 8, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[0]);
    MPI_Irecv(halo + 4, 4, MPI_INT, 0, 8, MPI_COMM_SELF, /* error: buffer-overlap */
              &requests[1]);
    MPI_Send(inner, 8, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Send(inner, 4, MPI_INT, 0, 8, MPI_COMM_SELF);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
