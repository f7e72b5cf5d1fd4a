/* mpipp explain buffer-attach */
#include <mpi.h>

int main(int argc, char **argv)
{
    static double buffer[100], values[100];
    void *detached;
    int bytes;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Buffer_attach(buffer, sizeof buffer); /* and MPI_BSEND_OVERHEAD? */
    int sent = MPI_Bsend(values, 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD); /* error: buffer-attach */
    if (sent == MPI_SUCCESS)
        MPI_Recv(values, 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&detached, &bytes);
    MPI_Finalize();
    return 0;
}
