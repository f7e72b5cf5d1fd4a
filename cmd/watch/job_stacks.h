/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes the stacks of ranks of a job: those of this node by a process beside mpipp (stacks/beside.h),
 * those of other nodes by their agents (nodes/far.h).
 *
 *     struct ranks_group group = {.ranks = list, .count = 2};
 *     struct job_stacks *stacks = job_stacks_start(&group, 1);
 *     ... until job_stacks_are_done(stacks, now) ...
 *     json_t *taken = job_stacks_end(stacks);        // as beside_end() returns it
 */
#ifndef MPIPP_WATCH_JOB_STACKS_H
#define MPIPP_WATCH_JOB_STACKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "looks.h"

struct ranks_group {
    const struct looked **ranks;
    size_t count;
};

struct job_stacks;

/* Returns NULL if no process can be started. */
struct job_stacks *job_stacks_start(const struct ranks_group *groups, size_t count);

bool job_stacks_are_done(struct job_stacks *stacks, int64_t now);

/* Becomes readable when there is more of this node's; -1: there is none. */
int job_stacks_file(const struct job_stacks *stacks);

/* Waits until they are done, for some seconds at most. */
void job_stacks_wait(struct job_stacks *stacks);

json_t *job_stacks_end(struct job_stacks *stacks);

#endif
