/*
 * Neighbourhood collectives: what a rank sends along each edge of the topology against what its neighbour receives.
 *
 * Between two ranks there may be several edges. Of a grid they are told apart: what goes down in a dimension comes from
 * above there. Of a graph MPI does not say which is which: the ranks disagree if there is no way to pair them.
 */
#ifndef ST_RUNTIME_RANKS_EDGES_H
#define ST_RUNTIME_RANKS_EDGES_H

#include "core/agree/meeting.h"
#include "runtime/ranks/differs.h"

/* As st_pairs_leave() and st_pairs_compare() (paired.h). */
bool st_edges_leave(const struct st_form *form, const struct st_comm *comm, const uint64_t *values,
                    struct st_collective *call);
void st_edges_compare(const struct st_differing *differing, struct st_meeting_point *meeting,
                      uint64_t key);

#endif
