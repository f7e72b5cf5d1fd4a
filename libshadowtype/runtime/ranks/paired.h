/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares collective calls that have separate counts for each pair of ranks, as MPI_Alltoallv:
 * what one rank sends with what the other receives.
 */
#ifndef ST_RUNTIME_RANKS_PAIRED_H
#define ST_RUNTIME_RANKS_PAIRED_H

#include "core/agree/meeting.h"
#include "runtime/ranks/differs.h"

/* The signature of `count` elements of a type. */
struct st_rank_pair st_pair_of(uint64_t type, int64_t count);

/* Reserves memory in this rank's area for so many entries of what a call sends, followed by those
 * of what it receives, and fills call->pairs. Returns NULL if there is not enough memory. */
struct st_rank_pair *st_pairs_room(int64_t sends, int64_t receives, struct st_collective *call);

/* Writes what the call sends and receives to this rank's area, and fills call->pairs. Returns false
 * if there is not enough memory. */
bool st_pairs_leave(const struct st_form *form, const struct st_comm *comm, const uint64_t *values,
                    struct st_collective *call);

/* A call of this rank that is in its area, and the place where the ranks' calls are compared. */
struct st_pairing {
    const struct st_differing *differing;
    struct st_meeting_point *meeting;
    uint64_t key;
};

/* Returns true if the data of `from` about `to` does not match the data of `to` about `from`. Then
 * fills in the rest. */
typedef bool st_pairs_differ_fn(struct st_unequal_pair *unequal);

/* Compares the call with those of all ranks that have written theirs. Of two ranks, the later one
 * finds an error between them. Returns false if the data of some ranks is not there any more. */
bool st_pairs_compare(const struct st_pairing *pairing, st_pairs_differ_fn *differ);

/* Does the same, faster, for a call of st_pairs_leave(). */
bool st_counts_compare(const struct st_pairing *pairing);

/* Calls `each` for every entry of a rank's call that belongs to `peer`, of what it sends or
 * receives. Returns false if some entries are no longer there, or if `each` returns false. */
bool st_pairs_between(const struct st_collective *call, bool sends, int32_t peer,
                      bool (*each)(const struct st_rank_pair *pair, void *context), void *context);

/* True if the data that one rank sends does not match what the other receives, with separate counts
 * on each side. */
st_pairs_differ_fn st_counts_differ;

#endif
