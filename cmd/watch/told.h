/*
 * What a verdict says, as a record of a finding (findings/merged.h), as ranks send them.
 */
#ifndef MPIPP_WATCH_TOLD_H
#define MPIPP_WATCH_TOLD_H

#include <jansson.h>

#include "core/waits/deaths.h"
#include "looks.h"

/* Ranks that can never go on. `ranks` has looks->ranks[i].waits at i. The record is the caller's. */
json_t *told_death(struct looks *looks, const struct st_wait_rank *ranks,
                   const struct st_death *death);

/* Ranks that are stuck, and that a rank which runs may still release: `stuck` has their indices. */
json_t *told_waiting(struct looks *looks, const struct st_wait_rank *ranks, const uint32_t *stuck,
                     size_t count);

/* Where a rank is: "MPI_Recv(source=1, tag=7, MPI_COMM_WORLD)   halo.c:58 in exchange()". In new memory. */
char *told_state(struct looked *rank);

/* The same of a rank that is gone, as it was looked at last; NULL: it never was. */
char *told_last(struct looked *rank);

#endif
