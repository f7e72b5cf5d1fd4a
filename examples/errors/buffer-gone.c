/* mpipp explain buffer-gone */
#include <mpi.h>

static void post(MPI_Request *request)
{
    int cells[4] = {1, 2, 3, 4}; /* gone when post() returns */
    MPI_Isend(cells, 4, MPI_INT, 0, 7, MPI_COMM_SELF, request);
}

int main(int argc, char **argv)
{
    int halo[4];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    post(&request);
    MPI_Recv(halo, 4, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* error: buffer-gone */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
