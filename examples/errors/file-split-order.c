/* mpipp explain file-split-order */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n = 1;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "split.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_all_begin(file, &n, 1, MPI_INT);
    MPI_File_sync(file); /* error: file-split-order */
    MPI_File_write_all_end(file, &n, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
