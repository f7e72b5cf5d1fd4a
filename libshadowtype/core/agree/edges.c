/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/edges.h"

#include "core/model/hash.h"

bool st_edges_add(struct st_edges *edges, const struct st_rank_pair *edge)
{
    if (edges->count == ST_MOST_EDGES || !(edge->flags & ST_COLLECTIVE_SIGNATURE)) {
        return false;
    }
    edges->list[edges->count++] = *edge;
    return true;
}

/* Removes the matching edge from a list. Returns false if there is none. */
static bool take_edge(struct st_edges *edges, const struct st_rank_pair *like)
{
    for (int i = 0; i < edges->count; i++) {
        if (st_pair_edge(&edges->list[i]) == st_pair_edge(like) &&
            !st_pairs_differ(like, &edges->list[i])) {
            edges->list[i] = edges->list[--edges->count];
            return true;
        }
    }
    return false;
}

static bool find_edge(const struct st_edges *edges, uint32_t edge, struct st_rank_pair *found)
{
    for (int i = 0; i < edges->count; i++) {
        if (st_pair_edge(&edges->list[i]) == edge) {
            *found = edges->list[i];
            return true;
        }
    }
    return false;
}

bool st_edges_are_unequal(const struct st_edges *out, struct st_edges *in,
                          struct st_rank_pair *sent, struct st_rank_pair *received)
{
    bool found = false;
    if (out->count != in->count) {
        return false;
    }
    for (int i = 0; i < out->count; i++) {
        if (!take_edge(in, &out->list[i]) && !found) {
            *sent = out->list[i];
            found = true;
        }
    }
    return found && find_edge(in, st_pair_edge(sent), received);
}

void st_edge_sum_add(struct st_edge_sum *sum, const struct st_rank_pair *edge)
{
    sum->count++;
    sum->weights += st_hash_word(1, (uint64_t)edge->length);
    sum->has_weights = edge->flags & ST_COLLECTIVE_SIGNATURE;
}

bool st_edge_sums_differ(const struct st_edge_sum *named, const struct st_edge_sum *expected)
{
    return named->count != expected->count ||
           (named->has_weights && expected->has_weights && named->weights != expected->weights);
}
