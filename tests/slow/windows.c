/* Memory of others: locks that are held for long, epochs that open late. */
#include "slow.h"

#include <stddef.h>

static MPI_Win win;
static int *memory;

static void make_window(void)
{
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Whoever has the lock keeps it for a while. */
static void locks(void)
{
    int target = any_below(size), type = any_below(2) ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED,
        one = 1;
    double seconds = any_while() / size;
    make_window();
    MPI_Win_lock(type, target, 0, win);
    MPI_Accumulate(&one, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(target, win);
    sleep_for(seconds);
    MPI_Win_unlock(target, win);
    MPI_Win_free(&win);
}

/* The target of a passive epoch computes or sleeps meanwhile. */
static void busy_target(void)
{
    int target = any_below(size), one = 1, old;
    double seconds = any_while();
    make_window();
    if (rank == target) {
        sleep_for(seconds);
    } else {
        MPI_Win_lock_all(0, win);
        MPI_Fetch_and_op(&one, &old, MPI_INT, target, 0, MPI_SUM, win);
        MPI_Win_flush(target, win);
        MPI_Win_unlock_all(win);
    }
    MPI_Win_free(&win);
}

/* All wait until a counter has come to its end; one adds late. */
static void counter(void)
{
    int late = any_below(size), one = 1, now = 0;
    double seconds = any_while();
    make_window();
    MPI_Win_lock_all(0, win);
    if (rank == late)
        sleep_for(seconds);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    while (now < size) {
        MPI_Fetch_and_op(&one, &now, MPI_INT, 0, 0, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void fences(void)
{
    int late = any_below(size), one = 1;
    double seconds = any_while();
    make_window();
    MPI_Win_fence(0, win);
    if (rank == late)
        sleep_for(seconds);
    MPI_Put(&one, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* Post, start, complete, wait: one side is late. */
static void epochs(void)
{
    int late = any_below(2), other[1], one = 1;
    double seconds = any_while();
    MPI_Group world, group;
    make_window();
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    other[0] = 1 - rank;
    if (rank < 2)
        MPI_Group_incl(world, 1, other, &group);
    if (rank == late)
        sleep_for(seconds);
    if (rank == 0) {
        MPI_Win_post(group, 0, win);
        if (late == 0)
            sleep_for(seconds / 2);
        MPI_Win_wait(win);
    } else if (rank == 1) {
        MPI_Win_start(group, 0, win);
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        if (late == 1)
            sleep_for(seconds / 2);
        MPI_Win_complete(win);
    }
    if (rank < 2)
        MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
}

const struct phase window_phases[] = {{"locks", locks},     {"busy_target", busy_target},
                                      {"counter", counter}, {"fences", fences},
                                      {"epochs", epochs},   {NULL, NULL}};
