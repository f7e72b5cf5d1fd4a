/*
 * This rank among the ranks of its node: the memory that they share (core/agree/segment.h).
 *
 * Where it is not to be had (no `mpipp run`, another host, a container of its own), everything here does
 * nothing: nobody is expected in it.
 */
#ifndef ST_RUNTIME_RANKS_NODE_H
#define ST_RUNTIME_RANKS_NODE_H

#include <stdbool.h>

#include "core/agree/meeting.h"
#include "core/agree/segment.h"

struct st_ranks_node {
    struct st_segment *segment; /* NULL: there is none */
    struct st_segment_rank *ranks;
    struct st_meeting_point *meetings;
    struct st_rank_area *area;        /* this rank's */
    struct st_message_room *messages; /* this rank's; NULL: messages are not compared */
    struct st_access_room *accesses;  /* this rank's; NULL: one-sided calls are not compared */
    uint32_t rank;                    /* this rank's place in the table */
    uint64_t
        job; /* the same in all ranks of a world, and in those that it spawns: tells those of two launchers apart */
};
extern struct st_ranks_node st_ranks_node __attribute__((visibility("hidden")));

/* MPI is initialized, with a world. Returns true if there is memory that others share; once in a process. */
bool st_node_begin(void);

/* How many places in the table of ranks are taken. */
uint32_t st_node_ranks(void);

/* The area of a rank, to be read, mapped once; NULL: it cannot be had. */
const struct st_rank_area *st_node_area(uint32_t rank);

/* Makes the room for this rank's messages. Returns false if there is no memory for it. */
bool st_node_make_messages(void);
/* The room for the messages that a rank sends, to be read; NULL: there is none. */
const struct st_message_room *st_node_messages(uint32_t rank);

/* The same two for its one-sided calls. */
bool st_node_make_accesses(void);
const struct st_access_room *st_node_accesses(uint32_t rank);

/* The place of a process in the table of ranks; ST_NO_RANK: it is not of this node. The caller holds the recorder's
 * lock. */
uint32_t st_node_rank_of(uint64_t gpid);
#define ST_NO_RANK UINT32_MAX

/* Where the ranks meet in a call. */
struct st_meeting_point *st_node_meeting(const struct st_collective *call);

/* Leaves a call of this rank in its area, for those who look for it. */
void st_node_leave_call(uint64_t key, const struct st_collective *call);
/* The call blocks this thread: leaves a note where that was on another communicator before. */
void st_node_leave_order(const struct st_collective *call);
/* The call with the key that a rank has left, if it is one of its last. `like`: any call of the same communicator and
 * number. */
bool st_node_find_call(uint32_t rank, uint64_t key, const struct st_collective *like,
                       struct st_collective *call);

/* The rank of its MPI_COMM_WORLD that a rank is; -1: it is not there. */
int32_t st_node_world_rank(uint32_t rank);
/* Which world that is, in the order of their coming: 1 is the launcher's, the others were spawned. 0: it is not there,
 * or there are more than ST_MOST_WORLDS. */
enum { ST_MOST_WORLDS = 64 };
uint32_t st_node_world(uint32_t rank);

/* Whether the communicator's calls are compared no more, and that from now on. */
bool st_node_has_ended(uint64_t comm);
void st_node_end(uint64_t comm);

#endif
