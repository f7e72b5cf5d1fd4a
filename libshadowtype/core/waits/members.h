/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Helpers that build the graph of deaths.h: find the rank of a process, the members of a
 * communicator that have not come to a collective call, and the pending messages that match.
 */
#ifndef ST_CORE_WAITS_MEMBERS_H
#define ST_CORE_WAITS_MEMBERS_H

#include "core/waits/state.h"

/* An index of ranks by gpid. Most jobs have a single world. A list by rank needs a twentieth of the
 * memory that the hash table needs. */
struct st_wait_members {
    uint64_t world;    /* the world of the first rank */
    uint32_t *by_rank; /* for each rank of this world below rank_room: its index */
    size_t rank_room;
    struct st_wait_place *places; /* all other ranks, by hash */
    uint32_t log2_places;
};
#define ST_NOT_SEEN UINT32_MAX

/* Returns false if memory runs out. Ranks with the same gpid are not found. */
bool st_wait_members_list(const struct st_wait_rank *ranks, size_t count,
                          struct st_wait_members *members);
void st_wait_members_free(struct st_wait_members *members);

/* The index of a process, or ST_NOT_SEEN if it is not among the ranks. */
uint32_t st_wait_members_find(const struct st_wait_members *members, uint64_t gpid);

bool st_wait_has_gone(const struct st_wait_rank *rank);

/* True if rank `from` is in MPI_Intercomm_create, and is the other leader for `part` of rank `to`. */
bool st_wait_leads_to(const struct st_wait_rank *ranks, uint32_t from, uint32_t to,
                      const struct st_wait_part *part);

/* Calls `found` for each rank of a window that has not yet made the call for which the part of
 * `rank` waits: MPI_Win_post, MPI_Win_complete or MPI_Win_unlock. */
void st_wait_visit_awaited(const struct st_wait_rank *ranks, const struct st_wait_rank *rank,
                           const struct st_wait_members *members, const struct st_wait_part *part,
                           void (*found)(uint32_t index, void *context), void *context);

/* What several ranks wait for together: a collective call, or a message from any member. */
struct st_wait_shared {
    uint64_t id;          /* of the communicator, window or file */
    uint64_t side;        /* for messages in an intercommunicator: the first process of the senders'
                        group */
    uint64_t n;           /* number of the collective call; 0: not known */
    uint32_t starts;      /* for a persistent collective call: how many times it was started */
    bool from_nearby;     /* the call waits for one of the absent members, not for all */
    bool of_some;         /* the same, and nobody knows for which members */
    bool of_group;        /* a process that does not know `id` has not come */
    bool is_blocking;     /* a blocking collective call, not a request */
    const char *function; /* of the collective call; NULL: a message from any member */
    uint32_t node;
};

/* The collective call that a part waits for. */
struct st_wait_shared st_wait_shared_of(const struct st_wait_rank *rank,
                                        const struct st_wait_part *part);

/* Calls `found` for processes of the communicator, with ST_NOT_SEEN for a process that is not among
 * the ranks. The first function visits the peers: in an intercommunicator the other group. The
 * second visits the members, of both groups, that have not come to a collective call yet. */
void st_wait_visit_peers(const struct st_wait_rank *rank, const struct st_wait_comm *comm,
                         const struct st_wait_members *members,
                         void (*found)(uint32_t index, void *context), void *context);
void st_wait_visit_absent(const struct st_wait_rank *ranks, const struct st_wait_rank *rank,
                          const struct st_wait_members *members, const struct st_wait_comm *comm,
                          const struct st_wait_shared *call,
                          void (*found)(uint32_t index, void *context), void *context);

#endif
