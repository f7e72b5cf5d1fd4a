/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all ranks of a job do, those of other nodes included: the answers to `mpipp ranks` and gdb
 * (inquiry/inquiry.h).
 */
#ifndef MPIPP_WATCH_WHOLE_H
#define MPIPP_WATCH_WHOLE_H

#include <jansson.h>

#include "core/waits/deaths.h"
#include "looks.h"

/* The ranks that have not ended, in a new array. Call it after a look, and after the agents were asked
 * (far_describe()). Of each rank:
 *
 *     {"rank": 0, "world": 1, "id": "3f2a", "host": "node7", "pid": 4711, "program": "/home/me/app",
 *      "line": "MPI_Recv from 1, tag 7, MPI_COMM_WORLD", "since": [3, 4], "place": "halo.c:58 exchange"}
 *
 * as described_rank() (described.h) has it; "id" is its "world". Without "line" it is not known what it does, and "why" is a
 * part of a sentence: "its agent does not answer". */
json_t *whole_ranks(struct looks *looks);

/* Ranks that can never go on, in a new object:
 *
 *     {"deadlocks": [{"subject": "ranks 0 and 1", "message": "wait for each other",
 *       "calls": [{"who": "rank 0", "call": "MPI_Recv(...)", "place": "halo.c:58 in exchange", "waits": "..."}],
 *       "behind": ["ranks 2-7 wait for them in ..."]}],
 *      "unseen": "ranks 8 and 9"}
 *
 * STATES has looks->ranks[i].waits at i. "unseen": ranks that may release the others, because it is not
 * known what they do; "" if there are none. */
json_t *whole_deadlocks(struct looks *looks, const struct st_wait_rank *states,
                        const struct st_deaths *deaths);

#endif
