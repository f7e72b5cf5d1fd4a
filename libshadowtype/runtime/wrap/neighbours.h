/*
 * The neighbours of this rank in the topology of a communicator, in the order of the neighbourhood collectives
 * (MPI-4.0, 8.6). Asks MPI, past all wrappers.
 */
#ifndef ST_RUNTIME_WRAP_NEIGHBOURS_H
#define ST_RUNTIME_WRAP_NEIGHBOURS_H

#include <stdbool.h>
#include <stdint.h>

enum { ST_MOST_NEIGHBOURS = 64 };

struct st_neighbours {
    bool is_grid; /* in each dimension the one below, then the one above */
    int sources, destinations;
    int from[ST_MOST_NEIGHBOURS], to[ST_MOST_NEIGHBOURS]; /* ranks, or MPI_PROC_NULL */
};

/* Returns false if they are not known, or more than ST_MOST_NEIGHBOURS. `rank`: the own one. */
bool st_ask_neighbour_list(uint64_t comm, int rank, struct st_neighbours *list);

#endif
