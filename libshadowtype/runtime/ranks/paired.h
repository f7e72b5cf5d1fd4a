/*
 * Collective calls with counts of their own for each two ranks: what one sends against what the other receives.
 */
#ifndef ST_RUNTIME_RANKS_PAIRED_H
#define ST_RUNTIME_RANKS_PAIRED_H

#include "core/agree/meeting.h"
#include "runtime/ranks/differs.h"

/* The signature of `count` elements of a type. */
struct st_rank_pair st_pair_of(uint64_t type, int64_t count);

/* Room in this rank's area for so many entries of what a call sends, and behind them of what it receives; fills call->pairs. NULL:
 * it would be too much. */
struct st_rank_pair *st_pairs_room(int64_t sends, int64_t receives, struct st_collective *call);

/* Leaves what the call sends and receives in this rank's area, and fills call->pairs. False: it would be too much. */
bool st_pairs_leave(const struct st_form *form, const struct st_comm *comm, const uint64_t *values,
                    struct st_collective *call);

/* A call of this rank that stands in its area, and where the ranks meet in it. */
struct st_pairing {
    const struct st_differing *differing;
    struct st_meeting_point *meeting;
    uint64_t key;
};

/* Returns true if what `from` says of `to` is not what `to` says of `from`; fills in the rest then. */
typedef bool st_pairs_differ_fn(struct st_unequal_pair *unequal);

/* Holds the call against those of all ranks that are there: the later one of two finds what is wrong between them. */
void st_pairs_compare(const struct st_pairing *pairing, st_pairs_differ_fn *differ);

/* Calls `each` with every entry of a rank's call that is for `peer`, of what it sends or receives. Returns false if not all are
 * there any more, or if `each` does. */
bool st_pairs_between(const struct st_collective *call, bool sends, int32_t peer,
                      bool (*each)(const struct st_rank_pair *pair, void *context), void *context);

/* What one sends to the other against what that receives, each with counts of its own. */
st_pairs_differ_fn st_counts_differ;

#endif
