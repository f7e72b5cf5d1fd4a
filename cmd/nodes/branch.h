/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An agent to which other agents come, so that few come to `mpipp run` itself. It passes on what they say, several messages in
 * one, and leaves out the digests of collective calls that were passed on already: `mpipp run` needs only those that differ.
 *
 *     struct branch *branch = branch_open(&key, &where);          // NULL: that is not possible; WHERE is for `mpipp run`
 *     branch_take(branch, now);                                   // when branch_file() is readable, and after branch_wait()
 *     if ((up = branch_up(branch, now, &length)) != NULL) { ... send it as UP ... }
 *     branch_down(branch, body, length);                          // what came as DOWN
 *     branch_beat(branch);
 */
#ifndef MPIPP_NODES_BRANCH_H
#define MPIPP_NODES_BRANCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job_key.h"
#include "protocol.h"

struct branch;

struct branch *branch_open(const struct job_key *key, struct node_branch *where);

/* A descriptor to poll; -1 if BRANCH is NULL. */
int branch_file(const struct branch *branch);

/* Milliseconds until something has to be passed on; -1: nothing is there. */
int branch_wait(const struct branch *branch, int64_t now);

/* Takes what the agents have sent. */
void branch_take(struct branch *branch, int64_t now);

/* What has to be passed on now, until the next branch_take(); NULL: nothing. */
const char *branch_up(struct branch *branch, int64_t now, size_t *length);

/* How many messages were dropped since the last time: those above 16 MiB, while nobody took what has to be passed on. */
uint64_t branch_dropped(struct branch *branch);

/* Sends a message to the agent that it is for. */
void branch_down(struct branch *branch, const char *body, size_t length);

/* Lets all agents know that `mpipp run` is there. */
void branch_beat(struct branch *branch);

/* What is left of calls (packed.h) that were not passed on yet, of this node, in new memory; NULL: nothing. */
char *branch_fresh(struct branch *branch, const char *calls, size_t length, size_t *fresh);

/* What was passed on may be lost: it is passed on again. */
void branch_forget(struct branch *branch);

/* Waits a little for what is still to be sent. */
void branch_close(struct branch *branch);

#endif
