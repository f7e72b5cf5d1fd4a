/*
 * What a verdict says, as a record of a finding (findings/merged.h), as ranks send them.
 */
#ifndef MPIPP_WATCH_TOLD_H
#define MPIPP_WATCH_TOLD_H

#include <jansson.h>

#include "core/waits/deaths.h"
#include "../words.h"
#include "looks.h"

/* Ranks that can never go on. `ranks` has looks->ranks[i].waits at i; `synchronous`: their sends wait for receives,
 * as '--synchronous' makes them. The record is the caller's. */
json_t *told_death(struct looks *looks, const struct st_wait_rank *ranks,
                   const struct st_death *death, bool synchronous);

/* Adds the stacks of the finding's ranks, as stacks/beside.h has them; NULL: they could not be taken. */
void told_add_stacks(json_t *record, const json_t *stacks);

/* Adds a line to a finding's, before the last one, which says how to look. */
void told_insert_line(json_t *lines, const char *label, const char *text);

/* The command that opens gdb on COUNT ranks: "mpipp", "attach", "--ranks=0,1", "4711". */
struct words told_attach(const struct looks *looks, const uint32_t *list, size_t count);

/* Ranks that are stuck, and those that run and may release them: indices. */
struct waiting {
    uint32_t *stuck;
    size_t stuck_count;
    uint32_t *running; /* none: it is MPI's matter, or not known */
    size_t running_count;
};

/* The note on them. What those do that run is in it after told_add_stacks() alone. */
json_t *told_waiting(struct looks *looks, const struct st_wait_rank *ranks,
                     const struct waiting *waiting);

/* Sets is_target[i] for each rank that rank number INDEX waits for. */
void told_targets(struct looks *looks, const struct st_wait_rank *ranks, uint32_t index,
                  bool *is_target);

/* Where a rank is: "MPI_Recv(source=1, tag=7, MPI_COMM_WORLD)   halo.c:58 in exchange()". In new memory. */
char *told_state(struct looked *rank);

/* The same of a rank that is gone, as it was looked at last; NULL: it never was. */
char *told_last(struct looked *rank);

#endif
