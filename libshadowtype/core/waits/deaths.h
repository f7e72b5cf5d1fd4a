/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builds the graph (graph.h) of what ranks wait for (state.h), and finds the ranks that can never
 * go on.
 *
 *     struct st_deaths deaths;
 *     if (st_deaths_find(ranks, count, &deaths)) {
 *         for (size_t i = 0; i < deaths.count; i++) { ... deaths.list[i] ... }
 *         st_deaths_free(&deaths);
 *     }
 *
 * Ranks that are not stuck run. So do ranks that are not in `ranks`. What is known of messages are
 * the calls and requests of both sides, and, of ranks that compare messages, those that were sent and
 * not received (messages.h):
 *
 *   - A receive waits for its source, unless the source has a pending send that matches, or has
 *     sent a message that matches: then MPI has to deliver it.
 *   - A send waits for its destination, unless the destination has a posted receive that matches.
 *   - MPI_Waitall and MPI_Sendrecv wait for one of their operations. An operation not known to be
 *     complete may be complete, but at least one is not. If no message was sent for some of their
 *     receives, they wait for all of these.
 *   - A collective call waits for all members that have begun fewer collective calls on that
 *     communicator. If these numbers are not known, it waits for the members that are not in a call
 *     of the same function there: for all of them if no member can leave the call before all have
 *     entered it, as in MPI_Barrier, else for one of them. A neighbourhood collective also waits
 *     for one of them.
 *     A rank in a call of another function at the same place does not come.
 *   - MPI_Comm_create_group, MPI_Comm_create_from_group and MPI_Intercomm_create_from_groups wait for
 *     the members of their group that have begun fewer of these calls with the same group and tag. If
 *     the group is not known, MPI_Comm_create_group waits for one of the communicator's other members
 *     if none of them is in it.
 *   - MPI_Win_start and MPI_Win_complete wait for the targets that have called MPI_Win_post for
 *     this rank fewer times than this rank has started access epochs to them. MPI_Win_wait waits
 *     for the origins that have called MPI_Win_complete fewer times. A lock waits for the ranks
 *     that are known to hold it.
 *   - In MPI_Intercomm_create and MPI_Intercomm_create_from_groups a group waits as in a collective call, or for its leader, and the
 *     leader waits for the other leader. Nobody waits for a rank that has come already.
 *   - A request of a nonblocking collective call waits as the blocking call would. The request of a
 *     persistent one waits for the members that have started it fewer times.
 */
#ifndef ST_CORE_WAITS_DEATHS_H
#define ST_CORE_WAITS_DEATHS_H

#include "core/waits/graph.h"
#include "core/waits/state.h"

enum st_death_kind {
    ST_DEATH_CYCLE,  /* the ranks wait for each other */
    ST_DEATH_MISSING /* the ranks wait for `missing` in a collective call */
};

/* Ranks that can never go on for one reason. The lists have indices into `ranks`, in ascending
 * order. */
struct st_death {
    enum st_death_kind kind;
    uint32_t *ranks; /* the cycle or knot, or the ranks that wait for `missing` */
    size_t rank_count;
    uint32_t *missing; /* the ranks that have left and that `ranks` wait for */
    size_t missing_count;
    uint32_t *behind; /* the ranks that wait for `ranks` */
    size_t behind_count;
};

struct st_deaths {
    struct st_death *list; /* ordered by size, the smallest first */
    size_t count;
};

/* Returns false if memory runs out. */
bool st_deaths_find(const struct st_wait_rank *ranks, size_t count, struct st_deaths *deaths);
void st_deaths_free(struct st_deaths *deaths);

/* True if rank `from` has a pending operation that MPI could match with `part` of rank `to`. Both
 * are indices. */
bool st_wait_fits(const struct st_wait_rank *ranks, uint32_t from, uint32_t to,
                  const struct st_wait_part *part);

/* Returns a partitioned send that waits for MPI_Pready, and that the receive `part` of rank `to` waits for; NULL: there is
 * none. */
const struct st_wait_part *st_wait_unready(const struct st_wait_rank *ranks, size_t count,
                                           uint32_t to, const struct st_wait_part *part);

/* True if `part` of a call of rank `to` receives, and no message was sent for it. Then the call, MPI_Waitall or its like
 * (st_wait_needs_all()), ends only after one was. */
bool st_wait_is_missing(const struct st_wait_rank *ranks, size_t count, uint32_t to,
                        const struct st_wait_part *part);
bool st_wait_needs_all(const struct st_wait_thread *thread);

/* True if the part belongs to a window's epoch or lock. */
bool st_wait_is_of_window(const struct st_wait_part *part);

/* Calls `found` with the index of each rank that a part of `rank` waits for. The part is of a collective call or of a
 * window. */
void st_wait_missing(const struct st_wait_rank *ranks, size_t count,
                     const struct st_wait_rank *rank, const struct st_wait_part *part,
                     void (*found)(uint32_t index, void *context), void *context);

#endif
