/*
 * Where the ranks of a node meet in a collective call: the first one leaves a digest of its call, all others hold
 * theirs against it. Equality is transitive, so each two that disagree are found when the later one comes,
 * before it enters MPI. A place is one cache line: what it costs is that the line moves from rank to rank.
 *
 *     struct st_comer mine = {.digest = st_collective_digest(&call), .rank = 3}, first;
 *     bool missed;
 *     switch (st_meeting_arrive(&meetings[place], key, &mine, &first, &missed)) {
 *     case ST_CAME_FIRST:     ... missed: others came meanwhile; look at the calls that they have left
 *     case ST_CAME_LATER:     ... if the digests differ, look at the call that rank `first.rank` has left
 *     case ST_CAME_MEANWHILE: ... the first one is about to leave its digest, and will look
 *     case ST_CAME_TOO_LATE:  ... the place is another call's: look at the calls that all others have left
 *     }
 *
 * Each rank has left its call in its own area before (segment.h): of a rank that comes while the first one writes,
 * one of the two sees the other. A place belongs to one call until another one takes it: so many calls of the
 * communicator later as there are places, or where it is that of another communicator, too.
 *
 * Nobody waits. A rank that is killed while it writes leaves a place that is used no more.
 */
#ifndef ST_CORE_AGREE_MEETING_H
#define ST_CORE_AGREE_MEETING_H

#include <stdbool.h>
#include <stdint.h>

struct st_meeting_point {
    uint64_t claim; /* key of the call that the place belongs to */
    uint64_t
        ready; /* the same, once the first one's digest and rank are written; 0 while they are */
    uint64_t digest; /* of the first one's call */
    uint64_t rank;   /* the first one: its place in the table of ranks */
    uint64_t missed; /* the key, if somebody came meanwhile */
    uint64_t before; /* key of the call that the place belonged to before */
    uint64_t told;   /* the key, if somebody has reported it */
    uint64_t spare;
};
_Static_assert(sizeof(struct st_meeting_point) == 64, "a cache line");

/* Who comes to a call, and with what. */
struct st_comer {
    uint64_t digest; /* st_collective_digest() */
    uint32_t rank;   /* its place in the table of ranks */
};

enum st_arrival { ST_CAME_FIRST, ST_CAME_LATER, ST_CAME_MEANWHILE, ST_CAME_TOO_LATE };

/* *first is filled by CAME_LATER, *missed by CAME_FIRST. */
enum st_arrival st_meeting_arrive(struct st_meeting_point *meeting, uint64_t key,
                                  const struct st_comer *mine, struct st_comer *first,
                                  bool *missed);

/* True for one of those who ask: it is to report what is wrong with this call. */
bool st_meeting_tells(struct st_meeting_point *meeting, uint64_t key);

#endif
