/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The edges of a topology between two ranks, in one direction, as the sender and as the receiver have
 * published them (pairs.h). There may be several.
 *
 * In a neighbourhood collective, what goes along an edge is compared. In a grid edges can be distinguished: what goes
 * down in a dimension comes from above there. In a graph MPI does not say which is which: the ranks disagree if
 * the edges cannot be matched in any order.
 *
 * For MPI_Dist_graph_create_adjacent the edges themselves are compared: each must be named by both ranks, equally often
 * and with the same weights, in any order.
 *
 *     struct st_edges sent = {0}, received = {0};
 *     ... of each edge: if (!st_edges_add(&sent, &edge)) { ... cannot be compared ... } ...
 *     if (st_edges_are_unequal(&sent, &received, &one, &other)) { ... they send one, and receive the other ... }
 */
#ifndef ST_CORE_AGREE_EDGES_H
#define ST_CORE_AGREE_EDGES_H

#include <stdbool.h>

#include "core/agree/pairs.h"

/* --- data along edges ---------------------------------------------------------------------------- */

enum { ST_MOST_EDGES = 8 }; /* between two ranks: more are not compared */
struct st_edges {
    struct st_rank_pair list[ST_MOST_EDGES];
    int count;
};

/* Returns false if the data of the edge is not known, or if there are too many. */
bool st_edges_add(struct st_edges *edges, const struct st_rank_pair *edge);

/* Returns true if they cannot be matched. Then *sent is the first edge that has no match, and *received one that it
 * could have been. `in` may be changed. */
bool st_edges_are_unequal(const struct st_edges *out, struct st_edges *in,
                          struct st_rank_pair *sent, struct st_rank_pair *received);

/* --- edges that ranks name ----------------------------------------------------------------------- */

struct st_edge_sum {
    int64_t count;
    uint64_t weights; /* equal for the same weights in any order */
    bool has_weights;
};

/* An edge with a weight has ST_COLLECTIVE_SIGNATURE, and its weight is `length`. */
void st_edge_sum_add(struct st_edge_sum *sum, const struct st_rank_pair *edge);
bool st_edge_sums_differ(const struct st_edge_sum *named, const struct st_edge_sum *expected);

#endif
