/*
 * Each rule of what ranks must agree on in a collective call, broken by one rank; the communicator has the case's name
 * meanwhile. The calls do not reach MPI (swallow.py), so that each rank goes on.
 *
 *     wrong ODD last      the odd rank makes its call when the others have
 *     wrong ODD first     it makes it before them
 *
 * Writes a line for each case into lines.RANK: name, id, this rank's function and line, whether it is the odd one.
 */
#include "common.h"

extern int swallow;

static int odd; /* 1 in the rank that is to be wrong, else 0 */
static int line;
static const char *function;
static MPI_Comm comm;

static int in[ROOM], out[ROOM];
static int counts[ROOM], displs[ROOM], bytes[ROOM], dims[3], periods[3], indices[ROOM], edges[ROOM];
static MPI_Datatype types[ROOM], pair, riap, two;
static MPI_Request request;
static MPI_Op own;
static MPI_Comm made;
static char *commands[] = {"none"};
static const int one_process = 1;
static const MPI_Info no_info = MPI_INFO_NULL;

/* clang-format off */

/* One call. What differs in the odd rank depends on `odd`. */
#define CALL(name, called, arguments) \
    static void name(void) { function = "MPI_" #called; line = __LINE__; MPI_##called arguments; }

/* The same call, blocking, nonblocking and persistent. */
#define UNPACK(...) __VA_ARGS__
#if MPI_VERSION >= 4
#define FORMS(name, called, nonblocking, arguments) \
    CALL(name, called, (UNPACK arguments)) \
    CALL(name##_nonblocking, nonblocking, (UNPACK arguments, &request)) \
    CALL(name##_persistent, called##_init, (UNPACK arguments, MPI_INFO_NULL, &request)) \
    CALL(name##_large, called##_c, (UNPACK arguments))
#else
#define FORMS(name, called, nonblocking, arguments) \
    CALL(name, called, (UNPACK arguments)) \
    CALL(name##_nonblocking, nonblocking, (UNPACK arguments, &request))
#endif

#define SORT (odd ? MPI_FLOAT : MPI_INT)
#define NUMBER (odd ? 3 : 4)
#define OPERATION (odd ? MPI_MAX : MPI_SUM)
#define OWN_ALONE (odd ? own : MPI_SUM)
#define NOT_OWN (odd ? MPI_SUM : own)
#define PLACE (odd ? MPI_IN_PLACE : (void *)in)
#define GIVEN (rank == 0 ? (void *)out : NULL)

#define ALL_FORMS(FORM) \
    FORM(bcast_root, "collective-root", Bcast, Ibcast, (in, 4, MPI_INT, odd, comm)) \
    FORM(gather_root, "collective-root", Gather, Igather, (in, 2, MPI_INT, out, 2, MPI_INT, odd, comm)) \
    FORM(scatter_root, "collective-root", Scatter, Iscatter, (in, 2, MPI_INT, out, 2, MPI_INT, odd, comm)) \
    FORM(reduce_root, "collective-root", Reduce, Ireduce, (in, out, 2, MPI_INT, MPI_SUM, odd, comm)) \
    FORM(reduce_op, "collective-op", Reduce, Ireduce, (in, out, 2, MPI_INT, OPERATION, 0, comm)) \
    FORM(allreduce_op, "collective-op", Allreduce, Iallreduce, (in, out, 2, MPI_INT, OPERATION, comm)) \
    FORM(reduce_own, "collective-op", Reduce, Ireduce, (in, out, 2, MPI_INT, OWN_ALONE, 0, comm)) \
    FORM(allreduce_own, "collective-op", Allreduce, Iallreduce, (in, out, 2, MPI_INT, OWN_ALONE, comm)) \
    FORM(scan_not_own, "collective-op", Scan, Iscan, (in, out, 2, MPI_INT, NOT_OWN, comm)) \
    FORM(reduce_scatter_block_op, "collective-op", Reduce_scatter_block, Ireduce_scatter_block, (in, out, 2, MPI_INT, OPERATION, comm)) \
    FORM(scan_op, "collective-op", Scan, Iscan, (in, out, 2, MPI_INT, OPERATION, comm)) \
    FORM(exscan_op, "collective-op", Exscan, Iexscan, (in, out, 2, MPI_INT, OPERATION, comm)) \
    FORM(bcast_type, "collective-type", Bcast, Ibcast, (in, 4, SORT, 0, comm)) \
    FORM(bcast_count, "collective-type", Bcast, Ibcast, (in, NUMBER, MPI_INT, 0, comm)) \
    FORM(bcast_order, "collective-type", Bcast, Ibcast, (in, 2, odd ? riap : pair, 0, comm)) \
    FORM(bcast_pairs, "collective-type", Bcast, Ibcast, (in, NUMBER, pair, 0, comm)) \
    FORM(bcast_mixed, "collective-type", Bcast, Ibcast, (in, 4, odd ? pair : two, 0, comm)) \
    FORM(bcast_nothing, "collective-type", Bcast, Ibcast, (in, odd ? 0 : 4, MPI_INT, 0, comm)) \
    FORM(bcast_bytes, "collective-type", Bcast, Ibcast, (in, odd ? 16 : 4, odd ? MPI_BYTE : MPI_INT, 0, comm)) \
    FORM(gather_type, "collective-type", Gather, Igather, (in, 2, SORT, out, 2, SORT, 0, comm)) \
    FORM(gather_count, "collective-type", Gather, Igather, (in, NUMBER, MPI_INT, GIVEN, NUMBER, MPI_INT, 0, comm)) \
    FORM(scatter_type, "collective-type", Scatter, Iscatter, (in, 2, SORT, out, 2, SORT, 0, comm)) \
    FORM(scatter_count, "collective-type", Scatter, Iscatter, (in, NUMBER, MPI_INT, out, NUMBER, MPI_INT, 0, comm)) \
    FORM(allgather_type, "collective-type", Allgather, Iallgather, (in, 2, SORT, out, 2, SORT, comm)) \
    FORM(allgather_count, "collective-type", Allgather, Iallgather, (in, NUMBER, MPI_INT, out, NUMBER, MPI_INT, comm)) \
    FORM(alltoall_type, "collective-type", Alltoall, Ialltoall, (in, 2, SORT, out, 2, SORT, comm)) \
    FORM(alltoall_count, "collective-type", Alltoall, Ialltoall, (in, NUMBER, MPI_INT, out, NUMBER, MPI_INT, comm)) \
    FORM(reduce_type, "collective-type", Reduce, Ireduce, (in, out, 2, SORT, MPI_SUM, 0, comm)) \
    FORM(reduce_count, "collective-type", Reduce, Ireduce, (in, out, NUMBER, MPI_INT, MPI_SUM, 0, comm)) \
    FORM(allreduce_type, "collective-type", Allreduce, Iallreduce, (in, out, 2, SORT, MPI_SUM, comm)) \
    FORM(allreduce_count, "collective-type", Allreduce, Iallreduce, (in, out, NUMBER, MPI_INT, MPI_SUM, comm)) \
    FORM(reduce_scatter_block_type, "collective-type", Reduce_scatter_block, Ireduce_scatter_block, (in, out, 2, SORT, MPI_SUM, comm)) \
    FORM(reduce_scatter_block_count, "collective-type", Reduce_scatter_block, Ireduce_scatter_block, (in, out, NUMBER, MPI_INT, MPI_SUM, comm)) \
    FORM(scan_type, "collective-type", Scan, Iscan, (in, out, 2, SORT, MPI_SUM, comm)) \
    FORM(scan_count, "collective-type", Scan, Iscan, (in, out, NUMBER, MPI_INT, MPI_SUM, comm)) \
    FORM(exscan_type, "collective-type", Exscan, Iexscan, (in, out, 2, SORT, MPI_SUM, comm)) \
    FORM(exscan_count, "collective-type", Exscan, Iexscan, (in, out, NUMBER, MPI_INT, MPI_SUM, comm)) \
    FORM(allgather_place, "collective-in-place", Allgather, Iallgather, (PLACE, 2, MPI_INT, out, 2, MPI_INT, comm)) \
    FORM(alltoall_place, "collective-in-place", Alltoall, Ialltoall, (PLACE, 2, MPI_INT, out, 2, MPI_INT, comm)) \
    FORM(allreduce_place, "collective-in-place", Allreduce, Iallreduce, (PLACE, out, 2, MPI_INT, MPI_SUM, comm)) \
    FORM(reduce_scatter_block_place, "collective-in-place", Reduce_scatter_block, Ireduce_scatter_block, (PLACE, out, 2, MPI_INT, MPI_SUM, comm))

/* The counts are int or MPI_Count in an array: no MPI_..._c of these. */
#define ARRAY_FORMS(FORM) \
    FORM(gatherv_root, "collective-root", Gatherv, Igatherv, (in, 2, MPI_INT, out, counts, displs, MPI_INT, odd, comm)) \
    FORM(scatterv_root, "collective-root", Scatterv, Iscatterv, (in, counts, displs, MPI_INT, out, 2, MPI_INT, odd, comm)) \
    FORM(reduce_scatter_op, "collective-op", Reduce_scatter, Ireduce_scatter, (in, out, counts, MPI_INT, OPERATION, comm)) \
    FORM(reduce_scatter_type, "collective-type", Reduce_scatter, Ireduce_scatter, (in, out, counts, SORT, MPI_SUM, comm)) \
    FORM(reduce_scatter_counts, "collective-argument", Reduce_scatter, Ireduce_scatter, (in, out, other_counts(), MPI_INT, MPI_SUM, comm)) \
    FORM(allgatherv_place, "collective-in-place", Allgatherv, Iallgatherv, (PLACE, 2, MPI_INT, out, counts, displs, MPI_INT, comm)) \
    FORM(alltoallv_place, "collective-in-place", Alltoallv, Ialltoallv, (PLACE, counts, displs, MPI_INT, out, counts, displs, MPI_INT, comm)) \
    FORM(alltoallw_place, "collective-in-place", Alltoallw, Ialltoallw, (PLACE, counts, bytes, types, out, counts, bytes, types, comm))

/* The arguments of the others are the same in all ranks: these are paired with the next one in the list. */
#define CALLS(ONE) \
    ONE(barrier, Barrier, (comm)) \
    ONE(ibarrier, Ibarrier, (comm, &request)) \
    ONE(comm_dup, Comm_dup, (comm, &made)) \
    ONE(comm_idup, Comm_idup, (comm, &made, &request)) \
    ONE(comm_dup_with_info, Comm_dup_with_info, (comm, MPI_INFO_NULL, &made)) \
    ONE(comm_split, Comm_split, (comm, 0, 0, &made)) \
    ONE(comm_split_type, Comm_split_type, (comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made)) \
    ONE(comm_set_info, Comm_set_info, (comm, MPI_INFO_ENV)) \
    ONE(cart_create, Cart_create, (comm, 1, dims, periods, 0, &made)) \
    ONE(graph_create, Graph_create, (comm, size, indices, edges, 0, &made)) \
    ONE(gatherv, Gatherv, (in, 2, MPI_INT, out, counts, displs, MPI_INT, 0, comm)) \
    ONE(gather, Gather, (in, 2, MPI_INT, out, 2, MPI_INT, 0, comm)) \
    ONE(igather, Igather, (in, 2, MPI_INT, out, 2, MPI_INT, 0, comm, &request)) \
    ONE(scatterv, Scatterv, (in, counts, displs, MPI_INT, out, 2, MPI_INT, 0, comm)) \
    ONE(scatter, Scatter, (in, 2, MPI_INT, out, 2, MPI_INT, 0, comm)) \
    ONE(iscatterv, Iscatterv, (in, counts, displs, MPI_INT, out, 2, MPI_INT, 0, comm, &request)) \
    ONE(allgather, Allgather, (in, 2, MPI_INT, out, 2, MPI_INT, comm)) \
    ONE(allgatherv, Allgatherv, (in, 2, MPI_INT, out, counts, displs, MPI_INT, comm)) \
    ONE(alltoall, Alltoall, (in, 2, MPI_INT, out, 2, MPI_INT, comm)) \
    ONE(alltoallv, Alltoallv, (in, counts, displs, MPI_INT, out, counts, displs, MPI_INT, comm)) \
    ONE(alltoallw, Alltoallw, (in, counts, bytes, types, out, counts, bytes, types, comm)) \
    ONE(reduce, Reduce, (in, out, 2, MPI_INT, MPI_SUM, 0, comm)) \
    ONE(allreduce, Allreduce, (in, out, 2, MPI_INT, MPI_SUM, comm)) \
    ONE(iallreduce, Iallreduce, (in, out, 2, MPI_INT, MPI_SUM, comm, &request)) \
    ONE(reduce_scatter, Reduce_scatter, (in, out, counts, MPI_INT, MPI_SUM, comm)) \
    ONE(reduce_scatter_block, Reduce_scatter_block, (in, out, 2, MPI_INT, MPI_SUM, comm)) \
    ONE(scan, Scan, (in, out, 2, MPI_INT, MPI_SUM, comm)) \
    ONE(exscan, Exscan, (in, out, 2, MPI_INT, MPI_SUM, comm)) \
    ONE(bcast, Bcast, (in, 4, MPI_INT, 0, comm)) \
    ONE(ibcast, Ibcast, (in, 4, MPI_INT, 0, comm, &request))

/* What one rank sends to another one, which expects something else: two ranks are named. */
#define PAIR_FORMS(FORM) \
    FORM(gatherv_pair_count, "collective-type", Gatherv, Igatherv, (in, NUMBER, MPI_INT, out, fours(), displs, MPI_INT, 0, comm)) \
    FORM(gatherv_pair_type, "collective-type", Gatherv, Igatherv, (in, 2, SORT, out, counts, displs, SORT, 0, comm)) \
    FORM(scatterv_pair_count, "collective-type", Scatterv, Iscatterv, (in, fours(), displs, MPI_INT, out, NUMBER, MPI_INT, 0, comm)) \
    FORM(scatterv_pair_type, "collective-type", Scatterv, Iscatterv, (in, counts, displs, SORT, out, 2, SORT, 0, comm)) \
    FORM(allgatherv_pair_count, "collective-type", Allgatherv, Iallgatherv, (in, NUMBER, MPI_INT, out, fours(), displs, MPI_INT, comm)) \
    FORM(allgatherv_pair_type, "collective-type", Allgatherv, Iallgatherv, (in, 2, SORT, out, counts, displs, SORT, comm)) \
    FORM(alltoallv_pair_count, "collective-type", Alltoallv, Ialltoallv, (in, fours(), displs, MPI_INT, out, fours(), displs, MPI_INT, comm)) \
    FORM(alltoallv_pair_type, "collective-type", Alltoallv, Ialltoallv, (in, counts, displs, SORT, out, counts, displs, SORT, comm)) \
    FORM(alltoallw_pair_count, "collective-type", Alltoallw, Ialltoallw, (in, fours(), bytes, types, out, fours(), bytes, types, comm)) \
    FORM(allgatherv_pair_place, "collective-type", Allgatherv, Iallgatherv, (MPI_IN_PLACE, 0, MPI_INT, out, fours(), displs, MPI_INT, comm)) \
    FORM(alltoallv_pair_place, "collective-type", Alltoallv, Ialltoallv, (MPI_IN_PLACE, fours(), displs, MPI_INT, out, fours(), displs, MPI_INT, comm)) \
    FORM(allgatherv_pair_mixed, "collective-type", Allgatherv, Iallgatherv, (in, NUMBER, pair, out, fours(), displs, pair, comm))

static const int *other_counts(void);
static const int *fours(void);

#define DEFINE(name, id, called, nonblocking, arguments) FORMS(name, called, nonblocking, arguments)
ALL_FORMS(DEFINE)

#undef DEFINE
#if MPI_VERSION >= 4
#define DEFINE(name, id, called, nonblocking, arguments) \
    CALL(name, called, arguments) CALL(name##_nonblocking, nonblocking, (UNPACK arguments, &request)) \
    CALL(name##_persistent, called##_init, (UNPACK arguments, MPI_INFO_NULL, &request))
#else
#define DEFINE(name, id, called, nonblocking, arguments) FORMS(name, called, nonblocking, arguments)
#endif
ARRAY_FORMS(DEFINE)
PAIR_FORMS(DEFINE)

#define DEFINE_CALL(name, called, arguments) CALL(name, called, arguments)
CALLS(DEFINE_CALL)

CALL(cart_dims, Cart_create, (comm, 2, odd ? (int[]){1, size} : (int[]){size, 1}, periods, 0, &made))
CALL(cart_ndims, Cart_create, (comm, odd ? 2 : 1, (int[]){size, 1}, periods, 0, &made))
CALL(cart_periods, Cart_create, (comm, 1, dims, (int[]){odd}, 0, &made))
CALL(cart_reorder, Cart_create, (comm, 1, dims, periods, odd, &made))
CALL(graph_reorder, Graph_create, (comm, size, indices, edges, odd, &made))
CALL(graph_edges, Graph_create, (comm, size, indices, odd ? in : edges, 0, &made))
#ifdef OPEN_MPI
CALL(split_type, Comm_split_type, (comm, odd ? OMPI_COMM_TYPE_SOCKET : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made))
#elif MPI_VERSION >= 4
CALL(split_type, Comm_split_type, (comm, odd ? MPI_COMM_TYPE_HW_UNGUIDED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made))
#endif

CALL(spawn_root, Comm_spawn, ("none", MPI_ARGV_NULL, 1, MPI_INFO_NULL, odd, comm, &made, MPI_ERRCODES_IGNORE))
CALL(spawn_multiple_root, Comm_spawn_multiple, (1, commands, MPI_ARGVS_NULL, &one_process, &no_info, odd, comm, &made, MPI_ERRCODES_IGNORE))
CALL(accept_root, Comm_accept, ("none", MPI_INFO_NULL, odd, comm, &made))
CALL(connect_root, Comm_connect, ("none", MPI_INFO_NULL, odd, comm, &made))

/* clang-format on */

static const int *other_counts(void)
{
    static int others[ROOM];
    memcpy(others, counts, sizeof others);
    others[0] += odd;
    others[1] -= odd;
    return others;
}

/* What the odd rank sends, or expects, differs from what all others do. */
static const int *fours(void)
{
    static int numbers[ROOM];
    for (int i = 0; i < size; i++)
        numbers[i] = NUMBER;
    return numbers;
}

struct a_case {
    const char *name, *id;
    void (*usual)(void), (*other)(void);
};

#define ROW(name, id) {#name, id, name, name},
#if MPI_VERSION >= 4
#define ROWS(name, id, called, nonblocking, arguments)                                             \
    ROW(name, id)                                                                                  \
    ROW(name##_nonblocking, id) ROW(name##_persistent, id) ROW(name##_large, id)
#define ARRAY_ROWS(name, id, called, nonblocking, arguments)                                       \
    ROW(name, id) ROW(name##_nonblocking, id) ROW(name##_persistent, id)
#else
#define ROWS(name, id, called, nonblocking, arguments) ROW(name, id) ROW(name##_nonblocking, id)
#define ARRAY_ROWS ROWS
#endif

static const struct a_case cases[] = {
    ALL_FORMS(ROWS) ARRAY_FORMS(ARRAY_ROWS) PAIR_FORMS(ARRAY_ROWS)
        ROW(cart_dims, "collective-argument") ROW(cart_ndims, "collective-argument")
            ROW(cart_periods, "collective-argument") ROW(cart_reorder, "collective-argument")
                ROW(graph_reorder, "collective-argument") ROW(graph_edges, "collective-argument")
#if defined(OPEN_MPI) || MPI_VERSION >= 4
                    ROW(split_type, "collective-argument")
#endif
                        ROW(spawn_root, "collective-root") ROW(accept_root, "collective-root")
                            ROW(spawn_multiple_root, "collective-root")
                                ROW(connect_root, "collective-root")};

static const struct {
    const char *name;
    void (*make)(void);
} calls[] = {
#define CALL_ROW(name, called, arguments) {#name, name},
    CALLS(CALL_ROW)};

static void run(const struct a_case *one, int is_odd, int odd_last, FILE *lines)
{
    MPI_Comm_set_name(comm, one->name);
    void (*call)(void) = is_odd ? one->other : one->usual;
    /* Where the two are different calls, nothing else differs. */
    odd = is_odd && one->usual == one->other;
    swallow = 1;
    request = MPI_REQUEST_NULL;
    made = MPI_COMM_NULL;
    if (is_odd != odd_last)
        call();
    /* Those of a rank alone are not compared: they take no room from the others. */
    for (int i = 0; one == cases && i < 600; i++)
        MPI_Barrier(MPI_COMM_SELF);
    meet();
    if (is_odd == odd_last)
        call();
    swallow = 0;
    fprintf(lines, "%s %s %s %d %d\n", one->name, one->id, function, line, is_odd);
    meet();
}

static void make_types(void)
{
    const int ones[2] = {1, 1};
    const MPI_Aint places[2] = {0, 4};
    MPI_Type_create_struct(2, ones, places, (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &pair);
    MPI_Type_create_struct(2, ones, places, (MPI_Datatype[]){MPI_FLOAT, MPI_INT}, &riap);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&riap);
    MPI_Type_commit(&two);
    for (int i = 0; i < size; i++) {
        counts[i] = 2;
        displs[i] = 4 * i;
        bytes[i] = displs[i] * (int)sizeof(int);
        types[i] = MPI_INT;
        indices[i] = i + 1;
        edges[i] = i;
    }
    dims[0] = size;
}

static void add(void *from, void *to, int *length, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int *)to)[i] += ((int *)from)[i];
}

int main(int argc, char **argv)
{
    char name[32];
    MPI_Init(&argc, &argv);
    begin();
    const int is_odd = argc > 1 && atoi(argv[1]) == rank;
    const int odd_last = argc > 2 && strcmp(argv[2], "last") == 0;
    snprintf(name, sizeof name, "lines.%d", rank);
    FILE *lines = fopen(name, "w");
    make_types();
    MPI_Op_create(add, 1, &own);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run(&cases[i], is_odd, odd_last, lines);
    MPI_Comm_free(&comm);
    enum { CALL_COUNT = sizeof calls / sizeof *calls };
    for (size_t i = 0; i < CALL_COUNT; i++) {
        const size_t next = (i + 1) % CALL_COUNT;
        snprintf(name, sizeof name, "%s-not", calls[i].name);
        /* Only one wrong order is reported for each communicator. */
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        const struct a_case one = {name, "collective-call", calls[i].make, calls[next].make};
        run(&one, is_odd, odd_last, lines);
        if (i == 0)
            run(&one, is_odd, odd_last, lines); /* not told again */
        MPI_Comm_free(&comm);
    }
    fclose(lines);
    MPI_Op_free(&own);
    MPI_Type_free(&pair);
    MPI_Type_free(&riap);
    MPI_Type_free(&two);
    MPI_Finalize();
    return 0;
}
