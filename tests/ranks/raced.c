/*
 * Receives from any source, one case a run, on three ranks: a marked one could have got the message of another rank as well
 * (match-race). Those that are not marked get only one message, in whatever order things happen.
 *
 *     raced CASE [SEED]
 */
#include "common.h"

#include <stdint.h>

static MPI_Comm world;
static MPI_Request request;
static MPI_Status status;
static int data[4];

enum { TAG = 7, TELL = 1 };

static void put(int to, int tag)
{
    MPI_Send(&rank, 1, MPI_INT, to, tag, world);
}

static void get(int from, int tag)
{
    MPI_Recv(data, 1, MPI_INT, from, tag, world, &status);
}

#define POST_ANY(data_, request_) MPI_Irecv(data_, 1, MPI_INT, MPI_ANY_SOURCE, TAG, world, request_)
#define INIT_ANY(data_, request_)                                                                  \
    MPI_Recv_init(data_, 1, MPI_INT, MPI_ANY_SOURCE, TAG, world, request_)
#define SWAP_ANY(to_)                                                                              \
    MPI_Sendrecv(&rank, 1, MPI_INT, to_, TELL, data, 1, MPI_INT, MPI_ANY_SOURCE, TAG, world,       \
                 &status)
#define GET_ANY_OF(comm_) MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, TAG, comm_, &status)
#define GET_ANY(tag_) MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, tag_, world, &status)

/* --- races ---------------------------------------------------------------------------------- */

static void blocking(void)
{
    if (rank == 0) {
        GET_ANY(TAG); /* match-race (blocking) */
        GET_ANY(TAG);
    } else {
        put(0, TAG);
    }
}

/* The second receive depends on which message the first has got. */
static void then_named(void)
{
    if (rank == 0) {
        GET_ANY(TAG); /* match-race (then_named) */
        get(3 - status.MPI_SOURCE, TAG);
    } else {
        put(0, TAG);
    }
}

static void any_tag(void)
{
    if (rank == 0) {
        GET_ANY(MPI_ANY_TAG); /* match-race (any_tag) */
        GET_ANY(3 - status.MPI_TAG);
    } else {
        put(0, rank);
    }
}

static void nonblocking(void)
{
    MPI_Request both[2];
    if (rank == 0) {
        POST_ANY(&data[0], &both[0]); /* match-race (nonblocking) */
        POST_ANY(&data[1], &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    } else {
        MPI_Isend(&rank, 1, MPI_INT, 0, TAG, world, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void tested(void)
{
    for (int i = 0, is_done = 0; rank == 0 && i < 2; i++, is_done = 0) {
        POST_ANY(data, &request); /* match-race (tested) */
        while (!is_done)
            MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    }
    if (rank != 0)
        put(0, TAG);
}

static void persistent(void)
{
    if (rank == 0)
        INIT_ANY(data, &request); /* match-race (persistent) */
    else
        MPI_Ssend_init(&rank, 1, MPI_INT, 0, TAG, world, &request);
    for (int i = 0; i < (rank == 0 ? 2 : 1); i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

static void both_ways(void)
{
    if (rank == 0) {
        SWAP_ANY(1); /* match-race (both_ways) */
        get(3 - status.MPI_SOURCE, TAG);
    } else {
        if (rank == 1)
            get(0, TELL);
        put(0, TAG);
    }
}

/* The sends are ordered. Their messages are not. */
static void ordered_sends(void)
{
    if (rank == 0) {
        GET_ANY(TAG); /* match-race (ordered_sends) */
        GET_ANY(TAG);
    } else if (rank == 1) {
        put(0, TAG);
        put(2, TELL);
    } else {
        get(1, TELL);
        put(0, TAG);
    }
}

/* Rank 2 need not wait for rank 0 in MPI_Gather. */
static void gathered(void)
{
    int all[3];
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0)
        GET_ANY(TAG);   /* match-race (gathered) */
    else if (rank == 1) /* MPI_Send may wait for a receive after MPI_Gather */
        MPI_Isend(&rank, 1, MPI_INT, 0, TAG, world, &request);
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, world);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        get(3 - status.MPI_SOURCE, TAG);
    else if (rank == 2)
        put(0, TAG);
}

/* The other message is never received. */
static void lost(void)
{
    if (rank == 0)
        GET_ANY(TAG); /* match-race (lost) */
    else
        put(0, TAG);
}

static void own(void)
{
    if (rank == 0) {
        MPI_Isend(&rank, 1, MPI_INT, 0, TAG, world, &request);
        GET_ANY(TAG); /* match-race (own) */
        GET_ANY(TAG);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        put(0, TAG);
    }
}

/* Rank 0 waits for ever: it needs both messages of one rank, and has got one of each. */
static void hang(void)
{
    if (rank == 0) {
        GET_ANY(TAG); /* match-race (hang) */
        meet();
        get(status.MPI_SOURCE, TAG);
    } else {
        put(0, TAG);
        meet();
    }
}

static void reversed(void)
{
    int own_rank;
    MPI_Comm back;
    MPI_Comm_split(world, 0, -rank, &back);
    MPI_Comm_rank(back, &own_rank);
    if (own_rank == 0) {
        GET_ANY_OF(back); /* match-race (reversed) */
        GET_ANY_OF(back);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, TAG, back);
    }
    MPI_Comm_free(&back);
}

/* A probe takes no message, but it decides which rank is served first. */
static void probed(void)
{
    for (int i = 0; rank == 0 && i < 2; i++) {
        MPI_Probe(MPI_ANY_SOURCE, TAG, world, &status); /* match-race (probed) */
        get(status.MPI_SOURCE, TAG);
    }
    if (rank != 0)
        put(0, TAG);
}

static void polled(void)
{
    int is_there = 0;
    MPI_Status *ignore = MPI_STATUS_IGNORE;
    if (rank != 0) {
        put(0, TAG);
        return;
    }
    while (!is_there)
        MPI_Iprobe(MPI_ANY_SOURCE, TAG, world, &is_there, ignore); /* match-race (polled) */
    get(1, TAG);
    get(2, TAG);
}

static void mprobed(void)
{
    MPI_Message message;
    for (int i = 0; rank == 0 && i < 2; i++) {
        MPI_Mprobe(MPI_ANY_SOURCE, TAG, world, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(data, 1, MPI_INT, &message, MPI_STATUS_IGNORE); /* match-race (mprobed) */
    }
    if (rank != 0)
        put(0, TAG);
}

/* --- none ----------------------------------------------------------------------------------- */

static void named(void)
{
    if (rank == 0) {
        get(2, TAG);
        get(1, TAG);
    } else {
        put(0, TAG);
    }
}

static void tagged(void)
{
    if (rank == 0) {
        GET_ANY(2);
        GET_ANY(1);
    } else {
        put(0, rank);
    }
}

static void communicators(void)
{
    MPI_Comm other;
    MPI_Comm_dup(world, &other);
    if (rank == 0) {
        GET_ANY_OF(other);
        GET_ANY(TAG);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, TAG, rank == 1 ? world : other);
    }
    MPI_Comm_free(&other);
}

/* The message of rank 2 belongs to the receive that was posted before. */
static void posted(void)
{
    if (rank == 0) {
        MPI_Irecv(&data[1], 1, MPI_INT, 2, TAG, world, &request);
        GET_ANY(TAG);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        put(0, TAG);
    }
}

/* A receive is complete when the rank has learnt that it is, before the request is. */
static void asked(void)
{
    int is_done = 0;
    if (rank == 0) {
        POST_ANY(&data[1], &request);
        while (!is_done)
            MPI_Request_get_status(request, &is_done, &status);
        put(2, TELL);
        GET_ANY(TAG);
        MPI_Wait(&request, &status);
    } else {
        if (rank == 2)
            get(0, TELL);
        put(0, TAG);
    }
}

/* Right probes: of a named rank; of a tag that only one rank uses; of any source, where the other rank
 * sends only after it was told that the probe has its message. */
static void probed_one(void)
{
    MPI_Message message;
    if (rank == 0) {
        MPI_Probe(2, TAG, world, &status);
        get(2, TAG);
        get(1, TAG);
        MPI_Probe(MPI_ANY_SOURCE, 1, world, &status);
        get(1, 1);
        MPI_Mprobe(MPI_ANY_SOURCE, 2, world, &message, &status);
        MPI_Mrecv(data, 1, MPI_INT, &message, &status);
        MPI_Probe(MPI_ANY_SOURCE, TAG, world, &status);
        put(2, TELL);
        get(1, TAG);
        GET_ANY(TAG);
    } else {
        put(0, TAG);
        put(0, rank);
        if (rank == 2)
            get(0, TELL);
        put(0, TAG);
    }
}

/* MPI_Ssend returns once the message is received: a synchronous send is an answer. */
static void answered(void)
{
    if (rank == 0) {
        GET_ANY(TAG);
        GET_ANY(TAG);
    } else if (rank == 1) {
        MPI_Ssend(&rank, 1, MPI_INT, 0, TAG, world);
        put(2, TELL);
    } else {
        get(1, TELL);
        put(0, TAG);
    }
}

static void exposed(void)
{
    MPI_Win win;
    MPI_Group all, other;
    MPI_Win_create(data, sizeof data, sizeof *data, MPI_INFO_NULL, world, &win);
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, (int[]){2 - rank}, &other);
    if (rank == 0) {
        GET_ANY(TAG);
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
        GET_ANY(TAG);
    } else if (rank == 1) {
        put(0, TAG);
    } else {
        MPI_Win_start(other, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_complete(win);
        put(0, TAG);
    }
    MPI_Group_free(&other);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
}

/* --- random rounds: in each a rank receives from any source, and something orders the next round after it. ----------- */

static uint64_t state;

static int draw(int most)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (unsigned)most);
}

static void receive_any(void)
{
    int is_done = 0;
    switch (draw(4)) {
    case 0:
        GET_ANY(TAG);
        break;
    case 1:
        GET_ANY(MPI_ANY_TAG);
        break;
    case 2:
        POST_ANY(data, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    default:
        POST_ANY(data, &request);
        while (!is_done)
            MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    }
}

/* All ranks learn that rank `from` is here. */
static void order(int from)
{
    int all[64];
    switch (draw(6)) {
    case 0:
        MPI_Barrier(world);
        break;
    case 1:
        MPI_Bcast(data, 1, MPI_INT, from, world);
        break;
    case 2:
        MPI_Allreduce(&rank, data, 1, MPI_INT, MPI_MAX, world);
        break;
    case 3:
        MPI_Ibarrier(world, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 4:
        MPI_Scatter(all, 1, MPI_INT, data, 1, MPI_INT, from, world);
        break;
    default: /* from one to the next */
        if (rank != from)
            get((rank + size - 1) % size, TELL);
        if ((rank + 1) % size != from)
            put((rank + 1) % size, TELL);
    }
}

/* With a wrong one: nothing orders it before the next one, in which another rank sends to the same one. */
static void run_rounds(int wrong)
{
    int to = 0, from = 1;
    for (int i = 0; i < 500; i++) {
        if (i == wrong) {
            if (rank == 0)
                GET_ANY(TAG); /* match-race (unordered) */
            else if (rank == 1)
                put(0, TAG);
            to = 0, from = 2;
        } else {
            to = draw(size), from = (to + 1 + draw(size - 1)) % size;
        }
        if (rank == to)
            receive_any();
        else
            draw(4);
        if (rank == from)
            put(to, TAG);
        order(to);
    }
}

static void rounds(void)
{
    run_rounds(-1);
}

static void unordered(void)
{
    run_rounds(300);
}

#define CASE(name_) {#name_, name_}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {CASE(blocking), CASE(then_named), CASE(any_tag),   CASE(nonblocking),
             CASE(tested),   CASE(persistent), CASE(both_ways), CASE(ordered_sends),
             CASE(gathered), CASE(lost),       CASE(own),       CASE(hang),
             CASE(probed),   CASE(polled),     CASE(mprobed),   CASE(probed_one),
             CASE(reversed), CASE(named),      CASE(tagged),    CASE(communicators),
             CASE(posted),   CASE(asked),      CASE(answered),  CASE(exposed),
             CASE(rounds),   CASE(unordered)};

int main(int argc, char **argv)
{
    int is_known = 0;
    MPI_Init(&argc, &argv);
    begin();
    world = MPI_COMM_WORLD;
    state = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            is_known = 1;
            cases[i].run();
        }
    MPI_Finalize();
    return !is_known;
}
