/* mpipp explain file-mode */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n = 1;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_SELF, argv[0], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, &n, 1, MPI_INT, MPI_STATUS_IGNORE); /* error: file-mode */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
