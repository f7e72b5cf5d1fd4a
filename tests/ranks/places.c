/*
 * Collective calls on a window and on a file, in the same order in both ranks; or a wrong one in rank 1, which does
 * not reach MPI (swallow.py).
 *
 *     places win|file [wrong]
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

static void use_file(void)
{
    MPI_File file, own;
    char name[16];
    /* There is none: all go on alike. */
    if (MPI_File_open(MPI_COMM_WORLD, "none", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS)
        exit(2);
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
    else
        use_file();
    MPI_Finalize();
    return 0;
}
