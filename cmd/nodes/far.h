/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank on another node, as its agent shows it to `mpipp run`. Its memory is asked for, and waited for, but never for long;
 * what was read is kept.
 *
 *     struct far_rank *far = nodes_find_rank(host, pid);
 *     const struct far_state *state = far_now(far);          // once a second
 *     far_examine(list, count, taken, context);              // all that wait, at once: taken() has the answers
 *     if (far_read(far, address, buffer, length)) { ... }
 */
#ifndef MPIPP_NODES_FAR_H
#define MPIPP_NODES_FAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "protocol.h"
#include "states.h"

struct far_rank;
struct memory_place;

/* What its agent said last; NULL if nothing has been heard of the agent for some seconds. */
const struct far_state *far_now(const struct far_rank *far);

/* True once after each time that its agent says so: a rank of the node has begun or left a call that
 * waits. */
bool far_has_moved(struct far_rank *far);

/* What the rank number INDEX of the list waits for, which is ONE of STATES: whoever needs it for longer shares them
 * (states.h). */
typedef void far_taken_fn(void *context, size_t index, struct states *states,
                          const struct states_one *one);

/* Asks the agents to look at these ranks, and waits for the answers for a few seconds at most: TAKEN is called for each rank
 * whose agent has answered, if the rank could be read. */
void far_examine(struct far_rank *const *list, size_t count, far_taken_fn *taken, void *context);

/* Keeps nothing of its memory any more. */
void far_forget(struct far_rank *far);

/* Returns false if the memory is not there, or if the agent does not answer in time. */
bool far_read(struct far_rank *far, uint64_t address, void *buffer, size_t length);

/* As memory_place_of() (watch/memory.h), on the rank's node. */
bool far_place(struct far_rank *far, uint64_t address, struct memory_place *place);

/* --- far_described.c: what ranks do, in words ---------------------------------------------------- */

/* Asks the agents what their ranks do, if they are not being asked now. */
void far_describe(int64_t now);

/* True if all have answered, or had time to. The next far_describe() asks anew then. */
bool far_are_described(int64_t now);

/* As described_rank() (watch/described.h); NULL if the agent has not answered. It is there until the next
 * far_describe(). */
const json_t *far_described(const struct far_rank *far);

#endif
