/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/named_edges.h"

#include "core/agree/edges.h"
#include "runtime/wrap/constants.h"

/* --- writing ------------------------------------------------------------------------------- */

/* MPI_Dist_graph_create_adjacent(comm, indegree, sources, sourceweights, outdegree, destinations, destweights, ...) */
struct st_named_list {
    int degree, ranks, weights; /* parameters */
};
static const struct st_named_list incoming = {1, 2, 3}, outgoing = {4, 5, 6};

/* Returns -1 if the arrays cannot be read. */
static int64_t count_edges(const uint64_t *values, const struct st_named_list *list)
{
    const int64_t count = (int64_t)values[list->degree];
    return count == 0 || (values[list->ranks] && values[list->weights]) ||
                   (values[list->ranks] && values[list->weights] == st_numbers.unweighted)
               ? count
               : -1;
}

/* An edge with a weight has SIGNATURE. */
static void write_list(const struct st_facts *facts, const struct st_named_list *list,
                       int64_t count, struct st_rank_pair *edges)
{
    const bool has_weights = facts->values[list->weights] != st_numbers.unweighted;
    for (int64_t i = 0; i < count; i++) {
        edges[i] = (struct st_rank_pair){0};
        if (has_weights) {
            edges[i].flags = ST_COLLECTIVE_SIGNATURE;
            edges[i].length = st_number_at(facts, list->weights, i);
        }
        st_pair_set_edge(&edges[i], (int32_t)st_number_at(facts, list->ranks, i), 0);
    }
}

bool st_named_edges_leave(const struct st_form *form, const uint64_t *values,
                          struct st_collective *call)
{
    const struct st_facts facts = {.form = form, .values = values};
    const int64_t sends = count_edges(values, &outgoing), receives = count_edges(values, &incoming);
    if (sends < 0 || receives < 0) {
        return false;
    }
    struct st_rank_pair *edges = st_pairs_room(sends, receives, call);
    if (!edges) {
        return false;
    }
    write_list(&facts, &outgoing, sends, edges);
    write_list(&facts, &incoming, receives, edges + sends);
    return true;
}

/* --- comparing ----------------------------------------------------------------------------- */

static bool count_edge(const struct st_rank_pair *edge, void *context)
{
    st_edge_sum_add(context, edge);
    return true;
}

/* `sends`: sums those that the call's rank names to `peer`, else those from it. Returns false if
 * they are gone. */
static bool sum_edges(const struct st_collective *call, bool sends, int32_t peer,
                      struct st_edge_sum *sum)
{
    *sum = (struct st_edge_sum){0};
    return st_pairs_between(call, sends, peer, count_edge, sum);
}

/* Returns true if the two ranks do not name the same edges from the one to the other. */
bool st_named_edges_differ(struct st_unequal_pair *unequal)
{
    struct st_edge_sum named, expected;
    unequal->are_edges = true;
    if (!sum_edges(unequal->from, true, unequal->to->member, &named) ||
        !sum_edges(unequal->to, false, unequal->from->member, &expected)) {
        return false;
    }
    unequal->sent.length = named.count;
    unequal->received.length = expected.count;
    return st_edge_sums_differ(&named, &expected);
}
