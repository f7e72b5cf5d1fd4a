/* Files that are used against their access mode, and with it. A comment with the id of a check marks the call that it
 * is about. */
#include <mpi.h>
#include <stdio.h>

static int number;
static MPI_File file;
static MPI_Offset offset;
static MPI_Status status;

static void open_again(int mode)
{
    MPI_File_open(MPI_COMM_SELF, "file_modes.data", mode, MPI_INFO_NULL, &file);
}

static void read_only(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    open_again(MPI_MODE_RDONLY);
    MPI_File_read(file, &number, 1, MPI_INT, &status);
    MPI_File_read_at_all(file, 0, &number, 1, MPI_INT, &status);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_get_position(file, &offset);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_at(file, 0, &number, 0, MPI_INT, &status); /* no data */
    MPI_File_write_at(file, 0, &number, 1, MPI_INT, &status); /* file-mode */
    MPI_File_write_all(file, &number, 1, MPI_INT, &status);   /* file-mode */
    MPI_File_write_shared(file, &number, 1, MPI_INT, &status); /* file-mode */
    MPI_File_set_size(file, 100);                             /* file-mode */
    MPI_File_preallocate(file, 100);                          /* file-mode */
    if (MPI_File_iwrite(file, &number, 1, MPI_INT, &request) == MPI_SUCCESS) /* file-mode */
        MPI_Wait(&request, &status);
    MPI_File_close(&file);
}

static void write_only(void)
{
    open_again(MPI_MODE_WRONLY);
    MPI_File_write(file, &number, 1, MPI_INT, &status);
    MPI_File_write_at_all(file, 0, &number, 1, MPI_INT, &status);
    MPI_File_set_size(file, 100);
    MPI_File_read_all(file, &number, 0, MPI_INT, &status); /* no data */
    MPI_File_read(file, &number, 1, MPI_INT, &status);     /* file-mode */
    MPI_File_read_at_all(file, 0, &number, 1, MPI_INT, &status); /* file-mode */
    MPI_File_close(&file);
}

static void sequential(void)
{
    open_again(MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
    MPI_File_write_shared(file, &number, 1, MPI_INT, &status);
    MPI_File_write_ordered(file, &number, 1, MPI_INT, &status);
    MPI_File_write(file, &number, 1, MPI_INT, &status);           /* file-mode */
    MPI_File_write_at(file, 0, &number, 1, MPI_INT, &status);     /* file-mode */
    MPI_File_seek(file, 0, MPI_SEEK_SET);                         /* file-mode */
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);                  /* file-mode */
    MPI_File_set_size(file, 100);                                 /* file-mode */
    MPI_File_close(&file);
}

static void both(void)
{
    open_again(MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    MPI_File_write(file, &number, 1, MPI_INT, &status);
    MPI_File_read_at(file, 0, &number, 1, MPI_INT, &status);
    MPI_File_write_shared(file, &number, 1, MPI_INT, &status);
    MPI_File_set_size(file, 100);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    open_again(MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MPI_File_close(&file);
    read_only();
    write_only();
    sequential();
    both();
    MPI_Finalize();
    return 0;
}
