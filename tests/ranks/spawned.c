/* A message from a parent to the child that it spawns, which does not fit (messages.sh). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int number = 5;
    MPI_Comm parent, children;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                       MPI_ERRCODES_IGNORE);
        MPI_Send(&number, 1, MPI_INT, 0, 1, children);
        MPI_Comm_disconnect(&children);
    } else {
        MPI_Recv(&number, 1, MPI_FLOAT, 0, 1, parent, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}
