/*
 * Split collective calls of a file. A line with a finding says so, and in which case. Wrong ones do not reach MPI
 * (swallow.py), which may hang in them.
 *
 *     split CASE
 */
#include "common.h"

extern int swallow;

static MPI_File file;
static int in[ROOM], out[ROOM];
static MPI_Request request = MPI_REQUEST_NULL;

static void open_file(const char *name)
{
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
}

static void begin_write(void)
{
    MPI_File_write_all_begin(file, in, 4, MPI_INT);
}

static void end_write(void)
{
    MPI_File_write_all_end(file, in, MPI_STATUS_IGNORE);
}

/* After each wrong call it is not known whether an operation is active: it is ended, and nothing is reported about it. */

/* clang-format off */

static void between(void)
{
    begin_write();
    MPI_File_sync(file);                                              /* file-split-order (between) */
    end_write();
    begin_write();
    MPI_File_set_size(file, 100);                                     /* file-split-order (between) */
    end_write();
    begin_write();
    MPI_File_preallocate(file, 100);                                  /* file-split-order (between) */
    end_write();
    begin_write();
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL); /* file-split-order (between) */
    end_write();
    begin_write();
    MPI_File_write_all(file, in, 4, MPI_INT, MPI_STATUS_IGNORE);      /* file-split-order (between) */
    end_write();
    begin_write();
    MPI_File_read_at_all(file, 0, out, 4, MPI_INT, MPI_STATUS_IGNORE); /* file-split-order (between) */
    end_write();
    begin_write();
    MPI_File_iwrite_at_all(file, 100, in, 4, MPI_INT, &request);      /* file-split-order (between) */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_write();
    begin_write();
    MPI_File_close(&file);                                            /* file-split-order (between) */
}

static void without(void)
{
    begin_write();
    end_write();
    MPI_File_write_all_end(file, in, MPI_STATUS_IGNORE);              /* file-split-order (without) */
}

static void other(void)
{
    begin_write();
    MPI_File_write_ordered_end(file, in, MPI_STATUS_IGNORE);          /* file-split-order (other) */
    end_write();
}

static void begun(void)
{
    begin_write();
    MPI_File_write_at_all_begin(file, 64, in, 4, MPI_INT);            /* file-split-order (begun) */
    end_write();
}
/* clang-format on */

/* Also on two files at a time. (Open MPI 4.1 may never return from a split read.) */
static void silent(void)
{
    MPI_File one = file, two;
    int flag;
    MPI_Offset offset;
    MPI_Info info;
    MPI_File_open(MPI_COMM_WORLD, "other", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &two);
    for (int i = 0; i < 3; i++) {
        begin_write();
        MPI_File_write_at(one, 100 + 4 * rank, in, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_iread_at(one, 100 + 4 * rank, out, 1, MPI_INT, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_File_seek(one, 0, MPI_SEEK_SET);
        MPI_File_get_position(one, &offset);
        MPI_File_get_atomicity(one, &flag);
        MPI_File_get_info(one, &info);
        MPI_Info_free(&info);
        MPI_File_write_at_all_begin(two, 16 * rank, in, 4, MPI_INT);
        MPI_File_write_at_all_end(two, in, MPI_STATUS_IGNORE);
        MPI_File_sync(two);
        MPI_Barrier(MPI_COMM_WORLD);
        end_write();
        MPI_File_sync(one);
        MPI_File_write_ordered_begin(one, in, 4, MPI_INT);
        MPI_File_write_ordered_end(one, in, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&two);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int is_closed = 0;
    MPI_Init(&argc, &argv);
    begin();
    open_file("data");
    swallow = strcmp(name, "silent") != 0;
    if (strcmp(name, "between") == 0) {
        between();
        is_closed = 1;
    } else if (strcmp(name, "without") == 0) {
        without();
    } else if (strcmp(name, "other") == 0) {
        other();
    } else if (strcmp(name, "begun") == 0) {
        begun();
    } else {
        silent();
    }
    swallow = 0;
    if (!is_closed)
        MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
