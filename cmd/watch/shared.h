/*
 * What the ranks tell each other (libshadowtype/core/agree/segment.h), as mpipp reads it from the memory that it has made for
 * them: while they run, and when they have ended.
 *
 *     struct shared shared = {0};
 *     if (shared_map(&shared)) { ... shared_area(&shared, 0) ... shared_unmap(&shared); }
 */
#ifndef CMD_WATCH_SHARED_H
#define CMD_WATCH_SHARED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/agree/segment.h"

struct shared {
    const uint8_t *bytes;
    size_t length;
    const struct st_segment *head;
    const struct st_segment_rank *ranks;
    const struct st_meeting_point *meetings;
    uint32_t rank_count;
};

/* Returns false if there is none. */
bool shared_map(struct shared *shared);
void shared_unmap(struct shared *shared);

/* Returns NULL if the rank has made none. */
const struct st_rank_area *shared_area(const struct shared *shared, uint32_t rank);

/* Its number in MPI_COMM_WORLD. */
int shared_rank(const struct shared *shared, uint32_t rank);

/* Whether ranks have made different calls on a communicator: its numbers mean nothing from there on. */
bool shared_has_ended(const struct shared *shared, uint64_t comm);

/* A function that a rank has called, st_collective.called, in new memory. */
char *shared_function(const struct shared *shared, uint32_t rank, uint32_t called);

/* A call site of a rank's, st_collective.place, as in a record of a finding; empty: not known. */
json_t *shared_frames(const struct shared *shared, uint32_t rank, uint32_t place);

#endif
