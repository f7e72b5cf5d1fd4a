/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports ranks that disagree in a collective call: who calls what, and where.
 */
#ifndef ST_RUNTIME_RANKS_DIFFERS_H
#define ST_RUNTIME_RANKS_DIFFERS_H

#include "core/agree/segment.h"
#include "runtime/wrap/facts.h"

struct st_differing {
    const struct st_form *form; /* this rank's call */
    const struct st_call *call;
    const uint64_t *values;
    uint32_t rules; /* enum st_rule */
    int comm;       /* the parameter with the communicator, window or file; -1: there is none */
    bool is_of_two; /* the calls are counted for each pair of ranks (partners.h) */
    const struct st_collective *mine;
};

/* `other` is the call of a rank that disagrees. */
void st_differs_tell(const struct st_differing *differing, const struct st_collective *other);

/* A rank sends something else to another one than that receives. */
struct st_unequal_pair {
    const struct st_collective *from, *to;
    struct st_rank_pair sent, received;
    bool are_edges; /* edges of a new topology: the lengths are the numbers of edges that each of
                       the two names */
};
void st_differs_tell_pair(const struct st_differing *differing,
                          const struct st_unequal_pair *unequal);

#endif
