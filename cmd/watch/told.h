/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the record of a finding (findings/merged.h) from a verdict, in the form in which ranks send
 * records.
 */
#ifndef MPIPP_WATCH_TOLD_H
#define MPIPP_WATCH_TOLD_H

#include <jansson.h>

#include "core/waits/deaths.h"
#include "core/waits/told.h"
#include "../words.h"
#include "looks.h"

/* Reports ranks that can never go on. `ranks` has looks->ranks[i].waits at i. `synchronous`: their
 * sends wait for receives, as with '--synchronous'. The caller owns the record. */
json_t *told_death(struct looks *looks, const struct st_wait_rank *ranks,
                   const struct st_death *death, bool synchronous);

/* Describes the same in words. st_told_free() frees the result. */
void told_describe(struct looks *looks, const struct st_wait_rank *ranks,
                   const struct st_death *death, struct st_told_text *told);

/* Where the call is that stands for a rank: "halo.c:58 in exchange", in new memory. "": not known. */
char *told_place(struct looked *rank);

/* Adds the stacks of the finding's ranks, as stacks/beside.h returns them. NULL: they could not be
 * read. */
void told_add_stacks(json_t *record, const json_t *stacks);

/* Inserts a line into the lines of a finding, before the last one, which says how to look at the
 * ranks. */
void told_insert_line(json_t *lines, const char *label, const char *text);

/* The command that opens gdb on these COUNT ranks: "mpipp", "attach", "--ranks=0,1", "4711". If some are on
 * other hosts, "4711" is this process, which is asked where they are; one alone is "node7:4711". */
struct words told_attach(const struct looks *looks, const uint32_t *list, size_t count);

/* Indices of the ranks that are stuck, and of the running ranks that may release them. */
struct waiting {
    uint32_t *stuck;
    size_t stuck_count;
    uint32_t *running; /* none: they wait only for the MPI library, or it is not known for whom */
    size_t running_count;
    bool at_end; /* they wait in MPI_Finalize, and no other rank waits */
};

/* The note on these ranks. It says what the running ranks do only after told_add_stacks().
 * `after_error`: an error was reported, which may be why they wait. */
json_t *told_waiting(struct looks *looks, const struct st_wait_rank *ranks,
                     const struct waiting *waiting, bool after_error);

/* Sets is_target[i] for each rank that rank number INDEX waits for. */
void told_targets(struct looks *looks, const struct st_wait_rank *ranks, uint32_t index,
                  bool *is_target);

/* The call and place of a rank: "MPI_Recv(source=1, tag=7, MPI_COMM_WORLD)   halo.c:58 in
 * exchange()", in new memory. */
char *told_state(struct looked *rank);

/* The same for a rank that has ended, from the last look. Returns NULL if the rank was never seen. */
char *told_last(struct looked *rank);

#endif
