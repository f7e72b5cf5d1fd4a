/*
 * Ranks and what they wait for (state.h) as a graph (graph.h), and what can never go on.
 *
 *     struct st_deaths deaths;
 *     if (st_deaths_find(ranks, count, &deaths)) {
 *         for (size_t i = 0; i < deaths.count; i++) { ... deaths.list[i] ... }
 *         st_deaths_free(&deaths);
 *     }
 *
 * A rank that is not among `ranks` is not seen: it runs. So do ranks that are not stuck. Nothing is known of messages but the calls and requests of both sides:
 *
 *   - A receive waits for its source, but not where that has a send pending that fits: MPI owes it.
 *   - A send waits for its destination, but not where that has a receive posted that fits.
 *   - MPI_Waitall and MPI_Sendrecv wait for one of their operations: "not told complete" is not
 *     "incomplete", and one at least is.
 *   - A collective call waits for all members that have begun fewer of them on that communicator. Where the
 *     numbers are not known: for those that are not in a call of the same function there; for all of them if
 *     none can leave the call before all have come to it, as MPI_Barrier, else for one of them. A
 *     neighbourhood collective waits for one of them, too.
 *   - MPI_Win_start and MPI_Win_complete wait for the targets that have called MPI_Win_post fewer times for this
 *     rank than it has named them, MPI_Win_wait for the origins that have completed fewer. A lock waits for those
 *     who are known to have it.
 *   - In MPI_Intercomm_create a group waits as in a collective call, or for its leader, and the leader for
 *     the other one. What has come already is nobody's wait.
 *   - A request of a nonblocking collective call waits as the call would; that of a persistent one for those
 *     who have started it fewer times.
 */
#ifndef ST_CORE_WAITS_DEATHS_H
#define ST_CORE_WAITS_DEATHS_H

#include "core/waits/graph.h"
#include "core/waits/state.h"

enum st_death_kind {
    ST_DEATH_CYCLE,  /* the ranks wait for each other */
    ST_DEATH_MISSING /* they wait in a collective call for `missing` */
};

/* Ranks that can never go on for one reason. The lists have indices into `ranks`, ascending. */
struct st_death {
    enum st_death_kind kind;
    uint32_t *ranks; /* the cycle or knot; or those that wait for who has left */
    size_t rank_count;
    uint32_t *missing; /* those that have left, and that they wait for */
    size_t missing_count;
    uint32_t *behind; /* who waits for them */
    size_t behind_count;
};

struct st_deaths {
    struct st_death *list; /* the smallest first */
    size_t count;
};

/* Returns false where memory ends. */
bool st_deaths_find(const struct st_wait_rank *ranks, size_t count, struct st_deaths *deaths);
void st_deaths_free(struct st_deaths *deaths);

/* True if rank `from` has something pending that MPI could match with `part` of rank `to`: both are indices. */
bool st_wait_fits(const struct st_wait_rank *ranks, uint32_t from, uint32_t to,
                  const struct st_wait_part *part);

/* The members that a collective part of `rank` waits for: calls `found` with the index of each. */
void st_wait_missing(const struct st_wait_rank *ranks, size_t count,
                     const struct st_wait_rank *rank, const struct st_wait_part *part,
                     void (*found)(uint32_t index, void *context), void *context);

#endif
