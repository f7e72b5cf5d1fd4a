/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records what the agent of a real node tells, and plays it to a `mpipp run' as the agents of 32 nodes: over the links, and in
 * the messages, that agents use.
 *
 *     player record FILE COMMAND...     starts a job whose agents come to the player; FILE has what the first one has told
 *     player play FILE NODES SECONDS    as the launcher of `mpipp run'
 *     player strange FILE NODES SECONDS the same, of agents of another build
 *
 * All nodes tell the same calls, 10,000 a second, until the last one, in which a node differs: `mpipp run' asks about that one
 * alone, and for the calls of the blocks that it may be in. Prints the processor time and the memory that it took.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "nodes/job_key.h"
#include "nodes/link.h"
#include "nodes/packed.h"
#include "nodes/protocol.h"
#include "core/agree/segment.h"

enum { MOST_NODES = 64, MOST_STREAMS = 256, MOST_RECORDED = 4096, CALLS_A_SECOND = 10000 };

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "player: %s\n", why);
    exit(1);
}

static void tell(struct link *link, enum node_kind kind, uint32_t ticket, const void *body,
                 size_t length)
{
    const struct node_head head = {kind, ticket};
    if (!link_send(link, 0, &head, sizeof head, body, length)) {
        give_up("a message was not sent");
    }
}

/* --- recording ----------------------------------------------------------------------------------- */

static void record_message(const struct link_message *message, FILE *file)
{
    const uint64_t length = message->length;
    fwrite(&length, sizeof length, 1, file);
    fwrite(message->bytes, 1, length, file);
}

/* Until the agent has told the ends of its ranks. */
static void record_all(struct link *link, FILE *file)
{
    struct link_message message;
    for (const int64_t begun = clock_ms(); clock_ms() - begun < 120000;) {
        struct node_head head;
        if (!link_receive(link, 100, &message) || message.peer != 0 ||
            message.length < sizeof head) {
            continue;
        }
        memcpy(&head, message.bytes, sizeof head);
        record_message(&message, file);
        if (head.kind == NODE_HELLO) {
            tell(link, NODE_BEAT, 0, NULL, 0);
        }
        if (head.kind == NODE_ENDS) {
            tell(link, NODE_GOODBYE, 0, NULL, 0);
            return;
        }
    }
    give_up("no agent has told the ends of its ranks");
}

static int record(const char *path, char **command)
{
    struct job_key key = {.nonce = (uint64_t)time(NULL) << 16 | (uint64_t)getpid()};
    const char *why = "";
    gethostname(key.host, sizeof key.host - 1);
    struct link *link = link_listen(&key, &why);
    FILE *file = fopen(path, "w");
    if (link == NULL || file == NULL) {
        give_up(link == NULL ? why : "cannot write the file");
    }
    setenv(GATHER_VARIABLE, job_key_text(&key), 1);
    const pid_t child = fork();
    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    record_all(link, file);
    waitpid(child, NULL, 0);
    link_close(link);
    return fclose(file);
}

/* --- playing ------------------------------------------------------------------------------------- */

/* The calls of a communicator: over and over again, numbered on. */
struct stream {
    uint64_t comm;
    uint64_t *digests;
    size_t count;
};

struct recording {
    struct far_state *ranks; /* as told last */
    size_t rank_count;
    struct stream streams[MOST_STREAMS];
    size_t stream_count;
    size_t order[MOST_RECORDED]; /* the stream of each call */
    size_t call_count;
};

static void *longer(void *list, size_t count, const char *more, size_t length)
{
    char *bytes = realloc(list, count + length + 1);
    if (bytes == NULL) {
        give_up("no memory");
    }
    memcpy(bytes + count, more, length);
    return bytes;
}

static void add_call(struct recording *recording, const struct far_call *call)
{
    size_t at = 0;
    while (at < recording->stream_count && recording->streams[at].comm != call->comm) {
        at++;
    }
    if (at == MOST_STREAMS || recording->call_count == MOST_RECORDED) {
        give_up("the recording is too long");
    }
    recording->stream_count += at == recording->stream_count;
    struct stream *stream = &recording->streams[at];
    stream->comm = call->comm;
    stream->digests = longer(stream->digests, stream->count * sizeof *stream->digests,
                             (const char *)&call->digest, sizeof call->digest);
    stream->count++;
    recording->order[recording->call_count++] = at;
}

static void add_calls(struct recording *recording, const char *body, size_t length)
{
    struct packed_reader reader = {.body = body, .length = length};
    struct far_call call;
    bool is_block;
    while (packed_next(&reader, &call, &is_block)) {
        add_call(recording, &call); /* a sum is as good as a digest here */
    }
}

static struct recording recording;

static void load(const char *path)
{
    FILE *file = fopen(path, "r");
    uint64_t length;
    while (file != NULL && fread(&length, sizeof length, 1, file) == 1) {
        char *bytes = malloc(length + 1), *body = bytes + sizeof(struct node_head);
        struct node_head head;
        if (bytes == NULL || fread(bytes, 1, length, file) != length) {
            give_up("the recording is damaged");
        }
        memcpy(&head, bytes, sizeof head);
        length -= sizeof head;
        if (head.kind == NODE_RANKS) {
            free(recording.ranks);
            recording.ranks = longer(NULL, 0, body, length);
            recording.rank_count = length / sizeof *recording.ranks;
        } else if (head.kind == NODE_CALLS) {
            add_calls(&recording, body, length);
        }
        free(bytes);
    }
    if (recording.call_count == 0 || recording.rank_count == 0) {
        give_up("the recording has no calls");
    }
}

/* Nanoseconds of processor time of all threads of a process. */
static uint64_t processor_time(pid_t pid)
{
    char path[300];
    uint64_t all = 0, one;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", (int)pid, entry->d_name);
        FILE *file = entry->d_name[0] != '.' ? fopen(path, "r") : NULL;
        if (file != NULL) {
            all += fscanf(file, "%" SCNu64, &one) == 1 ? one : 0;
            fclose(file);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return all;
}

/* Kilobytes. */
static long peak_memory(pid_t pid)
{
    char path[64], line[256];
    long peak = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "VmHWM: %ld", &peak) == 1) {
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return peak;
}

static struct link *links[MOST_NODES];
static int node_count;
static uint32_t protocol = NODE_PROTOCOL;
static struct far_call
    wrong; /* the call in which a node differs; its number is 0 until it is told */
static unsigned asked, asked_all; /* questions for it, of one node, and of all */
static unsigned asked_others, expanded, expand_questions;
static int64_t wrong_at, asked_at; /* when the wrong call was begun, and when it was asked for */

static void say_hello(int node)
{
    struct node_hello hello = {.protocol = protocol, .segment = ST_SEGMENT_VERSION};
    snprintf(hello.host, sizeof hello.host, "node%d", node);
    snprintf(hello.name, sizeof hello.name, "node%d", node);
    strncpy(hello.version, MPIPP_VERSION, sizeof hello.version - 1);
    tell(links[node], NODE_HELLO, 0, &hello, sizeof hello);
}

static struct stream *find_stream(uint64_t comm)
{
    size_t at = 0;
    while (recording.streams[at].comm != comm) {
        at++;
    }
    return &recording.streams[at];
}

static uint64_t digest_of(int node, uint64_t comm, uint64_t number)
{
    const struct stream *stream = find_stream(comm);
    const bool differs = node == node_count / 2 && comm == wrong.comm && number == wrong.number;
    return stream->digests[(number - 1) % stream->count] ^ (differs ? 1 : 0);
}

static void tell_packed(int node, uint32_t ticket, struct far_call *list, size_t count)
{
    size_t length;
    char *bytes = packed_calls(list, count, ticket == 0, &length);
    tell(links[node], NODE_CALLS, ticket, bytes, length);
    free(bytes);
}

static void tell_blocks(int node, uint32_t ticket, const char *body, size_t count)
{
    struct far_call *list = calloc(count * FAR_BLOCK, sizeof *list);
    for (size_t i = 0; i < count * FAR_BLOCK; i++) {
        struct far_call block;
        memcpy(&block, body + i / FAR_BLOCK * sizeof block, sizeof block);
        const uint64_t number = block.number + i % FAR_BLOCK;
        list[i] = (struct far_call){.comm = block.comm, .number = number};
        list[i].digest = digest_of(node, block.comm, number);
    }
    tell_packed(node, ticket, list, count * FAR_BLOCK);
    free(list);
    expanded += (unsigned)count;
    expand_questions++;
}

static void answer_question(int node, const struct node_head *head, const char *body, size_t length)
{
    struct far_call call;
    memcpy(&call, body, sizeof call);
    if (head->kind == NODE_DETAILS) {
        const bool is_wrong = call.comm == wrong.comm && call.number == wrong.number;
        asked += is_wrong && node == 0;
        asked_at = asked_at == 0 && is_wrong ? clock_ms() : asked_at;
        asked_all += is_wrong;
        asked_others += !is_wrong;
        tell(links[node], NODE_DETAIL, head->ticket, "[]", 2);
        return;
    }
    tell_blocks(node, head->ticket, body, length / sizeof call);
}

/* Answers what `mpipp run' asks: of a call nothing is known but its digest. */
static void take_messages(void)
{
    struct link_message message;
    for (int node = 0; node < node_count; node++) {
        while (link_receive(links[node], 0, &message)) {
            struct node_head head;
            memcpy(&head, message.bytes, sizeof head);
            if (head.kind == NODE_HELLO) {
                say_hello(node);
            } else if (head.kind == NODE_DETAILS || head.kind == NODE_EXPAND) {
                answer_question(node, &head, message.bytes + sizeof head,
                                message.length - sizeof head);
            } else if (head.kind == NODE_LEFT) {
                tell(links[node], NODE_ALL_CALLS, head.ticket, "[]", 2);
            }
        }
    }
}

static uint64_t told[MOST_NODES];                  /* calls, by node */
static uint64_t numbers[MOST_NODES][MOST_STREAMS]; /* of the last call that a node has told */

/* The next calls of a node, up to a number of calls in all. */
static void tell_calls(int node, uint64_t until)
{
    static struct far_call list[CALLS_A_SECOND];
    size_t count = 0;
    for (; told[node] < until; told[node]++) {
        const size_t at = recording.order[told[node] % recording.call_count];
        const uint64_t comm = recording.streams[at].comm, number = ++numbers[node][at];
        list[count++] = (struct far_call){comm, number, digest_of(node, comm, number), 0};
        if (count == CALLS_A_SECOND) { /* the machine was busy */
            tell_packed(node, 0, list, count);
            count = 0;
        }
    }
    if (count != 0) {
        tell_packed(node, 0, list, count);
    }
}

/* The last call of all differs in a node. */
static void choose_wrong(uint64_t all)
{
    const size_t last = recording.order[(all - 1) % recording.call_count];
    uint64_t number = 0;
    for (uint64_t i = 0; i < all; i++) {
        number += recording.order[i % recording.call_count] == last;
    }
    wrong = (struct far_call){.comm = recording.streams[last].comm, .number = number};
}

static void connect_all(void)
{
    struct job_key key;
    const char *why = "";
    if (getenv(GATHER_VARIABLE) == NULL || !job_key_read(strdup(getenv(GATHER_VARIABLE)), &key)) {
        give_up("mpipp run listens for no agents");
    }
    for (int node = 0; node < node_count; node++) {
        char name[32];
        snprintf(name, sizeof name, "player %d", node);
        links[node] = link_connect(&key, name, key.addresses[0], &why);
        if (links[node] == NULL) {
            give_up(why);
        }
        say_hello(node);
    }
}

static void rest(int64_t until)
{
    for (int64_t now; (now = clock_ms()) < until;) {
        take_messages();
        usleep((useconds_t)(until - now > 5 ? 5000 : 1000));
    }
}

/* Waits for the next turn, as agents do. */
static void rest_to_turn(void)
{
    rest(clock_ms() + NODE_TICK - clock_of_day_ms() % NODE_TICK);
}

/* All calls. A node is up to 40 calls behind the first, so that each has other calls in a turn, but not at the end. */
static void play_all(uint64_t all)
{
    const int64_t begun = clock_ms();
    wrong_at = begun + (int64_t)(all * 1000 / CALLS_A_SECOND);
    for (uint64_t done = 0, turn = 0; done < all; turn++) {
        rest_to_turn();
        done = (uint64_t)(clock_ms() - begun) * CALLS_A_SECOND / 1000;
        done = done < all ? done : all;
        for (int node = 0; node < node_count; node++) {
            const uint64_t behind = done < all ? (uint64_t)node * 7 % 40 : 0;
            tell_calls(node, done > behind ? done - behind : 0);
            if (turn % (1000 / NODE_TICK) == 0) {
                tell(links[node], NODE_RANKS, 0, recording.ranks,
                     recording.rank_count * sizeof *recording.ranks);
            }
        }
    }
}

static int play(const char *path, int nodes, int seconds)
{
    const uint64_t all = (uint64_t)seconds * CALLS_A_SECOND;
    load(path);
    node_count = nodes < MOST_NODES ? nodes : MOST_NODES;
    choose_wrong(all);
    connect_all();
    rest(clock_ms() + 2000);
    const uint64_t before = processor_time(getppid());
    const int64_t begun = clock_ms();
    play_all(all);
    const int64_t passed = clock_ms() - begun;
    const uint64_t used = processor_time(getppid()) - before;
    rest(clock_ms() + 2000);
    printf("root: %.1f %% of a core for %.0f collective calls a second, told by %d nodes; peak "
           "memory %ld MB\n",
           (double)used / 1e4 / (double)passed, (double)all * 1000 / (double)passed, node_count,
           peak_memory(getppid()) / 1024);
    printf("root: asked for the wrong call %u time%s, each of %u nodes, and for %u others; %u "
           "blocks were asked for in %u questions\n",
           asked, asked == 1 ? "" : "s", asked != 0 ? asked_all / asked : 0, asked_others, expanded,
           expand_questions);
    printf("root: asked for it %lld ms after it was begun\n", (long long)(asked_at - wrong_at));
    for (int node = 0; node < node_count; node++) {
        tell(links[node], NODE_ENDS, 0, "{}", 2);
    }
    fflush(stdout);
    if (fork() == 0) { /* the launcher has ended, and the agents are still there */
        freopen("/dev/null", "w", stdout);
        freopen("/dev/null", "w", stderr);
        rest(clock_ms() + 5000);
        _exit(0);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "record") == 0) {
        return record(argv[2], argv + 3);
    }
    if (argc < 5 || (strcmp(argv[1], "play") != 0 && strcmp(argv[1], "strange") != 0)) {
        return 2;
    }
    protocol += argv[1][0] == 's';
    return play(argv[2], atoi(argv[3]), atoi(argv[4]));
}
