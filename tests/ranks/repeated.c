/*
 * Collective calls that one line of the program makes again and again: only once rank 3 passes something else there.
 * Nothing of it reaches MPI (swallow.py), so that each rank goes on.
 *
 *     repeated       as four ranks
 */
#include "common.h"

extern int swallow;

enum { TIMES = 40, WRONG = 20 };

static MPI_Comm other;
static int data[8], result[8];
#define world MPI_COMM_WORLD

#define reduce(from, count, op) MPI_Allreduce(from, result, count, MPI_INT, op, world)

static int is_wrong(int time)
{
    return rank == 3 && time == WRONG;
}

/* The other ranks do not run on: what they have called is kept for some hundred calls. */
#define REPEAT for (int i = (meet(), 0); i < TIMES; i++)

static void numbers(void)
{
    REPEAT
    MPI_Bcast(data, is_wrong(i) ? 2 : 1, MPI_INT, 0, world); /* wrong: collective-type */
    REPEAT
    MPI_Bcast(data, 1, MPI_INT, is_wrong(i), world); /* wrong: collective-root */
    REPEAT
    reduce(data, is_wrong(i) ? 2 : 1, MPI_SUM); /* wrong: collective-type */
}

static void handles(void)
{
    REPEAT
    MPI_Bcast(data, 1, is_wrong(i) ? MPI_FLOAT : MPI_INT, 0, world); /* wrong: collective-type */
    REPEAT
    reduce(data, 1, is_wrong(i) ? MPI_MAX : MPI_SUM); /* wrong: collective-op */
}

static void in_place(void)
{
    REPEAT
    reduce(is_wrong(i) ? MPI_IN_PLACE : data, 1, MPI_SUM); /* wrong: collective-in-place */
    REPEAT
    reduce(is_wrong(i) ? data : MPI_IN_PLACE, 1, MPI_SUM); /* wrong: collective-in-place */
}

/* A datatype whose handle, after it was freed, is that of another one in some libraries. */
static void datatypes(void)
{
    REPEAT
    {
        MPI_Datatype type;
        MPI_Type_contiguous(is_wrong(i) ? 3 : 2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Bcast(data, 1, type, 0, world); /* wrong: collective-type */
        MPI_Type_free(&type);
    }
}

/* All ranks pass the same, which is another thing each time. */
static void right(void)
{
    const MPI_Comm comms[] = {world, other};
    const MPI_Datatype types[] = {MPI_INT, MPI_FLOAT};
    const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_PROD};
    for (int i = 0; i < 3 * TIMES; i++) {
        MPI_Bcast(data, i % 5, types[i / 2 % 2], i % 4, comms[i / 3 % 2]);
        MPI_Allreduce(i % 7 ? data : MPI_IN_PLACE, result, i % 3, types[i % 2], ops[i % 3],
                      comms[i % 2]);
        MPI_Barrier(comms[i / 2 % 2]);
    }
}

int main(void)
{
    MPI_Init(NULL, NULL);
    begin();
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    right();
    swallow = 1;
    numbers();
    handles();
    in_place();
    datatypes();
    right();
    swallow = 0;
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
