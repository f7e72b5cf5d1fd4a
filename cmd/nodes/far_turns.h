/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The turns of ranks from one communicator to another, told by an agent to `mpipp run`, which looks for circles among those
 * of all nodes (watch/circles.h).
 *
 *     struct turn_scan *scan = turn_scan_new();                       // the agent
 *     char *bytes = turn_scan_take(scan, &length);                    // what is new
 *     far_take_turns(node, bytes, length);                            // `mpipp run` keeps the last ones of each rank
 *     struct far_order *list = far_list_orders(&count);
 */
#ifndef MPIPP_NODES_FAR_TURNS_H
#define MPIPP_NODES_FAR_TURNS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "core/agree/orders.h"

/* --- in an agent ----------------------------------------------------------------------------------- */

struct turn_scan;
struct turn_scan *turn_scan_new(void);

/* The turns of the node's ranks since the last time, as struct far_turns for each rank that has some, in new
 * memory; NULL: there are none. Of very many only the last ones are told. */
char *turn_scan_take(struct turn_scan *scan, size_t *length);

struct far_turn_request;
/* turn_described() (watch/turns.h) of the node's rank. */
json_t *turn_answer(const struct far_turn_request *request);

/* --- in `mpipp run` -------------------------------------------------------------------------------- */

struct far_rank;
/* A rank of another node that has turned. */
struct far_order {
    struct far_rank *far;
    int rank; /* in its MPI_COMM_WORLD */
    int64_t pid;
    const char *host;
    const struct st_order_turn *turns; /* without a gap, oldest first */
    size_t count;
};

/* In new memory, which has the turns, too. */
struct far_order *far_list_orders(size_t *count);

/* How many turns have been told by now. */
uint64_t far_count_turns(void);

/* Asks the agent for turn_described(). Returns NULL if it does not answer. */
json_t *far_turn(struct far_rank *far, const struct st_order_turn *turn, uint64_t number);

#endif
