/*
 * Where the ranks of a node meet in a collective call: the first one leaves its call, all others compare
 * theirs with it. Equality is transitive, so each two that disagree are found when the later one comes,
 * before it enters MPI.
 *
 *     bool missed;
 *     struct st_collective first;
 *     switch (st_meeting_arrive(&meetings[place], key, &mine, &first, &missed)) {
 *     case ST_CAME_FIRST:    ... missed: others came meanwhile; compare with what they have left themselves
 *     case ST_CAME_LATER:    ... compare with `first`
 *     case ST_CAME_MEANWHILE:... the first one is about to leave its call, and will compare
 *     case ST_CAME_TOO_LATE: ... the place is another call's: look at what the others have left themselves
 *     }
 *
 * What a rank calls it has written into its own area before (segment.h): of a rank that comes while the first
 * one writes, one of the two sees the other. A place belongs to one call until another one takes it: so many
 * calls of the communicator later as there are places, or where it is that of another communicator, too.
 *
 * Nobody waits. A rank that is killed while it writes leaves a place that is used no more.
 */
#ifndef ST_CORE_AGREE_MEETING_H
#define ST_CORE_AGREE_MEETING_H

#include "core/agree/collective.h"

struct st_meeting_point {
    uint64_t claim;  /* key of the call that the place belongs to */
    uint64_t ready;  /* the same, once `first` is written; 0 while it is */
    uint64_t missed; /* the same, if somebody came meanwhile */
    uint64_t told;   /* the same, if somebody has reported it */
    struct st_collective first;
    uint64_t before; /* key of the call that the place belonged to before */
};
_Static_assert(sizeof(struct st_meeting_point) == 128, "two cache lines");

enum st_arrival { ST_CAME_FIRST, ST_CAME_LATER, ST_CAME_MEANWHILE, ST_CAME_TOO_LATE };

enum st_arrival st_meeting_arrive(struct st_meeting_point *meeting, uint64_t key,
                                  const struct st_collective *mine, struct st_collective *first,
                                  bool *missed);

/* True for one of those who ask: it is to report what is wrong with this call. */
bool st_meeting_tells(struct st_meeting_point *meeting, uint64_t key);

#endif
