/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This rank among the ranks of its node: the memory that they share (core/agree/segment.h).
 *
 * If that memory is not available (no `mpipp run`, another host, a separate container), all
 * functions here do nothing, because no other rank expects this one in it.
 */
#ifndef ST_RUNTIME_RANKS_NODE_H
#define ST_RUNTIME_RANKS_NODE_H

#include <stdbool.h>

#include "core/agree/meeting.h"
#include "core/agree/segment.h"
#include "runtime/wrap/facts.h"

struct st_ranks_node {
    struct st_segment *segment; /* NULL: not available */
    struct st_segment_rank *ranks;
    struct st_meeting_point *meetings;
    struct st_ended_set *ended;       /* communicators that are not compared any more */
    struct st_firsts *firsts;         /* NULL: the job has one node */
    struct st_rank_area *area;        /* of this rank */
    struct st_message_room *messages; /* of this rank; NULL: messages are not compared */
    struct st_access_room *accesses;  /* of this rank; NULL: one-sided calls are not compared */
    struct st_remote_room
        *remote;           /* of this rank; NULL: messages of other nodes are not compared */
    uint32_t rank;         /* index of this rank in the table */
    uint32_t message_mask; /* the number of places of each rank's messages, minus 1 */
    uint64_t
        job; /* the same in all ranks of a world, and in those that it spawns: distinguishes the
                ranks of two launchers */
};
extern struct st_ranks_node st_ranks_node __attribute__((visibility("hidden")));

/* To be called when MPI is initialized, with a world. Returns true if there is memory that others
 * share; once in a process. */
bool st_node_begin(void);

/* Returns how many entries of the table of ranks are in use. */
uint32_t st_node_ranks(void);

/* Returns the area of a rank for reading, mapped once; NULL if it is not available. */
const struct st_rank_area *st_node_area(uint32_t rank);
/* The same, quicker for an area that was asked for before. */
extern const void *st_node_areas[ST_SEGMENT_RANKS] __attribute__((visibility("hidden")));
static inline const struct st_rank_area *st_node_known_area(uint32_t rank)
{
    const void *area = __atomic_load_n(&st_node_areas[rank], __ATOMIC_ACQUIRE);
    return __builtin_expect(area != NULL, 1) ? area : st_node_area(rank);
}

/* Makes the room for this rank's messages, without the places: each chunk of these gets its memory when a
 * message is written there. Stores in *writer what st_message_open() needs, except `next`. Returns false if
 * there is no memory for it. */
bool st_node_make_messages(struct st_message_writer *writer);
/* Lets a debugger find what this rank shows of its messages. */
void st_node_show_messages(const struct st_shared_messages *shown);
/* Returns the room for the messages that a rank sends, for reading; NULL if there is none. It has
 * st_ranks_node.message_mask + 1 places. */
const struct st_message_room *st_node_messages(uint32_t rank);

/* The same functions for one-sided calls. */
bool st_node_make_accesses(void);
const struct st_access_room *st_node_accesses(uint32_t rank);
extern const void *st_node_access_rooms[ST_SEGMENT_RANKS] __attribute__((visibility("hidden")));
static inline const struct st_access_room *st_node_known_accesses(uint32_t rank)
{
    const void *room = __atomic_load_n(&st_node_access_rooms[rank], __ATOMIC_ACQUIRE);
    return __builtin_expect(room != NULL, 1) ? room : st_node_accesses(rank);
}

/* Makes the room for messages of other nodes, if there are any. Returns false if there is no memory for it. */
bool st_node_make_remote(void);

/* Returns the index of a process in the table of ranks; ST_NO_RANK if it is not on this node. The
 * caller holds the recorder's lock. */
uint32_t st_node_rank_of(uint64_t gpid);
#define ST_NO_RANK UINT32_MAX

/* Returns the point where the ranks meet in a call. */
struct st_meeting_point *st_node_meeting(const struct st_collective *call);

/* Writes a call of this rank into its area, for others to find. The caller holds the lock. */
void st_node_leave_call(uint64_t key, const struct st_collective *call);
/* Writes the name of a function into the area of this rank, if there is room. */
void st_node_name_function(const struct st_form *form);
/* The call blocks this thread: leaves a note where that was on another communicator before. The
 * caller holds the lock. */
void st_node_leave_order(const struct st_collective *call);
/* Finds the call with this key that a rank has written, if it is one of its last. `like` is any
 * call of the same communicator and number. */
bool st_node_find_call(uint32_t rank, uint64_t key, const struct st_collective *like,
                       struct st_collective *call);

/* Returns the rank in its MPI_COMM_WORLD; -1 if it is not there. */
int32_t st_node_world_rank(uint32_t rank);
/* Returns the number of that world in order of arrival: 1 is the launcher's, the others were
 * spawned. 0 if it is not there, or if there are more than ST_MOST_WORLDS. */
enum { ST_MOST_WORLDS = 64 };
uint32_t st_node_world(uint32_t rank);

#endif
