/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hang of many ranks on other nodes: their agents are asked what they wait for, and their answers are sent, read, judged and
 * told, all by the code of `mpipp run' and of its agents.
 *
 *     gather NODES RANKS ring|barrier|halo|damaged      so many ranks on each node; prints the finding, and what it took
 *
 * Each rank has MPI_COMM_WORLD, MPI_COMM_SELF, and a communicator of its row and one of its column of a grid, and has exchanged
 * messages with four neighbours, which are counted as far as libshadowtype does: of the first ranks. In a ring each receives from the next one; in a halo each waits for 8 requests; in a barrier
 * rank 0 has left. Where it is damaged, all answers of a ring are cut off or changed.
 */
#include "agents.h"
#include "core/waits/shown.h"
#include "nodes/states.h"
#include "used.h"
#include "watch/hangs.h"

enum { WORLD = 9, ID = 77, JOB = 5, ROW = 256, NEIGHBOURS = 4, COMMS = 4 };
#define FRAMES                                                                                     \
    "[{\"module\":\"/home/me/app\",\"offset\":4711,\"return\":true},"                              \
    "{\"module\":\"/home/me/app\",\"offset\":5124,\"return\":true}]"

static const char *mode;

/* --- what the ranks wait for ----------------------------------------------------------------------- */

/* One rank, as its agent has read it. */
static struct {
    struct st_wait_rank rank;
    struct st_wait_thread thread;
    struct st_wait_part parts[2 * NEIGHBOURS];
    struct st_wait_comm comms[COMMS];
    uint64_t self, row[ROW], *column;
    struct st_wait_count sent[NEIGHBOURS], received[NEIGHBOURS];
    struct st_wait_shown shown;
} now;

static int all_ranks(void)
{
    return node_count * rank_count;
}

static struct st_wait_comm comm_of(uint64_t id, int32_t size, uint64_t *members, const char *name)
{
    struct st_wait_comm comm = {
        .id = id, .begun = 1000, .size = size, .members = members, .own_rank = -1};
    snprintf(comm.name, sizeof comm.name, "%s", name);
    return comm;
}

static void make_comms(int rank)
{
    const int all = all_ranks(), first = rank - rank % ROW;
    const int columns = (all + ROW - 1) / ROW, length = all - first < ROW ? all - first : ROW;
    now.self = st_gpid(WORLD, rank);
    now.column = now.column != NULL ? now.column : malloc((size_t)columns * sizeof *now.column);
    for (int i = 0; i < length; i++) {
        now.row[i] = st_gpid(WORLD, first + i);
    }
    int count = 0;
    for (int i = rank % ROW; i < all; i += ROW) {
        now.column[count++] = st_gpid(WORLD, i);
    }
    now.comms[0] = comm_of(ST_WORLD_ID, all, NULL, "MPI_COMM_WORLD");
    now.comms[1] = comm_of(ID + 1 + (uint64_t)rank, 1, &now.self, "MPI_COMM_SELF");
    now.comms[2] = comm_of(ID << 20 | (uint64_t)first, length, now.row, "");
    now.comms[3] = comm_of(ID << 21 | (uint64_t)(rank % ROW), count, now.column, "");
}

static int neighbour(int rank, int number)
{
    static const int steps[NEIGHBOURS] = {-ROW, -1, 1, ROW};
    const int all = all_ranks();
    return ((rank + steps[number]) % all + all) % all;
}

static int by_rank(const void *left, const void *right)
{
    const struct st_wait_count *a = left, *b = right;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static void make_counts(int rank)
{
    size_t count = 0;
    for (int i = 0; i < NEIGHBOURS && rank < ST_SEGMENT_RANKS; i++) {
        const int other = neighbour(rank, i);
        if (other < ST_SEGMENT_RANKS) {
            now.sent[count] = now.received[count] = (struct st_wait_count){other, 123456};
            count++;
        }
    }
    qsort(now.sent, count, sizeof *now.sent, by_rank);
    qsort(now.received, count, sizeof *now.received, by_rank);
    now.shown = (struct st_wait_shown){.job = JOB,
                                       .has_counts = true,
                                       .is_sender = rank < ST_SEGMENT_RANKS,
                                       .is_receiver = rank < ST_SEGMENT_RANKS,
                                       .sent = {now.sent, count},
                                       .received = {now.received, count}};
}

static struct st_wait_part part_of(enum st_wait_sort sort, int peer, const char *function)
{
    struct st_wait_part part = {.sort = sort, .peer = peer, .tag = 7, .site = ST_NO_SITE};
    snprintf(part.function, sizeof part.function, "%s", function);
    st_wait_find_process(&now.rank, &part);
    return part;
}

static void make_call(int rank)
{
    const char *function = "MPI_Recv";
    struct st_wait_rank *own = &now.rank;
    if (strcmp(mode, "ring") == 0 || strcmp(mode, "damaged") == 0) {
        now.parts[0] = part_of(ST_WAIT_RECEIVE, (rank + 1) % all_ranks(), function);
        own->part_count = own->pending_count = 1;
    } else if (strcmp(mode, "barrier") == 0) {
        function = "MPI_Barrier";
        now.parts[0] = part_of(ST_WAIT_COLLECTIVE, ST_PEER_NONE, function);
        now.parts[0].n = now.comms[0].begun = 1001;
        own->part_count = 1;
    } else {
        function = "MPI_Waitall";
        for (int i = 0; i < 2 * NEIGHBOURS; i++) {
            const bool sends = i % 2;
            now.parts[i] = part_of(sends ? ST_WAIT_SEND : ST_WAIT_RECEIVE, neighbour(rank, i / 2),
                                   sends ? "MPI_Isend" : "MPI_Irecv");
            now.parts[i].tag = sends ? 8 : 7; /* so none fits */
            now.parts[i].is_request = true;
            now.parts[i].handle = 1000 + (uint64_t)i;
            now.parts[i].site = 5;
        }
        own->part_count = own->pending_count = 2 * NEIGHBOURS;
    }
    now.thread = (struct st_wait_thread){
        .id = (uint64_t)agents_pid(0, rank), .in_call = true, .count = own->part_count};
    snprintf(now.thread.function, sizeof now.thread.function, "%s", function);
}

static void make_rank(int rank)
{
    make_comms(rank);
    make_counts(rank);
    now.rank = (struct st_wait_rank){.world_rank = rank,
                                     .world_size = all_ranks(),
                                     .world = WORLD,
                                     .presence = ST_WAIT_PRESENT,
                                     .threads = &now.thread,
                                     .thread_count = 1,
                                     .parts = now.parts,
                                     .pending = now.parts,
                                     .comms = now.comms,
                                     .comm_count = COMMS};
    make_call(rank);
    if (strcmp(mode, "barrier") == 0 && rank == 0) {
        now.rank.presence = ST_WAIT_LEFT;
        now.rank.part_count = now.rank.thread_count = 0;
        now.comms[0].begun--;
    }
}

/* --- the agents ------------------------------------------------------------------------------------ */

static unsigned long long sent_bytes;

static const char *frames_of(void *context, const struct st_thread_call *call, uint32_t site)
{
    (void)context;
    (void)call;
    (void)site;
    return FRAMES;
}

static void tell_states(int node, uint32_t ticket, const char *body, size_t length)
{
    struct states_writer *writer = states_begin();
    size_t size;
    for (size_t at = 0; at + sizeof(int64_t) <= length; at += sizeof(int64_t)) {
        int64_t pid;
        memcpy(&pid, body + at, sizeof pid);
        make_rank((int)(pid - 1));
        const struct states_told told = {.pid = pid,
                                         .identity = 1,
                                         .is_read = true,
                                         .is_stuck = now.rank.thread_count != 0,
                                         .waits = &now.rank,
                                         .shown = &now.shown,
                                         .frames = frames_of};
        states_add(writer, &told);
    }
    char *bytes = states_end(writer, &size);
    if (strcmp(mode, "damaged") == 0 && node % 2 == 0) {
        size = (size_t)node * size / (size_t)node_count;
    } else if (strcmp(mode, "damaged") == 0) {
        memset(bytes + size - 16 - (size_t)node, 0xff, 16); /* among the ranks */
    }
    agents_tell(node, NODE_EXAMINED, ticket, bytes, size);
    free(bytes);
    sent_bytes += size;
}

static void answer(int node, const struct node_head *head, const char *body, size_t length)
{
    if (head->kind == NODE_EXAMINE) {
        tell_states(node, head->ticket, body, length);
        if (node == node_count - 1) {
            fprintf(stderr, "%llu bytes a rank\n", sent_bytes / (unsigned long long)all_ranks());
            sent_bytes = 0;
        }
    } else if (head->kind == NODE_STACKS) {
        agents_tell(node, NODE_STACK_TEXT, head->ticket, "null", strlen("null"));
    }
}

/* --- `mpipp run' ----------------------------------------------------------------------------------- */

/* The clock of the watch: a second a step. */
static int64_t watched = 100 * SECOND;

static void step(struct hangs *hangs, struct findings *findings, const char *what)
{
    const int64_t begun = clock_ms();
    const long long used = used_time();
    watched += SECOND;
    hangs_step(hangs, findings, watched);
    printf("%d ranks in a %s %s: %lld ms, of which this process took %lld ms; peak memory %ld MB\n",
           all_ranks(), mode, what, (long long)(clock_ms() - begun), used_time() - used,
           peak_memory());
}

static void tell_findings(const struct findings *findings)
{
    for (size_t i = 0; i < findings->report_count; i++) {
        const struct st_finding *finding = &findings->reports[i]->facts->finding;
        printf("found: %s %s, in %zu calls\n", finding->subject, finding->message,
               finding->other_count);
        printf("the first: %s: %s\n", finding->others[0].label, finding->others[0].call);
    }
}

int main(int argc, char **argv)
{
    static struct findings findings;
    if (argc != 4 || !agents_count(argv + 1)) {
        return 2;
    }
    mode = argv[3];
    const pid_t child = agents_start(MPIPP_VERSION, answer);
    const struct hang_choice choice = {.has_timeout = true, .timeout = 5};
    struct hangs *hangs = hangs_new(&choice, false);
    agents_begin_ranks(&findings);
    agents_wait();
    step(hangs, &findings, "are listed, gathered and judged");
    step(hangs, &findings, "are gathered and judged, gathered again, and told");
    for (int i = 0; i < 100 && findings.report_count == 0; i++) {
        nodes_take_messages(100);
        hangs_step(hangs, &findings, watched);
    }
    tell_findings(&findings);
    printf("answers that could not be read: %lu\n", nodes_all.damaged);
    nodes_close(&findings);
    waitpid(child, NULL, 0);
    return 0;
}
