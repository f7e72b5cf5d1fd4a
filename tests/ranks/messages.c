/*
 * Random messages on random communicators, one seed in all ranks: all sorts of sends and receives, with wildcards,
 * cancelled receives, messages that are probed first, and datatypes of many shapes. One of WRONG receives names other
 * basic types than its message has.
 *
 *     messages SEED ROUNDS WRONG         WRONG = 0: none
 *
 * A message begins with a number that says of which sort its elements are: so each rank knows which receive was wrong,
 * whatever message it has got. Each writes how many there were into put-in.RANK: match-type NUMBER.
 */
#include "common.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    COMMS = 4,
    MOST_MESSAGES = 60,
    MOST_PAIRS = 10000,
    INTS = 4 * MOST_PAIRS,
    TAGS = 3,
    EAGER = 100
};
enum { INTEGERS, FLOATS, INTEGER_FLOAT, FLOAT_INTEGER, SORTS, SHAPES = 3 };

static struct ranks {
    MPI_Comm comm;
    int rank, peers; /* own rank; how many can be sent to */
} comms[COMMS];
static MPI_Comm apart; /* where no receive of a round takes its messages */

static uint64_t common, own; /* the same numbers in all ranks, and other ones in each */
static long put_in, wrong_share;
static MPI_Datatype types[SORTS][SHAPES];

static int draw(uint64_t *state, int below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (int)(*state >> 33) % below;
}

static void make_comms(void)
{
    comms[0].comm = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &apart);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1].comm);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[2].comm);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &comms[3].comm);
    MPI_Comm_free(&half);
    for (int i = 0; i < COMMS; i++) {
        MPI_Comm_rank(comms[i].comm, &comms[i].rank);
        MPI_Comm_size(comms[i].comm, &comms[i].peers);
    }
    MPI_Comm_remote_size(comms[3].comm, &comms[3].peers);
}

/* Each has two elements. */
static void make_types(void)
{
    const MPI_Datatype basic[2] = {MPI_INT, MPI_FLOAT};
    for (int sort = 0; sort < SORTS; sort++) {
        MPI_Datatype *made = types[sort];
        if (sort < INTEGER_FLOAT) {
            MPI_Type_contiguous(2, basic[sort], &made[0]);
        } else {
            MPI_Datatype both[2] = {basic[sort == FLOAT_INTEGER], basic[sort != FLOAT_INTEGER]};
            MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, both, &made[0]);
        }
        MPI_Type_create_resized(made[0], 0, 16, &made[1]);
        MPI_Type_create_hvector(1, 1, 64, made[0], &made[2]);
        for (int i = 0; i < SHAPES; i++)
            MPI_Type_commit(&made[i]);
    }
}

static void free_all(void)
{
    for (int sort = 0; sort < SORTS; sort++)
        for (int i = 0; i < SHAPES; i++)
            MPI_Type_free(&types[sort][i]);
    for (int i = 1; i < COMMS; i++)
        MPI_Comm_free(&comms[i].comm);
    MPI_Comm_free(&apart);
}

/* --- what is sent in a round ------------------------------------------------------------------ */

struct message {
    int comm, from, to, tag, sort, pairs; /* from, to: in MPI_COMM_WORLD */
};

/* The rank in a communicator of the rank of the world that can be sent to there. */
static int rank_in(int comm, int world)
{
    return comm == 2 ? size - 1 - world : comm == 3 ? world / 2 : world;
}

static bool reaches(const struct message *message)
{
    return message->comm != 3 || (message->from + message->to) % 2;
}

/* What a receive from any source gets is of one sort. */
static int sorts[COMMS];

static void draw_message(struct message *message)
{
    do
        *message = (struct message){draw(&common, COMMS),
                                    draw(&common, size),
                                    draw(&common, size),
                                    draw(&common, TAGS),
                                    0,
                                    1 + draw(&common, draw(&common, 20) ? EAGER : MOST_PAIRS)};
    while (!reaches(message));
    message->sort = sorts[message->comm];
}

static int sent[MOST_MESSAGES][INTS], received[MOST_MESSAGES][INTS];
static MPI_Request requests[2 * MOST_MESSAGES + 2];
static int request_count;
static bool is_persistent[2 * MOST_MESSAGES + 2];

static void keep(MPI_Request request, bool persistent)
{
    is_persistent[request_count] = persistent;
    requests[request_count++] = request;
}

static void send_one(const struct message *message, int *data)
{
    const MPI_Comm comm = comms[message->comm].comm;
    const int to = rank_in(message->comm, message->to), count = message->pairs, tag = message->tag;
    MPI_Datatype type = types[message->sort][draw(&own, SHAPES)];
    MPI_Request request;
    data[0] = message->sort;
    switch (draw(&own, count <= EAGER ? 6 : 3)) {
    case 0:
        MPI_Isend(data, count, type, to, tag, comm, &request);
        keep(request, false);
        break;
    case 1:
        MPI_Issend(data, count, type, to, tag, comm, &request);
        keep(request, false);
        break;
    case 2:
        MPI_Send_init(data, count, type, to, tag, comm, &request);
        MPI_Start(&request);
        keep(request, true);
        break;
    case 3:
        MPI_Send(data, count, type, to, tag, comm);
        break;
    case 4:
        MPI_Bsend(data, count, type, to, tag, comm);
        break;
    default:
        MPI_Ibsend(data, count, type, to, tag, comm, &request);
        keep(request, false);
    }
}

/* --- what is received --------------------------------------------------------------------------- */

/* A receive that was posted: its buffer, and the sort that it names. */
struct receive {
    int *data;
    int sort;
};
static struct receive posted[2 * MOST_MESSAGES + 2]; /* by request */

static void arrived(const struct receive *receive)
{
    put_in += receive->data[0] != receive->sort;
}

static int other_sort(int sort)
{
    return wrong_share && draw(&own, (int)wrong_share) == 0 ? draw(&own, SORTS) : sort;
}

static void post_one(MPI_Comm comm, int source, int tag, const struct receive *receive, int room)
{
    MPI_Datatype type = types[receive->sort][draw(&own, SHAPES)];
    MPI_Request request;
    bool persistent = draw(&own, 4) == 0;
    if (persistent) {
        MPI_Recv_init(receive->data, room, type, source, tag, comm, &request);
        MPI_Start(&request);
    } else {
        MPI_Irecv(receive->data, room, type, source, tag, comm, &request);
    }
    posted[request_count] = *receive;
    keep(request, persistent);
}

/* One that nobody sends to. */
static void post_in_vain(void)
{
    static int nothing;
    MPI_Request request;
    MPI_Irecv(&nothing, 1, MPI_INT, draw(&own, 2) ? MPI_ANY_SOURCE : 0, 99,
              comms[draw(&own, 3)].comm, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receive_now(MPI_Comm comm, int source, int tag, const struct receive *receive, int room)
{
    MPI_Datatype type = types[receive->sort][draw(&own, SHAPES)];
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    int flag = 0;
    switch (draw(&own, 4)) {
    case 0:
        MPI_Recv(receive->data, room, type, source, tag, comm, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Recv(receive->data, room, type, source, tag, comm, &status);
        break;
    case 2:
        MPI_Mprobe(source, tag, comm, &message, &status);
        MPI_Mrecv(receive->data, room, type, &message, MPI_STATUS_IGNORE);
        break;
    default:
        while (!flag)
            MPI_Improbe(source, tag, comm, &flag, &message, MPI_STATUS_IGNORE);
        MPI_Imrecv(receive->data, room, type, &message, &request);
        MPI_Wait(&request, &status);
    }
    arrived(receive);
}

static void end_request(int i)
{
    if (posted[i].data)
        arrived(&posted[i]);
    posted[i].data = NULL;
}

static void wait_for_all(void)
{
    static MPI_Status statuses[2 * MOST_MESSAGES + 2];
    static int indices[2 * MOST_MESSAGES + 2];
    int left = request_count, way = draw(&own, 6), index, count, flag = 0;
    if (way == 0)
        MPI_Waitall(request_count, requests, MPI_STATUSES_IGNORE);
    else if (way == 1)
        MPI_Waitall(request_count, requests, statuses);
    while (way == 2 && !flag)
        MPI_Testall(request_count, requests, &flag, MPI_STATUSES_IGNORE);
    while (way == 3 && left > 0) {
        MPI_Waitany(request_count, requests, &index, MPI_STATUS_IGNORE);
        left = index == MPI_UNDEFINED ? 0 : left;
    }
    while (way == 4 && left > 0) {
        MPI_Waitsome(request_count, requests, &count, indices,
                     draw(&own, 2) ? statuses : MPI_STATUSES_IGNORE);
        left = count == MPI_UNDEFINED ? 0 : left;
    }
    for (int i = request_count - 1; way == 5 && i >= 0; i--)
        if (draw(&own, 2))
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        else
            while (requests[i] != MPI_REQUEST_NULL &&
                   !(MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE), flag))
                continue;
    for (int i = 0; i < request_count; i++) {
        end_request(i);
        if (is_persistent[i])
            MPI_Request_free(&requests[i]);
    }
    request_count = 0;
}

/* --- a round ------------------------------------------------------------------------------------ */

/* Receives that name their source and tag are posted first; then those of one pattern in each communicator: so none
 * is left without a message. The rest is received at once. */
static void receive_all(const struct message *messages, int count)
{
    int patterns[COMMS], late[MOST_MESSAGES], late_count = 0;
    for (int i = 0; i < COMMS; i++)
        patterns[i] = draw(&own, 3);
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < count; i++) {
            const struct message *message = &messages[i];
            if (message->to != rank || (i + rank) % 3 != pass)
                continue;
            const int pattern = pass == 0 ? 0 : 1 + patterns[message->comm];
            const int from = rank_in(message->comm, message->from);
            const int source = pattern == 1 || pattern == 3 ? MPI_ANY_SOURCE : from;
            const int tag = pattern >= 2 ? MPI_ANY_TAG : message->tag;
            const struct receive receive = {received[i], other_sort(message->sort)};
            if (pass < 2)
                post_one(comms[message->comm].comm, source, tag, &receive, MOST_PAIRS);
            else
                late[late_count++] = i;
        }
    for (int i = 0; i < count; i++)
        if (messages[i].from == rank)
            send_one(&messages[i], sent[i]);
    for (int k = 0; k < late_count; k++) {
        const struct message *message = &messages[late[k]];
        const int pattern = 1 + patterns[message->comm];
        const int from = rank_in(message->comm, message->from);
        const struct receive receive = {received[late[k]], other_sort(message->sort)};
        receive_now(comms[message->comm].comm, pattern == 1 || pattern == 3 ? MPI_ANY_SOURCE : from,
                    pattern >= 2 ? MPI_ANY_TAG : message->tag, &receive, MOST_PAIRS);
    }
}

/* All send to the next one. */
static void shift(int sort)
{
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;
    const struct receive receive = {received[0], other_sort(sort)};
    sent[0][0] = sort;
    if (draw(&own, 2)) {
        MPI_Sendrecv(sent[0], 2, types[sort][0], next, 8, received[0], 2, types[receive.sort][1],
                     last, 8, apart, MPI_STATUS_IGNORE);
        arrived(&receive);
    } else {
        MPI_Sendrecv_replace(sent[0], 2, types[sort][0], next, 8, last, MPI_ANY_TAG, apart,
                             MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    static struct message messages[MOST_MESSAGES];
    static char buffer[1 << 22];
    char *detached;
    int bytes;
    MPI_Init(&argc, &argv);
    begin();
    common = 88172645463325252u * (uint64_t)(2 * atoi(argv[1]) + 1);
    own = common * (uint64_t)(2 * rank + 3);
    wrong_share = atol(argv[3]);
    make_comms();
    make_types();
    MPI_Buffer_attach(buffer, sizeof buffer);
    for (int round = 0; round < atoi(argv[2]); round++) {
        const int count = 1 + draw(&common, MOST_MESSAGES - 1);
        for (int i = 0; i < COMMS; i++)
            sorts[i] = draw(&common, SORTS);
        for (int i = 0; i < count; i++)
            draw_message(&messages[i]);
        receive_all(messages, count);
        wait_for_all();
        if (draw(&own, 3) == 0)
            post_in_vain();
        if (round % 4 == 0)
            shift(draw(&common, SORTS));
        MPI_Barrier(MPI_COMM_WORLD); /* receives of the next round name no source */
    }
    MPI_Buffer_detach(&detached, &bytes);
    char name[40];
    snprintf(name, sizeof name, "put-in.%d", rank);
    FILE *file = fopen(name, "w");
    fprintf(file, "match-type %ld\n", put_in);
    fclose(file);
    free_all();
    MPI_Finalize();
    return 0;
}
