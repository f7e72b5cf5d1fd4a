/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes what the ranks do that others wait for: first what a look shows, then what their stacks
 * show.
 */
#ifndef MPIPP_WATCH_RUNNING_H
#define MPIPP_WATCH_RUNNING_H

#include <jansson.h>
#include <stdbool.h>

#include "looks.h"

/* What rank number INDEX does: {"rank": 7, "does": 3, "call": "MPI_Test (solve.c:50)"}. "does" is a
 * number for running_tell(). "call" is there if the rank is in MPI. */
json_t *running_record(struct looks *looks, const struct st_wait_rank *ranks, uint32_t index);

/* True if the rank computes outside MPI. */
bool running_computes(const struct looked *rank);

/* True if the rank has only looked whether something has come for some time. */
bool running_polls(const struct looked *rank);

/* Adds to the message of a told_waiting() record what the ranks in "running" do: "which computes in
 * relax() (solve.c:61), for 74 s". The tree has their stacks (stacks_json()), and may be NULL.
 * Then "running" is for programs that read the report:
 * {"rank": 7, "does": "computes", "at": {"function": "relax", "file": "solve.c", "line": 61}}. */
void running_tell(json_t *record, const json_t *tree);

#endif
