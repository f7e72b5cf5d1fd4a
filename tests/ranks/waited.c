/*
 * Nonblocking sends that the ranks wait for, each to the next rank: those of the first cases only pass because MPI buffers
 * them, the others are right.
 *
 *     waited CASE
 */
#include "common.h"

enum { TAG = 7, BACK = 8 };

static MPI_Request request, other;
static int data, next, previous;

static void start(int to, int tag, MPI_Request *started)
{
    MPI_Isend(&rank, 1, MPI_INT, to, tag, MPI_COMM_WORLD, started);
}

static void finish(MPI_Request *started)
{
    MPI_Wait(started, MPI_STATUS_IGNORE);
}

static void put(int to, int tag)
{
    start(to, tag, &request);
    finish(&request);
}

static void get(int from, int tag)
{
    MPI_Recv(&data, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void post(MPI_Request *posted)
{
    MPI_Irecv(&data, 1, MPI_INT, previous, TAG, MPI_COMM_WORLD, posted);
}

/* --- only buffers let them pass ------------------------------------------------------------ */

static void ring(void)
{
    put(next, TAG);
    get(previous, TAG);
}

static void both_ways(void)
{
    MPI_Request both[2];
    start(next, TAG, &both[0]);
    start(previous, BACK, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    get(previous, TAG);
    get(next, BACK);
}

static void mixed(void)
{
    if (rank == 0)
        put(next, TAG);
    else
        MPI_Send(&rank, 1, MPI_INT, next, TAG, MPI_COMM_WORLD);
    get(previous, TAG);
}

static void repeated(void)
{
    MPI_Send_init(&rank, 1, MPI_INT, next, TAG, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&request);
        finish(&request);
        get(previous, TAG);
    }
    MPI_Request_free(&request);
}

static void posted_late(void)
{
    put(next, TAG);
    post(&other);
    finish(&other);
}

/* --- right --------------------------------------------------------------------------------- */

static void waits_later(void)
{
    start(next, TAG, &request);
    get(previous, TAG);
    finish(&request);
}

static void posted_before(void)
{
    post(&other);
    put(next, TAG);
    finish(&other);
}

static void tests(void)
{
    int is_done = 0;
    start(next, TAG, &request);
    post(&other);
    while (!is_done)
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    finish(&other);
}

static void any(void)
{
    MPI_Request both[2];
    int which;
    post(&both[0]);
    start(next, TAG, &both[1]);
    for (int i = 0; i < 2; i++)
        MPI_Waitany(2, both, &which, MPI_STATUS_IGNORE);
}

static void one_receives_first(void)
{
    for (int i = 0; i < 50; i++) {
        if (rank == 0)
            get(previous, TAG);
        put(next, TAG);
        if (rank != 0)
            get(previous, TAG);
    }
}

static void buffered(void)
{
    char room[1000];
    void *detached;
    int bytes;
    MPI_Buffer_attach(room, sizeof room);
    MPI_Ibsend(&rank, 1, MPI_INT, next, TAG, MPI_COMM_WORLD, &request);
    finish(&request);
    get(previous, TAG);
    MPI_Buffer_detach(&detached, &bytes);
}

static void answers(void)
{
    for (int i = 0; i < 200; i++)
        if (rank == 0) {
            const int to = 1 + i % (size - 1);
            put(to, TAG);
            get(MPI_ANY_SOURCE, BACK);
        } else if (1 + i % (size - 1) == rank) {
            get(0, TAG);
            put(0, BACK);
        }
}

static void pipeline(void)
{
    for (int i = 0; i < 200; i++) {
        if (rank > 0)
            get(previous, TAG);
        if (rank < size - 1)
            put(next, TAG);
    }
}

#define CASE(name_) {#name_, name_}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {CASE(ring),        CASE(both_ways),          CASE(mixed),         CASE(repeated),
             CASE(posted_late), CASE(waits_later),        CASE(posted_before), CASE(tests),
             CASE(any),         CASE(one_receives_first), CASE(buffered),      CASE(answers),
             CASE(pipeline)};

int main(int argc, char **argv)
{
    int is_known = 0;
    MPI_Init(&argc, &argv);
    begin();
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            is_known = 1;
            cases[i].run();
        }
    MPI_Finalize();
    return !is_known;
}
