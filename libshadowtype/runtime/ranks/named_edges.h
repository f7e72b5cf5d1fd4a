/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Dist_graph_create_adjacent: each edge must be named by its source and by its destination,
 * equally often and with the same weights. The order of the edges does not matter.
 */
#ifndef ST_RUNTIME_RANKS_NAMED_EDGES_H
#define ST_RUNTIME_RANKS_NAMED_EDGES_H

#include "runtime/ranks/paired.h"

/* See st_pairs_leave() and st_counts_differ() (paired.h). */
bool st_named_edges_leave(const struct st_form *form, const uint64_t *values,
                          struct st_collective *call);
st_pairs_differ_fn st_named_edges_differ;

#endif
