/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The points where the ranks of a node meet in a collective call: the first rank writes a digest of
 * its call, all others compare theirs with it. Equality is transitive, so each two that disagree
 * are found when the later one comes, before it enters MPI. A point is one cache line: the cost is
 * that the line moves from rank to rank.
 *
 *     struct st_comer mine = {.digest = st_collective_digest(&call), .rank = 3}, first;
 *     bool missed;
 *     switch (st_meeting_arrive(&meetings[place], key, &mine, &first, &missed)) {
 *     case ST_CAME_FIRST:     ... missed: others came meanwhile; look at the calls that they have written
 *     case ST_CAME_LATER:     ... if the digests differ, look at the call that rank `first.rank` has written
 *     case ST_CAME_MEANWHILE: ... the first one is about to write its digest, and will look
 *     case ST_CAME_TOO_LATE:  ... the point is used by another call: look at the calls that all others have written
 *     }
 *
 * Each rank has written its call into its own area before (segment.h): if a rank comes while the
 * first one writes, one of the two sees the other. A point belongs to one call until another one
 * takes it: after as many calls of the communicator as there are points, or when another
 * communicator uses the same point.
 *
 * Nobody waits. A rank that is killed while it writes leaves a point that is not used any more.
 */
#ifndef ST_CORE_AGREE_MEETING_H
#define ST_CORE_AGREE_MEETING_H

#include <stdbool.h>
#include <stdint.h>

struct st_meeting_point {
    uint64_t claim;  /* key of the call that the point belongs to */
    uint64_t ready;  /* the same, once the first one's digest and rank are written; 0 meanwhile */
    uint64_t digest; /* of the first one's call */
    uint64_t rank;   /* the first one's index in the table of ranks */
    uint64_t missed; /* the key, if another rank came meanwhile */
    uint64_t before; /* key of the call that the point belonged to before */
    uint64_t told;   /* the key, if a rank has reported it */
    uint64_t spare;
};
_Static_assert(sizeof(struct st_meeting_point) == 64, "a cache line");

/* A rank that comes to a call. */
struct st_comer {
    uint64_t digest; /* st_collective_digest() */
    uint32_t rank;   /* its index in the table of ranks */
};

enum st_arrival { ST_CAME_FIRST, ST_CAME_LATER, ST_CAME_MEANWHILE, ST_CAME_TOO_LATE };

/* *first is set by CAME_LATER, *missed by CAME_FIRST. */
enum st_arrival st_meeting_arrive(struct st_meeting_point *meeting, uint64_t key,
                                  const struct st_comer *mine, struct st_comer *first,
                                  bool *missed);

/* Returns true for one caller only: that one must report what is wrong with this call. */
bool st_meeting_tells(struct st_meeting_point *meeting, uint64_t key);

#endif
