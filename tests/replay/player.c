/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records what the agent of a real node tells, and plays it to a `mpipp run' as the agents of 32 nodes: over the links, and in
 * the messages, that agents use.
 *
 *     player record FILE COMMAND...     starts a job whose agents come to the player; FILE has what the first one has told
 *     player play FILE NODES SECONDS    as the launcher of `mpipp run'
 *
 * All nodes tell the same calls, 10,000 a second, until the last one, in which a node differs: `mpipp run' asks about that one
 * alone. Prints the processor time and the memory that it took.
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
#include "nodes/protocol.h"
#include "core/agree/segment.h"

enum { MOST_NODES = 64, CALLS_A_SECOND = 10000, TURN = 25 /* milliseconds, as in an agent */ };

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

struct recording {
    struct far_state *ranks; /* as told last */
    size_t rank_count;
    struct far_call *calls;
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

static struct recording load(const char *path)
{
    struct recording recording = {0};
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
            recording.calls = longer(recording.calls,
                                     recording.call_count * sizeof *recording.calls, body, length);
            recording.call_count += length / sizeof *recording.calls;
        }
        free(bytes);
    }
    if (recording.call_count == 0 || recording.rank_count == 0) {
        give_up("the recording has no calls");
    }
    return recording;
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
static uint64_t asked_number;     /* of the last call that was asked about */
static unsigned asked, asked_all; /* of one node; of all */

static void say_hello(int node)
{
    struct node_hello hello = {.protocol = NODE_PROTOCOL, .segment = ST_SEGMENT_VERSION};
    snprintf(hello.host, sizeof hello.host, "node%d", node);
    strncpy(hello.version, MPIPP_VERSION, sizeof hello.version - 1);
    tell(links[node], NODE_HELLO, 0, &hello, sizeof hello);
}

/* Answers what `mpipp run' asks: of a call nothing is known. */
static void take_messages(void)
{
    struct link_message message;
    for (int node = 0; node < node_count; node++) {
        while (link_receive(links[node], 0, &message)) {
            struct node_head head;
            struct far_call call;
            memcpy(&head, message.bytes, sizeof head);
            if (head.kind == NODE_HELLO) {
                say_hello(node);
            } else if (head.kind == NODE_DETAILS) {
                memcpy(&call, message.bytes + sizeof head, sizeof call);
                asked_number = call.number;
                asked += node == 0;
                asked_all++;
                tell(links[node], NODE_DETAIL, head.ticket, "[]", 2);
            } else if (head.kind == NODE_LEFT) {
                tell(links[node], NODE_ALL_CALLS, head.ticket, "[]", 2);
            }
        }
    }
}

/* The next calls, numbered on from round to round. */
static void tell_calls(const struct recording *recording, uint64_t first, size_t count,
                       bool is_wrong)
{
    static struct far_call list[CALLS_A_SECOND];
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = first + i;
        list[i] = recording->calls[at % recording->call_count];
        list[i].number = at + 1;
        list[i].flags = 0; /* of those whose digest shows everything */
    }
    for (int node = 0; node < node_count; node++) {
        const bool differs = is_wrong && node == node_count / 2;
        list[count - 1].digest ^= differs ? 1 : 0;
        tell(links[node], NODE_CALLS, 0, list, count * sizeof *list);
        list[count - 1].digest ^= differs ? 1 : 0;
    }
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

static int play(const char *path, int nodes, int seconds)
{
    const struct recording recording = load(path);
    const size_t count = CALLS_A_SECOND / (1000 / TURN);
    node_count = nodes < MOST_NODES ? nodes : MOST_NODES;
    connect_all();
    rest(clock_ms() + 2000);
    const uint64_t before = processor_time(getppid());
    const int64_t begun = clock_ms();
    uint64_t told = 0;
    for (int turn = 0; turn < seconds * (1000 / TURN); turn++) {
        rest(begun + (int64_t)turn * TURN);
        tell_calls(&recording, told, count, turn == seconds * (1000 / TURN) - 1);
        told += count;
        for (int node = 0; node < node_count && turn % (1000 / TURN) == 0; node++) {
            tell(links[node], NODE_RANKS, 0, recording.ranks,
                 recording.rank_count * sizeof *recording.ranks);
        }
    }
    const int64_t passed = clock_ms() - begun;
    const uint64_t used = processor_time(getppid()) - before;
    rest(clock_ms() + 2000);
    printf("root: %.1f %% of a core for %.0f collective calls a second, told by %d nodes; peak "
           "memory %ld MB\n",
           (double)used / 1e4 / (double)passed, (double)told * 1000 / (double)passed, node_count,
           peak_memory(getppid()) / 1024);
    printf("root: asked about %u call%s, number %" PRIu64 " of %" PRIu64 ", each of %u nodes\n",
           asked, asked == 1 ? "" : "s", asked_number, told, asked != 0 ? asked_all / asked : 0);
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
    return argc > 4 && strcmp(argv[1], "play") == 0 ? play(argv[2], atoi(argv[3]), atoi(argv[4]))
                                                    : 2;
}
