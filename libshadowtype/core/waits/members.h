/*
 * Which of the ranks a process is, who of a communicator has yet to come to a collective call, and which pending
 * messages fit: what the graph (deaths.h) is made of.
 */
#ifndef ST_CORE_WAITS_MEMBERS_H
#define ST_CORE_WAITS_MEMBERS_H

#include "core/waits/state.h"

/* Ranks by gpid. Most jobs have one world, whose ranks are all there: a list by rank is a twentieth of the memory. */
struct st_wait_members {
    uint64_t world;    /* of the first rank */
    uint32_t *by_rank; /* index of each of its ranks below rank_room */
    size_t rank_room;
    struct st_wait_place *places; /* all others, by hash */
    uint32_t log2_places;
};
#define ST_NOT_SEEN UINT32_MAX

/* Returns false where memory ends. Of ranks that have the same gpid none is found. */
bool st_wait_members_list(const struct st_wait_rank *ranks, size_t count,
                          struct st_wait_members *members);
void st_wait_members_free(struct st_wait_members *members);

/* The index of a process; ST_NOT_SEEN: it is none of the ranks. */
uint32_t st_wait_members_find(const struct st_wait_members *members, uint64_t gpid);

bool st_wait_has_gone(const struct st_wait_rank *rank);

/* True if rank `from` is in MPI_Intercomm_create as the other leader for `part` of rank `to`. */
bool st_wait_leads_to(const struct st_wait_rank *ranks, uint32_t from, uint32_t to,
                      const struct st_wait_part *part);

/* Calls `found` for each rank of a window that has not done yet what the part of `rank` waits for: MPI_Win_post,
 * MPI_Win_complete, MPI_Win_unlock. */
void st_wait_visit_awaited(const struct st_wait_rank *ranks, const struct st_wait_rank *rank,
                           const struct st_wait_members *members, const struct st_wait_part *part,
                           void (*found)(uint32_t index, void *context), void *context);

/* What several ranks wait for together. */
struct st_wait_shared {
    uint64_t id;     /* of the communicator, window or file */
    uint64_t side;   /* messages of an intercommunicator: the first process of the senders' group */
    uint64_t n;      /* number of the collective call; 0: not known */
    uint32_t starts; /* of a persistent one: how many times it was started */
    bool from_nearby;     /* one of those that have not come is enough */
    const char *function; /* of the collective call; NULL: a message from any member */
    uint32_t node;
};

/* The collective call of a part. */
struct st_wait_shared st_wait_shared_of(const struct st_wait_rank *rank,
                                        const struct st_wait_part *part);

/* Calls `found` for each process of the communicator, and with ST_NOT_SEEN for those that are none of the ranks:
 * for all that its ranks name; for all, of both groups, that have yet to come to a collective call. */
void st_wait_visit_peers(const struct st_wait_rank *rank, const struct st_wait_comm *comm,
                         const struct st_wait_members *members,
                         void (*found)(uint32_t index, void *context), void *context);
void st_wait_visit_absent(const struct st_wait_rank *ranks, const struct st_wait_rank *rank,
                          const struct st_wait_members *members, const struct st_wait_comm *comm,
                          const struct st_wait_shared *call,
                          void (*found)(uint32_t index, void *context), void *context);

#endif
