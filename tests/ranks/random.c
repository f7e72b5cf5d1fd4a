/*
 * Random collective calls on random communicators, one seed in all ranks; each rank has its own datatypes of the
 * same signature. In one of WRONG calls one rank passes something else: that call reaches MPI in no rank (swallow.py).
 *
 *     random SEED CALLS WRONG         WRONG = 0: none
 *
 * Each rank writes how often it was the wrong one into put-in.RANK: ID NUMBER.
 */
#include "common.h"

#include <stdint.h>

extern int swallow;

enum { COMMS = 6 };
enum { NONE, CALL, ROOT, OP, TYPE, PLACE, ARGUMENT, KINDS };
static const char *const ids[KINDS] = {
    [CALL] = "collective-call",      [ROOT] = "collective-root",
    [OP] = "collective-op",          [TYPE] = "collective-type",
    [PLACE] = "collective-in-place", [ARGUMENT] = "collective-argument"};
static long put_in[KINDS];

/* The same numbers in all ranks. */
static uint64_t common;
/* Other ones in each. */
static uint64_t own;

static int draw(uint64_t *state, int below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (int)(*state >> 33) % below;
}

struct ranks {
    MPI_Comm comm;
    int rank, size;
    int color; /* of this rank's communicator among those of one MPI_Comm_split */
};
static struct ranks comms[COMMS];

static int in[ROOM * 8], out[ROOM * 8], counts[ROOM];
static MPI_Datatype two, holes, pair, pairs;

static void make_comm(struct ranks *made, int way)
{
    made->color = 0;
    if (way == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &made->comm);
    } else if (way == 1) {
        made->color = rank % 2;
        MPI_Comm_split(MPI_COMM_WORLD, made->color, -rank, &made->comm);
    } else {
        MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){way}, 0, &made->comm);
    }
    MPI_Comm_rank(made->comm, &made->rank);
    MPI_Comm_size(made->comm, &made->size);
}

static void make_types(void)
{
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_vector(2, 1, 2, MPI_INT, &holes);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4},
                           (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &pair);
    MPI_Type_contiguous(2, pair, &pairs);
    MPI_Type_commit(&two);
    MPI_Type_commit(&holes);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&pairs);
}

/* 2 * units integers, or of pairs, in a way of this rank's own. */
static int choose(int units, int mixed, MPI_Datatype *type)
{
    const int way = draw(&own, 3);
    *type = mixed ? (way ? pairs : pair) : (MPI_Datatype[]){MPI_INT, two, holes}[way];
    return way ? units : 2 * units;
}

/* --- calls with a count for each rank ------------------------------------------------------ */

enum { GATHERV = 10, SCATTERV, ALLGATHERV, ALLTOALLV, ALLTOALLW, FUNCTIONS };

/* How many units one rank of a communicator sends to another one; the same in all ranks. */
static uint64_t drawn;
static int units_from(int from, int to, int function)
{
    uint64_t hash =
        drawn ^ ((uint64_t)from << 8) ^ (function == ALLGATHERV ? 0 : (uint64_t)to << 20);
    hash *= UINT64_C(0x9E3779B97F4A7C15);
    return (int)(hash >> 40) % 5;
}

/* What this rank sends to, or receives from, each. */
struct side {
    int counts[ROOM], displs[ROOM], bytes[ROOM];
    MPI_Datatype type, types[ROOM];
};

/* `more`: one more for that rank than is right, or another basic datatype; -1: for none. */
static void fill_side(struct side *side, const struct ranks *at, int sends, int function, int more)
{
    int end = 0, far = 0;
    const int two_of_one = choose(1, 0, &side->type);
    for (int i = 0; i < at->size; i++) {
        const int units = units_from(sends ? at->rank : i, sends ? i : at->rank, function);
        side->counts[i] = (units + (i == more)) * two_of_one;
        side->displs[i] = end;
        end += side->counts[i] + draw(&own, 2);
        side->bytes[i] = far;
        far += 16 * (int)sizeof(int);
        side->types[i] = side->type;
        if (function == ALLTOALLW)
            side->counts[i] = choose(units + (i == more), 0, &side->types[i]);
    }
}

/* `wrong`: this rank sends or receives one too many; the data of `from` is MPI_IN_PLACE, or not. */
static void call_by_counts(const struct ranks *at, int function, int wrong, void *from, int root)
{
    struct side sent, received;
    const int me = at->rank, other = (me + 1) % at->size;
    const int leaf = wrong && function == SCATTERV && me != root ? root : -1;
    fill_side(&sent, at, 1, function,
              !wrong || leaf >= 0      ? -1
              : function == GATHERV    ? root
              : function == ALLGATHERV ? me
                                       : other);
    fill_side(&received, at, 0, function, leaf);
    switch (function) {
    case GATHERV:
        MPI_Gatherv(in, sent.counts[root], sent.type, out, received.counts, received.displs,
                    received.type, root, at->comm);
        break;
    case SCATTERV:
        MPI_Scatterv(in, sent.counts, sent.displs, sent.type, out, received.counts[root],
                     received.type, root, at->comm);
        break;
    case ALLGATHERV:
        MPI_Allgatherv(from, sent.counts[me], sent.type, out, received.counts, received.displs,
                       received.type, at->comm);
        break;
    case ALLTOALLV:
        MPI_Alltoallv(from, sent.counts, sent.displs, sent.type, out, received.counts,
                      received.displs, received.type, at->comm);
        break;
    default:
        MPI_Alltoallw(from, sent.counts, sent.bytes, sent.types, out, received.counts,
                      received.bytes, received.types, at->comm);
    }
}

/* One call; `odd`: this rank is the one that is wrong, in what `kind` says. */
static void call(const struct ranks *at, int function, int kind, int odd, int units, int root)
{
    MPI_Datatype type;
    const int mixed = function < 3 && units % 3 == 0;
    int count = choose(units, mixed, &type);
    MPI_Op op = MPI_SUM;
    void *from = in;
    MPI_Request request;
    if (odd && kind == ROOT)
        root = (root + 1) % at->size;
    if (odd && kind == OP)
        op = MPI_MAX;
    if (odd && kind == TYPE)
        type = MPI_CHAR;
    if (odd && kind == PLACE)
        from = MPI_IN_PLACE;
    if (odd && kind == CALL)
        function = -1;
    const MPI_Datatype basic = odd && kind == TYPE ? MPI_FLOAT : MPI_INT;
    switch (function) {
    case -1:
        MPI_Barrier(at->comm);
        break;
    case 0:
        MPI_Bcast(out, count, type, root, at->comm);
        break;
    case 1:
        MPI_Ibcast(out, count, type, root, at->comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Gather(in, count, type, out, count, type, root, at->comm);
        break;
    case 3:
        MPI_Scatter(in, count, type, out, count, type, root, at->comm);
        break;
    case 4:
        MPI_Reduce(in, out, units, basic, op, root, at->comm);
        break;
    case 5:
        MPI_Allreduce(from, out, units, basic, op, at->comm);
        break;
    case 6:
        MPI_Allgather(from, count, type, out, count, type, at->comm);
        break;
    case 7:
        MPI_Alltoall(from, count, type, out, count, type, at->comm);
        break;
    case 8:
        MPI_Scan(in, out, units, basic, op, at->comm);
        break;
    case 9:
        for (int i = 0; i < at->size; i++)
            counts[i] = units + (odd && kind == ARGUMENT && i == 0);
        MPI_Reduce_scatter(in, out, counts, basic, op, at->comm);
        break;
    default:
        call_by_counts(at, function, odd && kind == TYPE, from, root);
    }
}

static int can_be(int function, int kind)
{
    switch (kind) {
    case ROOT:
        return function <= 4 || function == GATHERV || function == SCATTERV;
    case OP:
        return function == 4 || function == 5 || function == 8 || function == 9;
    case PLACE:
        return (function >= 5 && function <= 7) || function >= ALLGATHERV;
    case ARGUMENT:
        return function == 9;
    default:
        return 1;
    }
}

static void step(int wrong)
{
    struct ranks *at = &comms[draw(&common, COMMS)], fresh;
    int function = draw(&common, FUNCTIONS);
    const int units = 1 + draw(&common, 5);
    drawn = common;
    int kind = wrong && draw(&common, wrong) == 0 ? 1 + draw(&common, KINDS - 1) : NONE;
    const int odd_one = draw(&common, size);
    if (!can_be(function, kind))
        kind = NONE;
    if (function == 1 && kind != NONE) /* it would stay pending */
        function = 0;
    if (kind == CALL) { /* nothing of that communicator is compared afterwards */
        make_comm(&fresh, 0);
        at = &fresh;
    }
    /* A rank alone in its communicator is wrong nowhere; of the others of a split only one is. */
    const int members = kind ? at->size : 0;
    const int root = draw(&common, 64) % at->size;
    const int is_odd = kind && odd_one == rank;
    if (draw(&own, 500) == 0)
        usleep((useconds_t)draw(&own, 2000));
    swallow = kind != 0;
    call(at, function, kind, is_odd && members > 1, units, root);
    swallow = 0;
    /* A rank that ran ahead would lose what it has left of this call: it would be counted as not compared. */
    if (kind)
        meet();
    if (is_odd && members > 1)
        put_in[kind]++;
    if (kind == CALL)
        MPI_Comm_free(&fresh.comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    common =
        (uint64_t)strtoull(argc > 1 ? argv[1] : "1", NULL, 10) * 2654435761u + 88172645463325252u;
    own = common + 77 * (uint64_t)(rank + 1);
    const long calls = argc > 2 ? atol(argv[2]) : 1000;
    const int wrong = argc > 3 ? atoi(argv[3]) : 0;
    make_types();
    for (int i = 0; i < COMMS; i++)
        make_comm(&comms[i], i % 4 > 2 ? 2 : i % 4);
    for (long i = 0; i < calls; i++)
        step(wrong);
    char name[32];
    snprintf(name, sizeof name, "put-in.%d", rank);
    FILE *file = fopen(name, "w");
    for (int kind = 1; kind < KINDS; kind++)
        fprintf(file, "%s %ld\n", ids[kind], put_in[kind]);
    fclose(file);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&comms[i].comm);
    MPI_Type_free(&two);
    MPI_Type_free(&holes);
    MPI_Type_free(&pair);
    MPI_Type_free(&pairs);
    MPI_Finalize();
    return 0;
}
