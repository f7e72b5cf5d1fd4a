/*
 * Collective calls with counts of their own for each two ranks: what one sends against what the other receives.
 */
#ifndef ST_RUNTIME_RANKS_PAIRED_H
#define ST_RUNTIME_RANKS_PAIRED_H

#include "core/agree/meeting.h"
#include "runtime/ranks/differs.h"

/* Writes what the call sends and receives into this rank's area, and call->pairs. */
void st_pairs_tell(const struct st_form *form, const struct st_comm *comm, const uint64_t *values,
                   struct st_collective *call);

/* Holds it against the calls of all ranks that are there: the later one of two finds what is wrong between them.
 * The own call stands in the area. */
void st_pairs_compare(struct st_differing *differing, struct st_meeting_point *meeting,
                      uint64_t key);

#endif
