/*
 * Collective calls on a window and on a file, and on a communicator on which no file could be opened, in the same order
 * in both ranks; or a wrong one in rank 1, which does not reach MPI (swallow.py).
 *
 *     places win|file|open [wrong]
 */
#include "common.h"

extern int swallow;

static int is_wrong;

static void use_window(void)
{
    static int memory[4];
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    swallow = is_wrong;
    if (is_wrong && rank == 1)
        MPI_Win_set_info(win, MPI_INFO_NULL); /* wrong: win */
    else
        MPI_Win_fence(0, win); /* right: win */
    swallow = 0;
    MPI_Win_free(&win);
}

/* There is no such file: all go on alike. */
static void use_open(void)
{
    int in = 0, out;
    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, "none", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS)
        exit(2);
    swallow = is_wrong;
    if (is_wrong && rank == 1)
        MPI_Barrier(MPI_COMM_WORLD); /* wrong: open */
    else
        MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* right: open */
    swallow = 0;
}

static void use_file(void)
{
    MPI_File file, own;
    char name[16];
    /* Each has its own. */
    snprintf(name, sizeof name, "own.%d", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &own);
    if (rank == 1)
        MPI_File_sync(own);
    MPI_File_close(&own);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 100);
    swallow = is_wrong;
    if (is_wrong && rank == 1)
        MPI_File_set_atomicity(file, 0); /* wrong: file */
    else
        MPI_File_sync(file); /* right: file */
    swallow = 0;
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    is_wrong = argc > 2;
    if (strcmp(argv[1], "win") == 0)
        use_window();
    else if (strcmp(argv[1], "file") == 0)
        use_file();
    else
        use_open();
    MPI_Finalize();
    return 0;
}
