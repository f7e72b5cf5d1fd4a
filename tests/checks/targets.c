/*
 * What one-sided calls transfer: the datatype of the own buffer against the one at the target, which is this process
 * itself. Each call that is wrong has a mark.
 */
#include <mpi.h>
#include <stddef.h>

enum { ROOM = 64 };

struct mixed {
    double d;
    int i;
};

/* A call and what is found in it stand on one line. */
/* clang-format off */
static MPI_Win win;
static int data[ROOM], more[ROOM], *memory;
static MPI_Datatype column, mixed, twice, integers;

static void make_types(void)
{
    int lengths[] = {1, 1};
    MPI_Aint places[] = {offsetof(struct mixed, d), offsetof(struct mixed, i)};
    MPI_Datatype members[] = {MPI_DOUBLE, MPI_INT};
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_create_struct(2, lengths, places, members, &mixed);
    MPI_Type_create_hvector(3, 2, sizeof(int), MPI_INT, &twice);
    members[0] = MPI_INT;
    places[1] = 2 * sizeof(int);
    MPI_Type_create_struct(2, lengths, places, members, &integers);
    MPI_Type_commit(&column);
    MPI_Type_commit(&mixed);
    MPI_Type_commit(&twice);
    MPI_Type_commit(&integers);
}

static void call_right(void)
{
    MPI_Request request;
    MPI_Put(data, 4, MPI_INT, 0, 0, 1, column, win);
    MPI_Put(data, 1, column, 0, 0, 4, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Put(data, 2, MPI_INT, 0, 0, 1, integers, win);
    MPI_Put(data, 2, MPI_INT, 0, 16, 4, MPI_INT, win); /* room for more */
    MPI_Win_flush(0, win);
    MPI_Get(data, 4, MPI_INT, 0, 0, 3, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Get(data, 1, column, 0, 0, 2, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Put(NULL, 0, MPI_INT, 0, 0, 0, MPI_FLOAT, win);
    MPI_Put(data, 4, MPI_INT, MPI_PROC_NULL, 0, 2, MPI_FLOAT, win);
    MPI_Get(data, 1, MPI_INT, MPI_PROC_NULL, 0, 2, MPI_DOUBLE, win);
    MPI_Get(data, 8, MPI_INT, 0, 0, 1, twice, win); /* read twice */
    MPI_Win_flush(0, win);
    MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, data, 4, MPI_INT, 0, 0, 4, MPI_INT, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
    MPI_Get_accumulate(data, 4, MPI_INT, more, 1, column, 0, 0, 4, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Fetch_and_op(more, more, MPI_INT, 0, 0, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
    MPI_Compare_and_swap(data, more, more, MPI_INT, 0, 0, win);
    MPI_Win_flush(0, win);
    MPI_Accumulate(data, 1, column, 0, 0, 4, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Rput(data, 1, MPI_DOUBLE_INT, 0, 0, 1, mixed, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Put(data, 6, MPI_PACKED, 0, 0, 6, MPI_PACKED, win);
    MPI_Win_flush(0, win);
}

static void call_wrong(void)
{
    MPI_Request request;
    MPI_Put(data, 4, MPI_INT, 0, 0, 4, MPI_FLOAT, win); /* match-type */
    MPI_Win_flush(0, win);
    MPI_Put(data, 4, MPI_INT, 0, 0, 16, MPI_BYTE, win); /* match-type */
    MPI_Win_flush(0, win);
    MPI_Get(data, 4, MPI_UNSIGNED, 0, 0, 1, column, win); /* match-type */
    MPI_Win_flush(0, win);
    MPI_Put(data, 2, MPI_FLOAT_INT, 0, 0, 4, MPI_INT, win); /* match-type */
    MPI_Win_flush(0, win);
    MPI_Put(data, 2, mixed, 0, 0, 4, MPI_DOUBLE, win); /* match-type */ /* at {0}(STRUCT)[1][0](MPI_INT)+8 */
    MPI_Win_flush(0, win);
    MPI_Rget(data, 4, MPI_FLOAT, 0, 0, 4, MPI_INT, win, &request); /* match-type */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Accumulate(data, 4, MPI_INT, 0, 0, 4, MPI_UNSIGNED, MPI_SUM, win); /* match-type */
    MPI_Win_flush(0, win);
    MPI_Get_accumulate(data, 4, MPI_INT, more, 4, MPI_UNSIGNED, 0, 0, 4, MPI_INT, MPI_SUM, win); /* match-type */
    MPI_Win_flush(0, win);
    MPI_Put(data, 5, MPI_INT, 0, 0, 1, column, win); /* match-truncation */
    MPI_Win_flush(0, win);
    MPI_Get(data, 3, MPI_INT, 0, 0, 1, column, win); /* match-truncation */
    MPI_Win_flush(0, win);
    MPI_Get_accumulate(data, 4, MPI_INT, data + 3, 4, MPI_INT, 0, 0, 4, MPI_INT, MPI_SUM, win); /* buffer-alias */ /* at {0}+0 {3}+12 */
    MPI_Win_flush(0, win);
    MPI_Fetch_and_op(data, data, MPI_INT, 0, 0, MPI_SUM, win); /* buffer-alias */ /* at +0 */
    MPI_Win_flush(0, win);
    MPI_Compare_and_swap(data, more, data, MPI_INT, 0, 0, win); /* buffer-alias */ /* at +0 */
    MPI_Win_flush(0, win);
    MPI_Put(data, 6, MPI_INT, 0, 0, 1, twice, win); /* datatype-self-overlap */ /* at {0}(HVECTOR)[0][1](MPI_INT)+4 {0}(HVECTOR)[1][0](MPI_INT)+4 */
    MPI_Win_flush(0, win);
    MPI_Accumulate(data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win); /* op-datatype */
    MPI_Win_flush(0, win);
    MPI_Accumulate(data, 6, MPI_INT, 0, 0, 1, twice, MPI_SUM, win); /* datatype-self-overlap */ /* at {0}(HVECTOR)[0][1](MPI_INT)+4 {0}(HVECTOR)[1][0](MPI_INT)+4 */
    MPI_Win_flush(0, win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Win_allocate(ROOM * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    make_types();
    MPI_Win_lock_all(0, win);
    call_right();
    call_wrong();
    MPI_Win_unlock_all(win);
    MPI_Type_free(&column);
    MPI_Type_free(&mixed);
    MPI_Type_free(&twice);
    MPI_Type_free(&integers);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
