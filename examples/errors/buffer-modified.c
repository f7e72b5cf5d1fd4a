/* mpipp explain buffer-modified; mpipp run --check=modified */
#include <mpi.h>

int main(int argc, char **argv)
{
    double cells[4] = {1, 2, 3, 4}, halo[4];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Isend(cells, 4, MPI_DOUBLE, 0, 7, MPI_COMM_SELF, &request);
    cells[2] = 5; /* the send may not have read it yet */
    MPI_Recv(halo, 4, MPI_DOUBLE, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* error: buffer-modified */
    MPI_Finalize();
    return 0;
}
