/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/edges.h"

#include "core/agree/edges.h"
#include "runtime/ranks/paired.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/neighbours.h"
#include "runtime/wrap/parts.h"

/* --- writing ------------------------------------------------------------------------------- */

static bool is_known(const struct st_facts *facts, const struct st_part *part)
{
    return !(part->counts && !facts->values[part->count]) &&
           !(part->types && !facts->values[part->type]);
}

/* Writes the edges of a part, to the neighbours `peers`. `turned`: an edge to number 2 i of a grid
 * is the receiver's edge from number 2 i + 1. */
static void write_edges(const struct st_facts *facts, const struct st_part *part,
                        const struct st_neighbours *list, const int *peers, int count, bool turned,
                        struct st_rank_pair *edges)
{
    const bool alike = !part->counts && !part->types;
    for (int i = 0; i < count; i++) {
        const bool nothing = !alike && peers[i] == st_numbers.proc_null;
        edges[i] = alike && i ? edges[0]
                              : st_pair_of(st_part_type(facts, part, i),
                                           nothing ? 0 : st_part_count(facts, part, i));
    }
    for (int i = 0; i < count; i++) {
        const int edge = !list->is_grid ? 0 : turned ? i ^ 1 : i;
        st_pair_set_edge(&edges[i], peers[i], (uint16_t)edge);
    }
}

bool st_edges_leave(const struct st_form *form, const struct st_comm *comm, const uint64_t *values,
                    struct st_collective *call)
{
    const struct st_facts facts = {.form = form, .values = values};
    const struct st_part *send = &form->parts[0], *receive = &form->parts[1];
    struct st_neighbours list;
    if (!st_ask_neighbour_list(comm->handle, comm->rank, &list)) {
        return false;
    }
    if (!is_known(&facts, send)) {
        list.destinations = 0;
    }
    if (!is_known(&facts, receive)) {
        list.sources = 0;
    }
    struct st_rank_pair *edges = st_pairs_room(list.destinations, list.sources, call);
    if (!edges) {
        return false;
    }
    write_edges(&facts, send, &list, list.to, list.destinations, true, edges);
    write_edges(&facts, receive, &list, list.from, list.sources, false, edges + list.destinations);
    return true;
}

/* --- comparing ----------------------------------------------------------------------------- */

static bool add_edge(const struct st_rank_pair *edge, void *context)
{
    return st_edges_add(context, edge);
}

/* Reads the edges to, or from, one peer. Returns false if some are missing or not known. */
static bool read_edges(const struct st_collective *call, bool sends, int32_t peer,
                       struct st_edges *edges)
{
    edges->count = 0;
    return st_pairs_between(call, sends, peer, add_edge, edges);
}

/* Returns true if the edges that one sends cannot be matched with those that the other receives. */
bool st_edges_differ(struct st_unequal_pair *unequal)
{
    struct st_edges sent, received;
    return read_edges(unequal->from, true, unequal->to->member, &sent) &&
           read_edges(unequal->to, false, unequal->from->member, &received) &&
           st_edges_are_unequal(&sent, &received, &unequal->sent, &unequal->received);
}
