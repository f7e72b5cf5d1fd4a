/* Windows and files. */
#include "hangs.h"

#include <mpi.h>
#include <unistd.h>

enum { SECONDS = 6 };

static int number, shared[2];

static void receive(int source)
{
    MPI_Recv(&number, 1, MPI_INT, source, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* hang: instead */
}

static MPI_Win make_window(void)
{
    MPI_Win win;
    MPI_Win_create(shared, sizeof shared, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    return win;
}

static void fence(void)
{
    MPI_Win win = make_window();
    MPI_Win_fence(0, win);
    if (rank == 1)
        receive(0);
    MPI_Win_fence(0, win); /* hang: fence */
}

static void win_free(void)
{
    MPI_Win win = make_window();
    if (rank == 1)
        receive(0);
    MPI_Win_free(&win); /* hang: win_free */
}

static MPI_File open_file(void)
{
    static const char name[] = "hangs.data";
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    return file;
}

static void file_close(void)
{
    MPI_File file = open_file();
    if (rank == 1)
        receive(0);
    MPI_File_close(&file); /* hang: file_close */
}

/* MPI_File_set_size waits for all in both libraries. */
static void file_size(void)
{
    MPI_File file = open_file();
    if (rank == 1)
        receive(0);
    MPI_File_set_size(file, 64); /* hang: file_size */
    MPI_File_close(&file);
}

static MPI_Group one_rank(int member)
{
    MPI_Group world, one;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &member, &one);
    MPI_Group_free(&world);
    return one;
}

static void put_to(int target, MPI_Win win)
{
    MPI_Group group = one_rank(target);
    MPI_Win_start(group, 0, win); /* hang: start */
    MPI_Put(&number, 1, MPI_INT, target, 0, 1, MPI_INT, win);
    MPI_Win_complete(win); /* hang: complete */
    MPI_Group_free(&group);
}

static void post_to(int origin, MPI_Win win)
{
    MPI_Group group = one_rank(origin);
    MPI_Win_post(group, 0, win);
    MPI_Group_free(&group);
}

/* The first epoch is whole; rank 1 does not post for the second. */
static void post_missing(void)
{
    MPI_Win win = make_window();
    if (rank == 0) {
        put_to(1, win);
        put_to(1, win);
    } else {
        post_to(0, win);
        MPI_Win_wait(win);
        receive(0);
    }
    MPI_Win_free(&win);
}

/* Rank 1 starts an epoch, and does not complete it. */
static void complete_missing(void)
{
    MPI_Win win = make_window();
    MPI_Group group = one_rank(0);
    if (rank == 0) {
        post_to(1, win);
        MPI_Win_wait(win); /* hang: complete_missing */
    } else {
        MPI_Win_start(group, 0, win);
        receive(0);
        MPI_Win_complete(win);
    }
    MPI_Group_free(&group);
    MPI_Win_free(&win);
}

static void post_late(void)
{
    MPI_Win win = make_window();
    for (int i = 0; i < 3; i++) {
        if (rank == 0) {
            put_to(1, win);
        } else {
            if (i == 1)
                sleep(SECONDS);
            post_to(0, win);
            MPI_Win_wait(win);
        }
    }
    MPI_Win_free(&win);
}

static void lock_one(MPI_Win win)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win); /* hang: lock */
    MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock(1, win); /* hang: unlock */
}

/* Rank 1 has the lock of its own memory. */
static void lock_held(void)
{
    MPI_Win win = make_window();
    if (rank == 1)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        lock_one(win);
    else
        receive(0);
    MPI_Win_free(&win);
}

/* MPI_Win_lock_all has the lock of the own memory, too. */
static void lock_all_held(void)
{
    MPI_Win win = make_window();
    if (rank == 1)
        MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        lock_one(win);
    else
        receive(0);
    MPI_Win_free(&win);
}

static void lock_late(void)
{
    MPI_Win win = make_window();
    if (rank == 1)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        lock_one(win);
        MPI_Send(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        sleep(SECONDS);
        MPI_Win_unlock(1, win);
        receive(0);
    }
    MPI_Win_free(&win);
}

/* All come, some late. */
static void places_late(void)
{
    MPI_Win win = make_window();
    MPI_File file = open_file();
    if (rank == 1)
        sleep(SECONDS);
    MPI_Win_fence(0, win);
    if (rank == 0)
        sleep(SECONDS);
    MPI_File_write_all(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Win_free(&win);
}

const struct mode place_modes[] = {
    {"fence", fence},
    {"win_free", win_free},
    {"file_close", file_close},
    {"file_size", file_size},
    {"places_late", places_late},
    {"post_missing", post_missing},
    {"complete_missing", complete_missing},
    {"post_late", post_late},
    {"lock_held", lock_held},
    {"lock_all_held", lock_all_held},
    {"lock_late", lock_late},
    {NULL, NULL},
};
