/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that all ranks of a node share: what they publish for each other about the collective
 * calls that they begin. `mpipp run` makes it, a memfd, and passes its name to the ranks; it lives
 * longer than they do.
 *
 *     MPIPP_NODE = host:PID:FD:nonce     →  /proc/PID/fd/FD
 *
 *     struct st_segment                               ST_SEGMENT_HEAD bytes: sizes, and communicators not compared
 *     struct st_segment_rank[ranks_room]              the ranks
 *     struct st_meeting_point[1 << log2_meetings]           (meeting.h) who came first to a collective call
 *     struct st_firsts                                (firsts.h) if the job has several nodes: their calls in order
 *     area_bytes for each rank:                       only that rank writes there, and only it makes the
 *       struct st_rank_area                                memory for it (posix_fallocate)
 *       struct st_message_room                             after it, if messages are compared (message.h): as many
 *                                                          places as the head says, the memory chunk by chunk
 *       struct st_access_room                              and one-sided calls (access.h)
 *       struct st_remote_room                              and messages of other nodes (remote.h)
 *
 * Rules:
 *   - Nobody waits here, and there is no lock: a process may be killed at any instruction. Data
 *     that is read is valid only if its word of publication is the same before and after.
 *   - Nothing in it is trusted: an offset or a length of another rank is checked against its area.
 *   - Numbers are in the node's byte order. A rank's number here is its index in the table of
 *     ranks.
 */
#ifndef ST_CORE_AGREE_SEGMENT_H
#define ST_CORE_AGREE_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/agree/access.h"
#include "core/agree/collective.h"
#include "core/agree/ended.h"
#include "core/agree/firsts.h"
#include "core/agree/meeting.h"
#include "core/agree/message.h"
#include "core/agree/orders.h"
#include "core/agree/pairs.h"
#include "core/agree/remote.h"
#include "core/agree/runs.h"

#define ST_NODE_VARIABLE "MPIPP_NODE"
#define ST_SEGMENT_MAGIC "mpippseg" /* 8 bytes, no terminator */
enum {
    ST_SEGMENT_VERSION = 19,
    ST_SEGMENT_HEAD = 4096, /* bytes */
    ST_SEGMENT_RANKS = 4096,
    ST_SEGMENT_LOG2_MEETINGS = 14,
    ST_AREA_BYTES = 344 * 1024,
    ST_AREA_LOG2_CALLS = 9,
    ST_AREA_LOG2_WAYS = 2,      /* calls of different communicators may have the same places */
    ST_AREA_PLACES = 64 * 1024, /* bytes of call sites */
    ST_AREA_FUNCTIONS = 64,
    ST_ACCESS_ROOM_BYTES = 1536 * 1024
};
_Static_assert(sizeof(struct st_access_room) <= ST_ACCESS_ROOM_BYTES, "whole pages");

struct st_segment {
    char magic[8];
    uint32_t version;
    uint32_t ranks_room;
    uint32_t log2_meetings;
    uint32_t area_bytes;
    uint32_t log2_messages; /* places of each rank's st_message_room; each process keeps a copy */
    uint32_t spare;
    uint64_t nonce;
    uint64_t bytes; /* of the head, the ranks, the points and the communicators that have ended */
    uint32_t rank_count; /* grows with each rank that comes, also beyond ranks_room */
    uint32_t has_firsts; /* the job has several nodes: there is a struct st_firsts */
};
_Static_assert(sizeof(struct st_segment) <= ST_SEGMENT_HEAD, "the head");

enum st_segment_state { ST_RANK_NONE, ST_RANK_THERE, ST_RANK_ENDED };

/* Written by `mpipp run` alone, which looks at the ranks once a second: since when a rank has been
 * in its call. In milliseconds of CLOCK_MONOTONIC. */
struct st_rank_watched {
    uint64_t identity; /* of the call (core/waits/since.h); stored last, 0 while `since` changes */
    int64_t since;     /* when it was first seen in this call */
    int64_t looked;    /* when it was last seen in it */
};

struct st_segment_rank {
    uint64_t gpid;
    uint64_t root;       /* address of its registry */
    uint64_t world_comm; /* st_collective.comm of its MPI_COMM_WORLD */
    int32_t pid;
    uint32_t state;        /* enum st_segment_state; stored last */
    uint32_t has_messages; /* it has made the room for them */
    uint32_t has_accesses; /* the same */
    uint32_t has_remote;   /* the same, for messages of other nodes */
    uint32_t spare;
    struct st_rank_watched watched;
};

/* The beginning of a call site; the description for other ranks follows (place.h). */
struct st_rank_place {
    uint32_t frames;
    uint32_t spare;
    uint64_t addresses
        []; /* of the frames, as in the rank's registry: they have no meaning in another process */
};

/* A call that the area's rank has begun. */
struct st_rank_call {
    uint64_t key; /* st_collective_key(); stored last, 0 while the rest changes */
    struct st_collective call;
};

/* The name of a function, for a reader of what a dead rank has written. */
struct st_rank_function {
    uint32_t number; /* st_collective.called + 1; stored last, 0: not used */
    char name[44];   /* "MPI_Bcast"; longer names are cut */
};

struct st_rank_area {
    struct st_rank_call
        calls[1 << ST_AREA_LOG2_CALLS]; /* the last calls, each at a place given by its key */
    uint8_t places[ST_AREA_PLACES];     /* call sites (runtime/ranks/places.h) */
    struct st_rank_pairs_room pairs;
    struct st_runs_room runs;
    struct st_rank_function functions[ST_AREA_FUNCTIONS]; /* those that were called first */
    struct st_order_room orders;
};
_Static_assert(sizeof(struct st_rank_area) <= ST_AREA_BYTES, "an area");
_Static_assert((offsetof(struct st_rank_area, pairs) + offsetof(struct st_rank_pairs_room, rows)) %
                       128 ==
                   0,
               "two cache lines");

/* Writes a call at its place; only for the rank that owns the area. */
void st_rank_call_write(struct st_rank_call *place, uint64_t key, const struct st_collective *call);
/* Returns false if another call is there, or if it is changing now. */
bool st_rank_call_read(const struct st_rank_call *place, uint64_t key, struct st_collective *call);

/* In the segment lie, one after the other: the head, the ranks, the meeting points, the
 * communicators that have ended, room for the calls of the first ranks (firsts.h), which only jobs of several
 * nodes use, and an area a rank. */
static inline uint64_t st_segment_ended(void)
{
    return ST_SEGMENT_HEAD + ST_SEGMENT_RANKS * sizeof(struct st_segment_rank) +
           (sizeof(struct st_meeting_point) << ST_SEGMENT_LOG2_MEETINGS);
}

static inline uint64_t st_segment_fixed_bytes(void)
{
    return (st_segment_ended() + sizeof(struct st_ended_set) + 4095) / 4096 * 4096;
}

static inline uint64_t st_segment_firsts(void)
{
    return st_segment_fixed_bytes();
}

static inline uint64_t st_segment_firsts_bytes(void)
{
    return (sizeof(struct st_firsts) + 4095) / 4096 * 4096;
}

/* What a rank has lies behind each other. `mask` is the number of places of each st_message_room, minus 1. */
static inline uint64_t st_segment_area(uint32_t rank, uint32_t mask)
{
    return st_segment_firsts() + st_segment_firsts_bytes() +
           (uint64_t)rank * (ST_AREA_BYTES + st_message_room_bytes(mask) + ST_ACCESS_ROOM_BYTES +
                             sizeof(struct st_remote_room));
}

static inline uint64_t st_segment_messages(uint32_t rank, uint32_t mask)
{
    return st_segment_area(rank, mask) + ST_AREA_BYTES;
}

static inline uint64_t st_segment_accesses(uint32_t rank, uint32_t mask)
{
    return st_segment_messages(rank, mask) + st_message_room_bytes(mask);
}

static inline uint64_t st_segment_remote(uint32_t rank, uint32_t mask)
{
    return st_segment_accesses(rank, mask) + ST_ACCESS_ROOM_BYTES;
}

static inline bool st_segment_is_log2_messages(uint32_t log2_messages)
{
    return log2_messages >= ST_LOG2_MESSAGES_LEAST && log2_messages <= ST_LOG2_MESSAGES_MOST;
}

#endif
