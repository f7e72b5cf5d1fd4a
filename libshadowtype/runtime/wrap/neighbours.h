/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The neighbours of this rank in the topology of a communicator, in the order of the neighbourhood
 * collectives (MPI-4.0, 8.6). Asks MPI, without going through the wrappers.
 */
#ifndef ST_RUNTIME_WRAP_NEIGHBOURS_H
#define ST_RUNTIME_WRAP_NEIGHBOURS_H

#include <stdbool.h>
#include <stdint.h>

enum { ST_MOST_NEIGHBOURS = 64 };

struct st_neighbours {
    bool is_grid; /* Cartesian: in each dimension the lower neighbour, then the upper one */
    int sources, destinations;
    int from[ST_MOST_NEIGHBOURS], to[ST_MOST_NEIGHBOURS]; /* ranks, or MPI_PROC_NULL */
};

/* Returns false if they are not known, or if there are more than ST_MOST_NEIGHBOURS. `rank` is the
 * own rank. */
bool st_ask_neighbour_list(uint64_t comm, int rank, struct st_neighbours *list);

#endif
