/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds collective calls in which nodes disagree, from the digest that each node has of each call
 * (protocol.h: struct far_call). Where two digests differ, the calls themselves are asked for.
 *
 *     disagree_take(disagree, node, &call, now + NODE_TICK);
 *     while (disagree_next(disagree, now, &comm, &number, &ticket)) { ... ask all nodes ... }
 *     disagree_answer(disagree, ticket, json);             // of each of them
 *     while ((record = disagree_record(disagree, now, &told)) != NULL) { ... }
 */
#ifndef MPIPP_NODES_DISAGREE_H
#define MPIPP_NODES_DISAGREE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

struct disagree;

struct disagree *disagree_new(void);

/* A node says so of a call that one of its ranks has begun. Returns true if no other one has said anything of it. DUE: when
 * nodes are asked about it, if it differs; further ranks may come to the call until then. */
bool disagree_take(struct disagree *disagree, uint32_t node, const struct far_call *call,
                   int64_t due);

/* The digest that the first node has said of a call. Returns false if none has, or if it is forgotten. */
bool disagree_digest(const struct disagree *disagree, uint64_t comm, uint64_t number,
                     uint64_t *digest);

/* True if calls of another function were found on the communicator: nothing more of it is compared. */
bool disagree_has_ended(const struct disagree *disagree, uint64_t comm);

/* Returns a call that nodes have to be asked for: at once, with this ticket. ANSWERS: how many are asked. */
bool disagree_next(struct disagree *disagree, int64_t now, size_t answers, struct far_call *call,
                   uint32_t *ticket);

/* Takes a list of calls (calls.h), which it owns then. */
void disagree_answer(struct disagree *disagree, uint32_t ticket, json_t *calls);

/* How many calls were not compared because too many differed at a time, or because a node did not know them any more. */
unsigned long disagree_dropped(const struct disagree *disagree);

/* Of how many calls of several nodes the data from rank to rank (MPI_Alltoallv) was not compared, or not that of
 * all ranks. */
unsigned long disagree_unpaired(const struct disagree *disagree);

/* True if answers are waited for, or a question is to be asked in a moment; not if ranks are waited for. */
bool disagree_is_busy(const struct disagree *disagree, int64_t now);

/* How many questions are open. */
size_t disagree_open(const struct disagree *disagree);

/* An agent is lost: what was asked is judged soon, without its answers. */
void disagree_lose(struct disagree *disagree, int64_t now);

/* Asks at once from now on, because nothing more will come. Returns how many questions are open. */
size_t disagree_hurry(struct disagree *disagree);

/* Counts the questions that are still open as not compared. */
void disagree_give_up(struct disagree *disagree);

enum disagree_result {
    DISAGREE_NOTHING, /* no question has been answered since */
    DISAGREE_AGREE,   /* the calls agree although their digests differ */
    DISAGREE_TOLD,    /* ranks of a node have reported it */
    DISAGREE_DIFFERS  /* *record is the finding */
};

/* The result of the next question that all nodes have answered, or some of them for long enough. */
enum disagree_result disagree_result(struct disagree *disagree, int64_t now, struct far_call *call,
                                     json_t **record);

#endif
