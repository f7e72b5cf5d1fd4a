/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the data that the ranks publish to each other (libshadowtype/core/agree/segment.h), in the
 * memory that mpipp has created for them: while they run, and when they have ended.
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
    const struct st_ended_set *ended; /* the numbers of later calls on these mean nothing */
    const struct st_firsts *firsts;   /* NULL: the job has one node */
    uint32_t rank_count;
};

/* Returns false if there is no such memory. */
bool shared_map(struct shared *shared);
void shared_unmap(struct shared *shared);

/* Returns NULL if the rank has no area. */
const struct st_rank_area *shared_area(const struct shared *shared, uint32_t rank);

/* The rank's number in MPI_COMM_WORLD. */
int shared_rank(const struct shared *shared, uint32_t rank);

/* The function of a rank's call, from st_collective.called, in new memory. */
char *shared_function(const struct shared *shared, uint32_t rank, uint32_t called);

/* The frames of a rank's call site, from st_collective.place, in the form of a record; empty if not
 * known. */
json_t *shared_frames(const struct shared *shared, uint32_t rank, uint32_t place);

#endif
