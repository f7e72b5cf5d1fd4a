/*
 * What the programs of races.py share: windows, groups, and datatypes by short calls. The calls that order ranks are here, each
 * at one place in the source; only one-sided calls are in the program itself, so that a line names one.
 */
#ifndef TESTS_RANKS_RACES_H
#define TESTS_RANKS_RACES_H

#include <mpi.h>
#include <stdarg.h>

enum { BYTES = 512, MOST_RANKS = 4, MOST_PARTS = 4 };

static int rank, size;
static _Alignas(16) char memory[BYTES];
static MPI_Win windows[2];
static MPI_Comm world = MPI_COMM_WORLD,
                without[MOST_RANKS + 1]; /* all but that rank; the last one: all */

/* --- datatypes ------------------------------------------------------------------------------ */

static int is_basic(MPI_Datatype type)
{
    int integers, addresses, types, combiner;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

/* Frees what `made` was made of. */
static MPI_Datatype replace(MPI_Datatype old, MPI_Datatype made)
{
    if (!is_basic(old))
        MPI_Type_free(&old);
    return made;
}

static MPI_Datatype contiguous(int count, MPI_Datatype old)
{
    MPI_Datatype made;
    MPI_Type_contiguous(count, old, &made);
    return replace(old, made);
}

static MPI_Datatype vector(int count, int length, int stride, MPI_Datatype old)
{
    MPI_Datatype made;
    MPI_Type_vector(count, length, stride, old, &made);
    return replace(old, made);
}

static MPI_Datatype hvector(int count, int length, int stride, MPI_Datatype old)
{
    MPI_Datatype made;
    MPI_Type_create_hvector(count, length, stride, old, &made);
    return replace(old, made);
}

static MPI_Datatype resized(int low, int extent, MPI_Datatype old)
{
    MPI_Datatype made;
    MPI_Type_create_resized(old, low, extent, &made);
    return replace(old, made);
}

static MPI_Datatype subarray(int rows, int columns, int some_rows, int some_columns, int row,
                             int column, MPI_Datatype old)
{
    MPI_Datatype made;
    MPI_Type_create_subarray(2, (int[]){rows, columns}, (int[]){some_rows, some_columns},
                             (int[]){row, column}, MPI_ORDER_C, old, &made);
    return replace(old, made);
}

/* Followed by the lengths and the displacements. */
static MPI_Datatype indexed(MPI_Datatype old, int count, ...)
{
    int lengths[MOST_PARTS], places[MOST_PARTS];
    MPI_Datatype made;
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        lengths[i] = va_arg(list, int);
        places[i] = va_arg(list, int);
    }
    va_end(list);
    MPI_Type_indexed(count, lengths, places, old, &made);
    return replace(old, made);
}

/* The same in bytes: as MPI_Type_create_hindexed, or as a struct. */
static MPI_Datatype hindexed(MPI_Datatype old, int is_struct, int count, ...)
{
    int lengths[MOST_PARTS];
    MPI_Aint places[MOST_PARTS];
    MPI_Datatype made, parts[MOST_PARTS];
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        lengths[i] = va_arg(list, int);
        places[i] = va_arg(list, int);
        parts[i] = old;
    }
    va_end(list);
    if (is_struct)
        MPI_Type_create_struct(count, lengths, places, parts, &made);
    else
        MPI_Type_create_hindexed(count, lengths, places, old, &made);
    return replace(old, made);
}

static MPI_Datatype committed(MPI_Datatype type)
{
    MPI_Type_commit(&type);
    return type;
}

static void release(MPI_Datatype type)
{
    MPI_Type_free(&type);
}

/* --- what orders ranks ----------------------------------------------------------------------- */

static void fence(int assertion, int window)
{
    MPI_Win_fence(assertion, windows[window]);
}

static MPI_Group group_of(unsigned ranks)
{
    int list[MOST_RANKS], count = 0;
    MPI_Group all, some;
    for (int i = 0; i < size; i++)
        if (ranks >> i & 1)
            list[count++] = i;
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, count, list, &some);
    MPI_Group_free(&all);
    return some;
}

static void post(unsigned origins, int window)
{
    MPI_Group group = group_of(origins);
    MPI_Win_post(group, 0, windows[window]);
    MPI_Group_free(&group);
}

static void start(unsigned targets, int window)
{
    MPI_Group group = group_of(targets);
    MPI_Win_start(group, 0, windows[window]);
    MPI_Group_free(&group);
}

static void complete(int window)
{
    MPI_Win_complete(windows[window]);
}

static void wait_for_all(int tests, int window)
{
    int flag = 0;
    if (!tests)
        MPI_Win_wait(windows[window]);
    while (tests && !flag)
        MPI_Win_test(windows[window], &flag);
}

static void lock(int type, int target, int window)
{
    MPI_Win_lock(type, target, 0, windows[window]);
}

static void unlock(int target, int window)
{
    MPI_Win_unlock(target, windows[window]);
}

static void lock_all(int assertion)
{
    MPI_Win_lock_all(assertion, windows[0]);
    MPI_Win_lock_all(assertion, windows[1]);
}

static void unlock_all(void)
{
    MPI_Win_unlock_all(windows[0]);
    MPI_Win_unlock_all(windows[1]);
}

static void flush(int target, int window)
{
    MPI_Win_flush(target, windows[window]);
}

static void flush_all(int window)
{
    MPI_Win_flush_all(windows[window]);
}

static void flush_local(int target, int window)
{
    MPI_Win_flush_local(target, windows[window]);
}

static void send(int to, int tag)
{
    MPI_Send(0, 0, MPI_INT, to, tag, world);
}

static void ssend(int to, int tag)
{
    MPI_Ssend(0, 0, MPI_INT, to, tag, world);
}

static void issend(int to, int tag)
{
    MPI_Request request;
    MPI_Issend(0, 0, MPI_INT, to, tag, world, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receive(int from, int tag)
{
    MPI_Recv(0, 0, MPI_INT, from, tag, world, MPI_STATUS_IGNORE);
}

static void bcast(int root, int comm)
{
    int value = 0;
    MPI_Bcast(&value, 1, MPI_INT, root, without[comm]);
}

static void reduce(int root, int comm)
{
    int value = 0, result;
    MPI_Reduce(&value, &result, 1, MPI_INT, MPI_SUM, root, without[comm]);
}

static void scan(int comm)
{
    int value = 0, result;
    MPI_Scan(&value, &result, 1, MPI_INT, MPI_SUM, without[comm]);
}

static void barrier(int comm)
{
    MPI_Barrier(without[comm]);
}

/* --- begin and end --------------------------------------------------------------------------- */

static void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    for (int i = 0; i <= size; i++)
        MPI_Comm_split(world, rank == i ? MPI_UNDEFINED : 0, 0, &without[i]);
    for (int i = 0; i < 2; i++)
        MPI_Win_create(memory, BYTES, 4, MPI_INFO_NULL, world, &windows[i]);
}

static int end(void)
{
    for (int i = 0; i < 2; i++)
        MPI_Win_free(&windows[i]);
    for (int i = 0; i <= size; i++)
        if (without[i] != MPI_COMM_NULL)
            MPI_Comm_free(&without[i]);
    MPI_Finalize();
    return 0;
}

#endif
