/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The collective calls that the ranks of this node have published (libshadowtype/core/agree/segment.h), for
 * comparison with those of other nodes: a digest of each call while the job runs, and the calls
 * themselves when digests differ, and when the job has ended.
 *
 * On the way a list of calls is JSON:
 *     [{"call": the bytes of struct st_collective in hexadecimal, "rank": 3, "pid": 4711,
 *       "function": "MPI_Bcast", "frames": as shared_frames() makes them,
 *       "beginning": the bytes of struct st_beginning (core/agree/runs.h), or null,
 *       "pairs": the bytes of struct st_rank_pairs (core/agree/pairs.h), or null,
 *       "comm": "MPI_COMM_WORLD", if it is known, "told": true if a rank has reported it}, ...]
 */
#ifndef MPIPP_NODES_CALLS_H
#define MPIPP_NODES_CALLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../watch/differing.h"
#include "protocol.h"

struct call_scan;

struct call_scan *call_scan_new(void);

/* The calls that a first rank of the node has begun since the last time, as packed_calls() has them, in new memory. NULL:
 * none. */
char *call_scan_take(struct call_scan *scan, size_t *length);

/* The same of the calls of COUNT blocks, as far as they are still there, each one by one. */
char *call_scan_blocks(struct call_scan *scan, const struct far_call *blocks, size_t count,
                       size_t *length);

/* How many calls were overwritten before they could be listed: they were not compared. */
unsigned long call_scan_missed(const struct call_scan *scan);

/* The calls with one number of a communicator. */
json_t *calls_with(uint64_t comm, uint64_t number);

/* All calls that are still there. */
json_t *calls_all(void);

/* {"unfinished": true if a rank has not reached MPI_Finalize,
 *  "ends": [[communicator, number of MPI_Finalize on it], ...], "missed": call_scan_missed()}:
 * each different pair once. The communicator is in hexadecimal. */
json_t *calls_ends(const struct call_scan *scan);

/* Appends such a list of calls to a list that grows; the JSON has to last. Ignores what is damaged.
 * Returns true if one of the calls was reported by a rank. */
bool calls_append(json_t *calls, struct published_call **list, size_t *count);
void calls_free(struct published_call *list, size_t count);

/* Lets the ranks of this node know what the flags of a call say: that somebody has reported it, and that
 * the communicator is not compared any more. */
void calls_tell(const struct far_call *call);

#endif
