/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The points where the ranks of a node meet in a collective call: the first rank writes a digest of
 * its call, all others compare theirs with it. Equality is transitive, so each two that disagree
 * are found when the later one comes, before it enters MPI. The cost is that the point's cache line
 * moves from rank to rank: so a point is small, and several lie in one line.
 *
 *     const struct st_comer mine = {.digest = st_collective_digest(&call), .rank = 3};
 *     uint32_t first;
 *     switch (st_meeting_arrive(&meetings[place], key, &mine, &first)) {
 *     case ST_CAME_FIRST:     ... others will compare theirs with it
 *     case ST_CAME_ALIKE:     ... the first one's digest is the same
 *     case ST_CAME_OTHERWISE: ... it is not: look at the call that rank `first` has written
 *     case ST_CAME_TOO_LATE:  ... the point is used by another call: look at the calls that all others have written
 *     }
 *
 * Each rank has written its call into its own area before (segment.h). A point belongs to one call
 * until another one takes it: after as many calls of the communicator as there are points, or when
 * another communicator uses the same point.
 *
 * Calls are told apart by 24 bits of their key. If a point has been left by a call with the same 24
 * bits, the digests say nothing: ranks whose digest differs from that one look at each other's
 * calls, which have the whole key. So nothing wrong is ever reported, and what differs is found.
 *
 * Nobody waits. A rank that is killed between its two words leaves a point that is not used any
 * more.
 */
#ifndef ST_CORE_AGREE_MEETING_H
#define ST_CORE_AGREE_MEETING_H

#include <stdbool.h>
#include <stdint.h>

struct st_meeting_point {
    uint64_t call;  /* 24 bits of the call's key, 40 of the first one's digest; 0: not used */
    uint64_t first; /* the same 24 bits, 24 bits of the key of the call before, and the first one's
                       index in the table of ranks; stored after `call` */
    uint64_t told;  /* the key, if a rank has reported it */
    uint64_t spare;
};
_Static_assert(64 % sizeof(struct st_meeting_point) == 0, "never in two cache lines");

/* A rank that comes to a call. */
struct st_comer {
    uint64_t digest; /* st_collective_digest() */
    uint32_t rank;   /* its index in the table of ranks, below 2^16 */
};

enum st_arrival { ST_CAME_FIRST, ST_CAME_ALIKE, ST_CAME_OTHERWISE, ST_CAME_TOO_LATE };
#define ST_NOT_KNOWN_WHO UINT32_MAX

/* `key` is st_collective_key() of the call. *first is set by CAME_OTHERWISE: the index of the first
 * rank, or ST_NOT_KNOWN_WHO. */
enum st_arrival st_meeting_arrive(struct st_meeting_point *meeting, uint64_t key,
                                  const struct st_comer *mine, uint32_t *first);

/* Returns true for one caller only: that one must report what is wrong with this call. */
bool st_meeting_tells(struct st_meeting_point *meeting, uint64_t key);

#endif
