/*
 * Neighbourhood collectives: what a rank sends along each edge of the topology against what its neighbour receives.
 *
 * Between two ranks there may be several edges. Of a grid they are told apart: what goes down in a dimension comes from
 * above there. Of a graph MPI does not say which is which: the ranks disagree if there is no way to pair them.
 */
#ifndef ST_RUNTIME_RANKS_EDGES_H
#define ST_RUNTIME_RANKS_EDGES_H

#include "runtime/ranks/paired.h"

/* As st_pairs_leave() and st_counts_differ() (paired.h). */
bool st_edges_leave(const struct st_form *form, const struct st_comm *comm, const uint64_t *values,
                    struct st_collective *call);
st_pairs_differ_fn st_edges_differ;

#endif
