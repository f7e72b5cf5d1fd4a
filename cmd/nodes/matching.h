/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds messages between nodes that do not match their receives, from the sums of both ranks
 * (libshadowtype/core/agree/remote.h). Where the sums of as many messages differ, both ranks' last messages are asked
 * for: the receiver's first, so that all that it has received was sent when the sender's are taken.
 *
 *     matching_take(matching, &sums, now);
 *     while (matching_next(matching, now, &question, &ticket)) { ... ask all nodes ... }
 *     matching_answer(matching, ticket, json);             // of each of them
 *     while ((record = matching_record(matching, now)) != NULL) { ... }
 */
#ifndef MPIPP_NODES_MATCHING_H
#define MPIPP_NODES_MATCHING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

struct matching;

struct matching *matching_new(void);

/* The sums of a rank with a peer have changed. */
void matching_take(struct matching *matching, const struct far_sums *sums, int64_t now);

/* Returns a question that all nodes have to be asked: at once, with this ticket. */
bool matching_next(struct matching *matching, int64_t now, struct far_question *question,
                   uint32_t *ticket);

/* Takes a list of messages (exchange.h), which it owns then. NULL, or null: the node knows nothing of it. */
void matching_answer(struct matching *matching, uint32_t ticket, json_t *list);

/* Returns the next finding, as a new record for the process "pid"; NULL: there is none. */
json_t *matching_record(struct matching *matching, int64_t now);

/* All ranks have ended: nothing more will come, and what was not received is lost. Returns true if something is
 * open. */
bool matching_hurry(struct matching *matching);

/* How many received messages were not compared. */
uint64_t matching_uncompared(const struct matching *matching);

#endif
