/*
 * Random one-sided calls, right and wrong, in and out of epochs: prints what is found in each, as its parameters. With the
 * quick path and without it the answers must be the same (quick_group.c). MPI itself gets none of the calls
 * (accesses_stub.c). Argument: the seed.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks/quick.h"

enum { CALLS = 20000, WINDOWS = 3, TYPES = 9, ROOM = 64 };

static MPI_Win windows[WINDOWS];
static MPI_Datatype types[TYPES];
static int epochs[WINDOWS]; /* enum epoch */
static char sent[CALLS][ROOM], received[CALLS][ROOM];

enum epoch { NO_EPOCH, LOCK, LOCK_ALL, FENCE };

static void make_types(void)
{
    int two[2] = {1, 1}, places[2] = {0, 2};
    types[0] = MPI_INT;
    types[1] = MPI_DOUBLE;
    types[2] = MPI_CHAR;
    types[3] = MPI_FLOAT_INT;
    MPI_Type_vector(2, 1, 2, MPI_INT, &types[4]);
    MPI_Type_commit(&types[4]);
    MPI_Type_indexed(2, two, places, MPI_SHORT, &types[5]);
    MPI_Type_commit(&types[5]);
    MPI_Type_vector(2, 2, 1, MPI_INT, &types[6]); /* names an int twice */
    MPI_Type_commit(&types[6]);
    MPI_Type_contiguous(2, MPI_INT, &types[7]); /* not committed */
    types[8] = MPI_DATATYPE_NULL;
}

static void end_epoch(int number)
{
    if (epochs[number] == LOCK)
        MPI_Win_unlock(0, windows[number]);
    if (epochs[number] == LOCK_ALL)
        MPI_Win_unlock_all(windows[number]);
    if (epochs[number] == FENCE)
        MPI_Win_fence(MPI_MODE_NOSUCCEED, windows[number]);
    epochs[number] = NO_EPOCH;
}

static void change_epoch(int number)
{
    end_epoch(number);
    epochs[number] = (int)draw(4);
    if (epochs[number] == LOCK)
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, windows[number]);
    if (epochs[number] == LOCK_ALL)
        MPI_Win_lock_all(0, windows[number]);
    if (epochs[number] == FENCE)
        MPI_Win_fence(0, windows[number]);
}

struct call {
    void *buffer;
    int count, target, target_count;
    MPI_Datatype type, target_type;
    MPI_Aint there;
    MPI_Op op;
    MPI_Win win;
};

static struct call draw_call(int i, int kind)
{
    static const int targets[] = {1, -5, MPI_PROC_NULL};
    static const MPI_Op ops[] = {MPI_SUM,   MPI_MAX,    MPI_BAND,   MPI_REPLACE,
                                 MPI_NO_OP, MPI_MINLOC, MPI_OP_NULL};
    struct call call = {.buffer = kind == 1 ? received[i] : sent[i],
                        .count = 1 + (int)draw(2),
                        .type = types[one_in(3) ? draw(TYPES) : draw(2)],
                        .there = draw(2),
                        .op = ops[one_in(4) ? draw(7) : draw(2)],
                        .win = windows[draw(WINDOWS)]};
    call.target_count = call.count;
    call.target_type = call.type;
    if (one_in(20))
        call.buffer = one_in(2) ? NULL : MPI_IN_PLACE;
    if (one_in(20))
        call.count = one_in(2) ? 0 : -1;
    if (one_in(20))
        call.target_count += one_in(2) ? 1 : -1;
    if (one_in(20))
        call.target = targets[draw(3)];
    if (one_in(20))
        call.target_type = types[draw(TYPES)];
    if (one_in(20))
        call.there = one_in(2) ? -1 : 511 + (int)draw(2); /* the last unit; none */
    if (one_in(40))
        call.win = MPI_WIN_NULL;
    return call;
}

static void make_call(int kind, struct call c)
{
    if (kind == 0)
        PMPI_Put(c.buffer, c.count, c.type, c.target, c.there, c.target_count, c.target_type,
                 c.win);
    else if (kind == 1)
        PMPI_Get(c.buffer, c.count, c.type, c.target, c.there, c.target_count, c.target_type,
                 c.win);
    else
        PMPI_Accumulate(c.buffer, c.count, c.type, c.target, c.there, c.target_count, c.target_type,
                        c.op, c.win);
}

int main(int argc, char **argv)
{
    state = argc > 1 ? (uint64_t)atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    make_types();
    for (int i = 0; i < WINDOWS; i++) {
        void *memory;
        MPI_Win_allocate(4096, 8, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &windows[i]);
    }
    for (int i = 0; i < CALLS; i++) {
        const int kind = (int)draw(3);
        if (one_in(8))
            change_epoch((int)draw(WINDOWS));
        quick.seen = quick.found = 0;
        make_call(kind, draw_call(i, kind));
        printf("%d %x %s\n", i, quick.found, quick.seen ? "seen" : "quick");
    }
    for (int i = 0; i < WINDOWS; i++) {
        end_epoch(i);
        MPI_Win_free(&windows[i]);
    }
    for (int i = 4; i < 8; i++)
        MPI_Type_free(&types[i]);
    MPI_Finalize();
    return 0;
}
