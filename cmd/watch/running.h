/*
 * What ranks do that others wait for: as far as a look tells, and then as far as their stacks tell.
 */
#ifndef MPIPP_WATCH_RUNNING_H
#define MPIPP_WATCH_RUNNING_H

#include <jansson.h>

#include "looks.h"

/* What rank number INDEX does: {"rank": 7, "does": 3, "call": "MPI_Test (solve.c:50)"}. "does" is one of a list that
 * running_tell() knows; "call" is there where it is in MPI. */
json_t *running_record(struct looks *looks, const struct st_wait_rank *ranks, uint32_t index);

/* Completes the message of a record of told_waiting() with what the ranks in "running" do: "which computes in relax()
 * (solve.c:61), for 74 s". The tree has their stacks (stacks_json()), and may be NULL. The record loses its members
 * "running" and "seconds", which no report shows. */
void running_tell(json_t *record, const json_t *tree);

#endif
