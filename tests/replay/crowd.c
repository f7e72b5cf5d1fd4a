/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many ranks on other nodes, for the code of `mpipp run' that gathers them: they begin, and their agents tell what they do. A
 * child is the agents of all nodes.
 *
 *     crowd NODES RANKS      so many ranks on each node; prints what it took
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "findings/merged.h"
#include "nodes/link.h"
#include "nodes/nodes_internal.h"
#include "watch/looks.h"
#include "watch/node.h"
#include "used.h"

enum { MOST_NODES = 900, ROOM = 1 << 20, SECOND = 1000 };

static int node_count, rank_count; /* ranks: of each node */

/* --- the agents ---------------------------------------------------------------------------------- */

static struct link *links[MOST_NODES];

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "crowd: %s\n", why);
    exit(1);
}

static void tell(int node, enum node_kind kind, uint32_t ticket, const void *body, size_t length)
{
    const struct node_head head = {kind, ticket};
    if (!link_send(links[node], 0, &head, sizeof head, body, length)) {
        give_up("a message was not sent");
    }
}

static int64_t pid_of(int node, int rank)
{
    return 1 + (int64_t)node * rank_count + rank;
}

static void say_hello(int node)
{
    struct node_hello hello = {.protocol = NODE_PROTOCOL, .segment = ST_SEGMENT_VERSION};
    snprintf(hello.host, sizeof hello.host, "node%d", node);
    strncpy(hello.version, MPIPP_VERSION, sizeof hello.version - 1);
    tell(node, NODE_HELLO, 0, &hello, sizeof hello);
}

static void tell_ranks(int node)
{
    struct far_state *list = calloc((size_t)rank_count, sizeof *list);
    for (int i = 0; i < rank_count; i++) {
        list[i] = (struct far_state){.pid = pid_of(node, i),
                                     .root = 4096,
                                     .identity = 1,
                                     .counted = 9 * SECOND,
                                     .flags = FAR_RUNS | FAR_WAITS,
                                     .rank = node * rank_count + i};
    }
    tell(node, NODE_RANKS, 0, list, (size_t)rank_count * sizeof *list);
    free(list);
}

static _Noreturn void be_agents(void)
{
    struct job_key key;
    const char *why = "";
    job_key_read(strdup(getenv(GATHER_VARIABLE)), &key);
    for (int node = 0; node < node_count; node++) {
        char name[32];
        snprintf(name, sizeof name, "crowd %d", node);
        links[node] = link_connect(&key, name, key.addresses[0], &why);
        if (links[node] == NULL) {
            give_up(why);
        }
        say_hello(node);
        tell_ranks(node);
    }
    for (const int64_t begun = clock_ms(); clock_ms() - begun < 180 * SECOND; usleep(2000)) {
        for (int node = 0; node < node_count; node++) {
            struct link_message message;
            while (link_receive(links[node], 0, &message)) {
                struct node_head head;
                memcpy(&head, message.bytes, sizeof head);
                if (head.kind == NODE_BEAT) {
                    tell_ranks(node);
                } else if (head.kind == NODE_GOODBYE) {
                    _exit(0);
                }
            }
        }
    }
    _exit(1);
}

/* --- `mpipp run' --------------------------------------------------------------------------------- */

/* The ranks say that they have begun, in no order. */
static void begin_ranks(struct findings *findings)
{
    const int all = node_count * rank_count;
    for (int i = 0; i < all; i++) {
        const int rank = (int)((int64_t)i * 7919 % all);
        char line[512], key[64];
        snprintf(key, sizeof key, "node%d-%d", rank / rank_count, rank);
        snprintf(line, sizeof line,
                 "{\"record\": \"begin\", \"rank\": %d, \"size\": %d, \"pid\": %" PRId64
                 ", \"host\": \"node%d\", \"mpi\": \"MPICH\", \"program\": \"/app\"}",
                 rank, all, pid_of(rank / rank_count, rank % rank_count), rank / rank_count);
        findings_line(findings, key, line, strlen(line));
    }
}

static size_t known_ranks(void)
{
    size_t count = 0;
    for (size_t i = 0; i < nodes_all.count; i++) {
        count += nodes_all.nodes[i]->rank_count;
    }
    return count;
}

static void print_step(const char *what, long long before)
{
    printf("%d ranks %s: %lld ms, peak memory %ld MB\n", node_count * rank_count, what,
           used_time() - before, peak_memory());
}

int main(int argc, char **argv)
{
    static struct findings findings;
    node_count = argc > 2 ? atoi(argv[1]) : 0;
    rank_count = argc > 2 ? atoi(argv[2]) : 0;
    if (node_count < 1 || node_count > MOST_NODES || rank_count < 1) {
        return 2;
    }
    setenv("MPIPP_NODE_SIZE", "1", 1); /* all is on this machine */
    node_make();
    nodes_open();
    const pid_t child = fork();
    if (child == 0) {
        be_agents();
    }
    struct looks *looks = looks_new();
    long long before = used_time();
    begin_ranks(&findings);
    for (const int64_t begun = clock_ms();
         known_ranks() < (size_t)node_count * (size_t)rank_count &&
         clock_ms() - begun < 100 * SECOND;) {
        nodes_take_messages(100);
    }
    print_step("have begun", before);
    before = used_time();
    looks_take(looks, &findings, clock_ms());
    print_step("were looked at first", before);
    before = used_time();
    looks_take(looks, &findings, clock_ms());
    const bool is_due = looks_is_due(looks, 5 * SECOND, clock_ms());
    print_step("were looked at again", before);
    size_t right = 0;
    for (size_t i = 0; i < looks->count; i++) {
        right += looks->ranks[i].process->rank == (int)i && looks->ranks[i].memory->far != NULL &&
                 looks->ranks[i].counted == 9 * SECOND;
    }
    printf("%zu ranks in order, which wait: %s\n", right, is_due ? "yes" : "no");
    nodes_tell_all(NODE_GOODBYE, NULL, 0);
    waitpid(child, NULL, 0);
    return 0;
}
