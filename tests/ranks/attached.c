/*
 * Accesses to memory that is attached to a window of MPI_Win_create_dynamic, and to what is not: `attached CASE`. What
 * --check=rma has to tell of a case stands in a comment on the line of the call. All memory is in a few pages: MPI libraries
 * that look at pages refuse none of the calls.
 */
#include "onesided.h"

static MPI_Win other;

/* Begins an epoch of all ranks; rank 1 has attached ints FIRST..FIRST+NUMBER-1 of its memory. Returns the address of its int AT. */
static MPI_Aint begin(int first, int number, int at)
{
    MPI_Aint where = 0;
    MPI_Win_create_dynamic(MPI_INFO_NULL, world, &other);
    if (rank == 1) {
        MPI_Win_attach(other, memory + first, number * (MPI_Aint)sizeof *memory);
        MPI_Get_address(memory + at, &where);
    }
    MPI_Bcast(&where, 1, MPI_AINT, 1, world);
    MPI_Win_lock_all(0, other);
    return where;
}

static void end(void)
{
    MPI_Win_unlock_all(other);
    BARRIER;
    MPI_Win_free(&other);
}

/* Attaches more, or detaches, in the midst of the epoch. */
static void change(int is_attach, int first, int number)
{
    BARRIER;
    if (rank == 1 && is_attach)
        MPI_Win_attach(other, memory + first, number * (MPI_Aint)sizeof *memory);
    if (rank == 1 && !is_attach)
        MPI_Win_detach(other, memory + first);
    BARRIER;
}

/* --- not attached -------------------------------------------------------------------------- */

static void beyond(void)
{
    const MPI_Aint where = begin(0, 4, 4);
    if (rank == 0)
        PUT_OTHER(where); /* rma-range (beyond) */
    end();
}

static void before(void)
{
    const MPI_Aint where = begin(4, 4, 3);
    if (rank == 0)
        MPI_Get(data, 2, MPI_INT, 1, where, 2, MPI_INT, other); /* rma-range (before) */
    end();
}

static void straddling(void)
{
    const MPI_Aint where = begin(0, 4, 2);
    if (rank == 2)
        MPI_Put(data, 3, MPI_INT, 1, where, 3, MPI_INT, other); /* rma-range (straddling) */
    end();
}

/* In the midst of it are bytes that are not attached. */
static void between(void)
{
    const MPI_Aint where = begin(0, 2, 0);
    change(1, 4, 2);
    if (rank == 0)
        MPI_Put(data, 6, MPI_INT, 1, where, 6, MPI_INT, other); /* rma-range (between) */
    end();
}

static void last_of_column(void)
{
    MPI_Datatype column;
    const MPI_Aint where = begin(0, 4, 0);
    MPI_Type_vector(2, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0)
        MPI_Put(data, 2, MPI_INT, 1, where, 1, column, other); /* rma-range (last_of_column) */
    MPI_Type_free(&column);
    end();
}

static void detached(void)
{
    const MPI_Aint where = begin(0, 4, 8);
    change(1, 8, 4);
    change(0, 8, 4);
    if (rank == 0)
        PUT_OTHER(where); /* rma-range (detached) */
    end();
}

/* Attached too late. */
static void early(void)
{
    const MPI_Aint where = begin(0, 4, 8);
    if (rank == 0)
        PUT_OTHER(where); /* rma-range (early) */
    change(1, 8, 4);
    end();
}

/* --- attached ------------------------------------------------------------------------------ */

static void side_by_side(void)
{
    const MPI_Aint where = begin(0, 4, 2);
    change(1, 4, 4);
    if (rank == 0)
        MPI_Put(data, 4, MPI_INT, 1, where, 4, MPI_INT, other);
    end();
}

static void attached_again(void)
{
    const MPI_Aint where = begin(0, 4, 8);
    for (int i = 0; i < 3; i++) {
        change(1, 8, 4);
        if (rank == 0) {
            PUT_OTHER(where);
            MPI_Win_flush(1, other);
        }
        change(0, 8, 4);
    }
    end();
}

/* Only the blocks must be attached. */
static void ends_of_column(void)
{
    MPI_Datatype column;
    const MPI_Aint where = begin(0, 1, 0);
    change(1, 8, 1);
    MPI_Type_vector(2, 1, 8, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0)
        MPI_Put(data, 2, MPI_INT, 1, where, 1, column, other);
    MPI_Type_free(&column);
    end();
}

/* The target is in MPI_Win_free, or has detached it, when it reads of the access. */
static void read_late(void)
{
    for (int i = 0; i < 20; i++) {
        const MPI_Aint where = begin(0, 4, 0);
        if (rank != 1)
            MPI_Accumulate(data, 1, MPI_INT, 1, where, 1, MPI_INT, MPI_SUM, other);
        MPI_Win_unlock_all(other);
        if (rank == 1 && i % 2) {
            MPI_Recv(NULL, 0, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE);
            MPI_Recv(NULL, 0, MPI_INT, 2, 1, world, MPI_STATUS_IGNORE);
            MPI_Win_detach(other, memory);
        } else if (i % 2) {
            MPI_Send(NULL, 0, MPI_INT, 1, 1, world);
        }
        MPI_Win_free(&other);
    }
}

/* More than is remembered. */
static void often(void)
{
    const MPI_Aint where = begin(0, 4, 0);
    for (int i = 0; i < 3000 && rank == 1; i++) {
        MPI_Win_attach(other, memory + 8, sizeof *memory);
        MPI_Win_detach(other, memory + 8);
    }
    BARRIER;
    if (rank == 0)
        PUT_OTHER(where);
    end();
}

static const struct onesided_case cases[] = {
    CASE(beyond),         CASE(before),    CASE(straddling),   CASE(between),
    CASE(last_of_column), CASE(detached),  CASE(side_by_side), CASE(attached_again),
    CASE(ends_of_column), CASE(read_late), CASE(often),        CASE(early),
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
