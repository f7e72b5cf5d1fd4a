/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbourhood collectives: compares what a rank sends along each edge of the topology with what
 * its neighbour receives (core/agree/edges.h).
 */
#ifndef ST_RUNTIME_RANKS_EDGES_H
#define ST_RUNTIME_RANKS_EDGES_H

#include "runtime/ranks/paired.h"

/* See st_pairs_leave() and st_counts_differ() (paired.h). */
bool st_edges_leave(const struct st_form *form, const struct st_comm *comm, const uint64_t *values,
                    struct st_collective *call);
st_pairs_differ_fn st_edges_differ;

#endif
