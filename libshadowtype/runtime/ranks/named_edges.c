#include "runtime/ranks/named_edges.h"

#include "core/model/hash.h"
#include "runtime/ranks/node.h"
#include "runtime/record/lock.h"
#include "runtime/wrap/constants.h"

/* --- told ---------------------------------------------------------------------------------- */

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
    if (sends < 0 || receives < 0)
        return false;
    bool locked = st_lock();
    struct st_rank_pairs *pairs = st_pairs_take(&st_ranks_node.area->pairs, (uint64_t)sends,
                                                (uint64_t)receives, &call->pairs);
    st_unlock(locked);
    if (!pairs)
        return false;
    write_list(&facts, &outgoing, sends, pairs->list);
    write_list(&facts, &incoming, receives, pairs->list + sends);
    return true;
}

/* --- compared ------------------------------------------------------------------------------ */

/* The edges between two ranks, one way. */
struct st_edge_sum {
    int64_t count;
    uint64_t weights; /* equal for the same weights in any order */
    bool has_weights;
};

/* `sends`: those that the call's rank names to `peer`, else those from it. Returns false if they are gone. */
static bool sum_edges(const struct st_collective *call, bool sends, int32_t peer,
                      struct st_edge_sum *sum)
{
    const struct st_rank_area *area = st_node_area(call->rank);
    *sum = (struct st_edge_sum){0};
    if (!area)
        return false;
    const uint32_t count = st_pairs_count(&area->pairs, call->pairs, sends);
    for (uint32_t i = 0; i < count; i++) {
        struct st_rank_pair edge;
        if (!st_pairs_read(&area->pairs, call->pairs, sends, (int32_t)i, &edge))
            return false;
        if (st_pair_peer(&edge) != peer)
            continue;
        sum->count++;
        sum->weights += st_hash_word(1, (uint64_t)edge.length);
        sum->has_weights = edge.flags & ST_COLLECTIVE_SIGNATURE;
    }
    return st_pairs_are_there(&area->pairs, call->pairs);
}

/* Returns true if the two do not name the same edges from the one to the other. */
bool st_named_edges_differ(struct st_unequal_pair *unequal)
{
    struct st_edge_sum named, expected;
    unequal->are_edges = true;
    if (!sum_edges(unequal->from, true, unequal->to->member, &named) ||
        !sum_edges(unequal->to, false, unequal->from->member, &expected))
        return false;
    unequal->sent.length = named.count;
    unequal->received.length = expected.count;
    return named.count != expected.count ||
           (named.has_weights && expected.has_weights && named.weights != expected.weights);
}
