/*
 * A message and a collective call in different orders in two ranks, which pass because MPI does not wait where it may;
 * and ones that are right.
 *
 *     beyond CASE
 *     beyond random SEED STEPS WRONG     one of WRONG steps is in different orders; WRONG = 0: none. Each rank writes
 *                                        how many of its receives are to be reported into put-in.RANK: ID NUMBER
 */
#include "common.h"

enum { TAG = 7 };

static int data, other;

static void spread(int root)
{
    MPI_Bcast(&other, 1, MPI_INT, root, MPI_COMM_WORLD);
}

static void spread_waiting(int root)
{
    MPI_Request request;
    MPI_Ibcast(&other, 1, MPI_INT, root, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collect(int root)
{
    int all[ROOM];
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
}

static void put(int to)
{
    MPI_Send(&rank, 1, MPI_INT, to, TAG, MPI_COMM_WORLD);
}

static void get(int from)
{
    MPI_Recv(&data, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void post(int from, MPI_Request *posted)
{
    MPI_Irecv(&data, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, posted);
}

static void finish(MPI_Request *posted)
{
    MPI_Wait(posted, MPI_STATUS_IGNORE);
}

/* --- different orders ------------------------------------------------------------------------ */

static void call_first(void)
{
    if (rank == 1)
        get(0);
    spread(0);
    if (rank == 0)
        put(1);
}

static void request_first(void)
{
    MPI_Request request;
    if (rank == 1) {
        post(0, &request);
        finish(&request);
    }
    spread_waiting(0);
    if (rank == 0)
        MPI_Ssend(&rank, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
}

static void send_first(void)
{
    if (rank == 0)
        put(1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        get(0);
}

static void on_copy(void)
{
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 0) {
        MPI_Bcast(&other, 1, MPI_INT, 0, copy);
        MPI_Send(&rank, 1, MPI_INT, 1, TAG, copy);
    } else {
        if (rank == 1)
            MPI_Recv(&data, 1, MPI_INT, 0, MPI_ANY_TAG, copy, MPI_STATUS_IGNORE);
        MPI_Bcast(&other, 1, MPI_INT, 0, copy);
    }
    MPI_Comm_free(&copy);
}

/* --- right ----------------------------------------------------------------------------------- */

static void posted_before(void)
{
    MPI_Request request;
    if (rank == 1)
        post(0, &request);
    spread(0);
    if (rank == 0)
        put(1);
    if (rank == 1)
        finish(&request);
}

static void started_before(void)
{
    MPI_Request request;
    MPI_Ibcast(&other, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (rank == 0) {
        put(1);
        finish(&request);
    } else {
        finish(&request);
        if (rank == 1)
            get(0);
    }
}

static void waits_later(void)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Isend(&rank, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        get(0);
    if (rank == 0)
        finish(&request);
}

/* Whether the message is there or not, the rank goes on. */
static void tests(void)
{
    MPI_Request request;
    int is_done = 0;
    if (rank == 1) {
        post(0, &request);
        for (int i = 0; i < 1000 && !is_done; i++) {
            usleep(1000);
            MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        }
    }
    spread(0);
    if (rank == 0)
        put(1);
    if (rank == 1 && !is_done)
        finish(&request);
}

static void probes(void)
{
    int is_there = 0;
    for (int i = 0; rank == 1 && i < 1000 && !is_there; i++) {
        usleep(1000);
        MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    }
    if (is_there)
        get(0);
    spread(0);
    if (rank == 0)
        put(1);
    if (rank == 1 && !is_there)
        get(0);
}

static void probes_matched(void)
{
    MPI_Message message = MPI_MESSAGE_NULL;
    int is_there = 0;
    for (int i = 0; rank == 1 && i < 1000 && !is_there; i++) {
        usleep(1000);
        MPI_Improbe(0, TAG, MPI_COMM_WORLD, &is_there, &message, MPI_STATUS_IGNORE);
    }
    if (is_there)
        MPI_Mrecv(&data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    spread(0);
    if (rank == 0)
        put(1);
    if (rank == 1 && !is_there)
        get(0);
}

/* The first message could be that of rank 2. */
static void any(void)
{
    if (rank == 1)
        get(MPI_ANY_SOURCE);
    spread(0);
    if (rank == 0 || rank == 2)
        put(1);
    if (rank == 1)
        get(MPI_ANY_SOURCE);
}

static void other_comm(void)
{
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &half);
    if (rank == 0)
        MPI_Bcast(&other, 1, MPI_INT, 0, half);
    if (rank == 0)
        put(1);
    if (rank == 1)
        get(0);
    if (rank != 0)
        MPI_Bcast(&other, 1, MPI_INT, 0, half);
    MPI_Comm_free(&half);
}

/* --- random ---------------------------------------------------------------------------------- */

static unsigned draw(unsigned below) /* the same in all ranks */
{
    return (unsigned)(random() >> 4) % below;
}

/* How a rank sends, and how it receives. */
static void put_somehow(int to, unsigned how)
{
    MPI_Request request;
    if (how == 0) {
        put(to);
    } else if (how == 1) {
        MPI_Ssend(&rank, 1, MPI_INT, to, TAG, MPI_COMM_WORLD);
    } else {
        MPI_Isend(&rank, 1, MPI_INT, to, TAG, MPI_COMM_WORLD, &request);
        finish(&request);
    }
}

static void get_somehow(int from, unsigned how)
{
    MPI_Request request;
    if (how == 0) {
        get(from);
    } else {
        post(from, &request);
        finish(&request);
    }
}

static void spread_somehow(int root, unsigned how)
{
    if (how == 0)
        spread(root);
    else
        spread_waiting(root);
}

struct step {
    int from, to;
    unsigned sends, receives, spreads;
};

static void right_step(const struct step *step, unsigned kind)
{
    MPI_Request request;
    if (kind == 0)
        spread_somehow(step->from, step->spreads);
    if (rank == step->to && kind == 1) { /* the receive is posted before the collective call */
        post(step->from, &request);
    }
    if (kind == 1)
        spread_somehow(step->from, step->spreads);
    if (rank == step->from)
        put_somehow(step->to, step->sends);
    if (rank == step->to && kind == 1)
        finish(&request);
    else if (rank == step->to)
        get_somehow(step->from, step->receives);
    if (kind == 2)
        spread_somehow(step->from, step->spreads);
}

static void wrong_step(const struct step *step, unsigned kind)
{
    if (kind == 0) {
        if (rank == step->to)
            get_somehow(step->from, step->receives);
        collect(step->to); /* only its root waits in both MPIs */
        if (rank == step->from)
            put_somehow(step->to, step->sends);
    } else {
        if (rank == step->from)
            put(step->to);
        spread(step->to);
        if (rank == step->to)
            get_somehow(step->from, step->receives);
    }
}

static void run_random(unsigned seed, int steps, unsigned wrong)
{
    int put_in = 0;
    char name[32];
    srandom(seed);
    for (int i = 0; i < steps; i++) {
        struct step step = {.from = (int)draw((unsigned)size),
                            .sends = draw(3),
                            .receives = draw(2),
                            .spreads = draw(2)};
        const unsigned kind = draw(3);
        step.to = (step.from + 1 + (int)draw((unsigned)size - 1)) % size;
        if (wrong && draw(wrong) == 0) {
            wrong_step(&step, kind % 2);
            put_in += rank == step.to;
        } else {
            right_step(&step, kind);
        }
    }
    snprintf(name, sizeof name, "put-in.%d", rank);
    FILE *file = fopen(name, "w");
    fprintf(file, "deadlock-potential %d\n", put_in);
    fclose(file);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
#define CASE(name) {#name, name}
        CASE(call_first),    CASE(request_first),  CASE(send_first),  CASE(on_copy),
        CASE(posted_before), CASE(started_before), CASE(waits_later), CASE(tests),
        CASE(probes),        CASE(probes_matched), CASE(any),         CASE(other_comm),
    };
    MPI_Init(&argc, &argv);
    begin();
    if (argc == 5 && strcmp(argv[1], "random") == 0)
        run_random((unsigned)atoi(argv[2]), atoi(argv[3]), (unsigned)atoi(argv[4]));
    for (size_t i = 0; argc == 2 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            cases[i].run();
    MPI_Finalize();
    return 0;
}
