/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The agents of many nodes, for programs that try the code of `mpipp run' with very many ranks: a child process has a link for
 * each of them.
 *
 *     node_count = 100; rank_count = 1000;               // ranks of each node
 *     pid_t child = agents_start(MPIPP_VERSION, answer); // answers questions; NULL: none
 *     agents_begin_ranks(&findings);                     // the ranks say that they have begun
 *     agents_wait();                                     // until all are known
 *     agents_end(child);
 */
#ifndef TESTS_REPLAY_AGENTS_H
#define TESTS_REPLAY_AGENTS_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/clock.h"
#include "cmd/findings/merged.h"
#include "cmd/nodes/link.h"
#include "cmd/nodes/nodes_internal.h"
#include "cmd/watch/node.h"

enum { MOST_NODES = 900, SECOND = 1000, LIFE = 180 * SECOND };

static int node_count, rank_count; /* ranks: of each node */
static struct link *links[MOST_NODES];
static const char *agents_version; /* of mpipp */

/* BODY: of a message to an agent, of another kind than those that all answer. */
typedef void agents_answer_fn(int node, const struct node_head *head, const char *body,
                              size_t length);

static inline _Noreturn void agents_give_up(const char *why)
{
    fprintf(stderr, "agents: %s\n", why);
    exit(1);
}

static inline void agents_tell(int node, enum node_kind kind, uint32_t ticket, const void *body,
                               size_t length)
{
    const struct node_head head = {kind, ticket};
    if (!link_send(links[node], 0, &head, sizeof head, body, length)) {
        agents_give_up("a message was not sent");
    }
}

static inline int64_t agents_pid(int node, int rank)
{
    return 1 + (int64_t)node * rank_count + rank;
}

static inline void agents_say_hello(int node)
{
    struct node_hello hello = {.protocol = NODE_PROTOCOL, .segment = ST_SEGMENT_VERSION};
    snprintf(hello.host, sizeof hello.host, "node%d", node);
    snprintf(hello.name, sizeof hello.name, "node%d", node);
    strncpy(hello.version, agents_version, sizeof hello.version - 1);
    agents_tell(node, NODE_HELLO, 0, &hello, sizeof hello);
}

static inline void agents_tell_ranks(int node)
{
    struct far_state *list = calloc((size_t)rank_count, sizeof *list);
    for (int i = 0; i < rank_count; i++) {
        list[i] = (struct far_state){.pid = agents_pid(node, i),
                                     .root = 4096,
                                     .identity = 1,
                                     .counted = 9 * SECOND,
                                     .flags = FAR_RUNS | FAR_WAITS,
                                     .rank = node * rank_count + i};
    }
    agents_tell(node, NODE_RANKS, 0, list, (size_t)rank_count * sizeof *list);
    free(list);
}

/* Takes what has come for an agent. Returns false at the end. */
static inline bool agents_take(int node, agents_answer_fn *answer)
{
    struct link_message message;
    while (link_receive(links[node], 0, &message)) {
        struct node_head head;
        memcpy(&head, message.bytes, sizeof head);
        if (head.kind == NODE_GOODBYE) {
            return false;
        } else if (head.kind == NODE_BEAT) {
            agents_tell_ranks(node);
        } else if (answer != NULL) {
            answer(node, &head, message.bytes + sizeof head, message.length - sizeof head);
        }
    }
    return true;
}

static inline _Noreturn void agents_be(agents_answer_fn *answer)
{
    struct job_key key;
    const char *why = "";
    job_key_read(strdup(getenv(GATHER_VARIABLE)), &key);
    for (int node = 0; node < node_count; node++) {
        char name[32];
        snprintf(name, sizeof name, "crowd %d", node);
        links[node] = link_connect(&key, name, key.addresses[0], &why);
        if (links[node] == NULL) {
            agents_give_up(why);
        }
        agents_say_hello(node);
        agents_tell_ranks(node);
    }
    for (const int64_t begun = clock_ms(); clock_ms() - begun < LIFE; usleep(2000)) {
        for (int node = 0; node < node_count; node++) {
            if (!agents_take(node, answer)) {
                exit(0);
            }
        }
    }
    exit(1);
}

/* Opens the nodes of `mpipp run', in this process. VERSION: MPIPP_VERSION. */
static inline pid_t agents_start(const char *version, agents_answer_fn *answer)
{
    agents_version = version;
    setenv("MPIPP_NODE_SIZE", "1", 1); /* all is on this machine */
    node_make();
    nodes_open();
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        agents_be(answer);
    }
    return child;
}

/* In no order. */
static inline void agents_begin_ranks(struct findings *findings)
{
    const int all = node_count * rank_count;
    for (int i = 0; i < all; i++) {
        const int rank = (int)((int64_t)i * 7919 % all);
        char line[512], key[64];
        snprintf(key, sizeof key, "node%d-%d", rank / rank_count, rank);
        snprintf(line, sizeof line,
                 "{\"record\": \"begin\", \"rank\": %d, \"size\": %d, \"pid\": %" PRId64
                 ", \"host\": \"node%d\", \"mpi\": \"MPICH\", \"program\": \"/app\"}",
                 rank, all, agents_pid(rank / rank_count, rank % rank_count), rank / rank_count);
        findings_line(findings, key, line, strlen(line));
    }
}

static inline size_t agents_known(void)
{
    size_t count = 0;
    for (size_t i = 0; i < nodes_all.count; i++) {
        count += nodes_all.nodes[i]->rank_count;
    }
    return count;
}

static inline void agents_wait(void)
{
    for (const int64_t begun = clock_ms();
         agents_known() < (size_t)node_count * (size_t)rank_count &&
         clock_ms() - begun < 100 * SECOND;) {
        nodes_take_messages(100);
    }
}

static inline void agents_end(pid_t child)
{
    nodes_tell_all(NODE_GOODBYE, NULL, 0);
    waitpid(child, NULL, 0);
}

/* Returns false if the numbers of nodes and ranks are none. */
static inline bool agents_count(char **arguments)
{
    node_count = atoi(arguments[0]);
    rank_count = atoi(arguments[1]);
    return node_count >= 1 && node_count <= MOST_NODES && rank_count >= 1;
}

#endif
