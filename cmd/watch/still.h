/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides when the user is told that the whole job stands still, although no error can be shown: no
 * rank has begun or left a call that waits for others (looks->moved).
 *
 *     struct waiting waiting = still_list(looks, states);
 *     if (still_is_long(looks, &waiting, timeout, now)) { ... }
 *     still_free(&waiting);
 */
#ifndef MPIPP_WATCH_STILL_H
#define MPIPP_WATCH_STILL_H

#include <stdbool.h>
#include <stdint.h>

#include "../findings/merged.h"
#include "looks.h"
#include "told.h"

/* Lists the ranks that wait in a call, and the running ranks that could release them. `states` has
 * looks->ranks[i].waits at i. */
struct waiting still_list(struct looks *looks, const struct st_wait_rank *states);
void still_free(struct waiting *waiting);

/* True if the job has stood still for twice the timeout; for ten times the timeout, if a rank
 * computes or may compute on another host, or a file is read or written. TIMEOUT and NOW are in
 * milliseconds. False if a rank is stopped. */
bool still_is_long(struct looks *looks, const struct waiting *waiting, int64_t timeout,
                   int64_t now);

/* True if all ranks that have not left MPI have been in the same calls for the timeout, and an error
 * was reported: it is probably why no call of them returns. */
bool still_after_error(const struct looks *looks, const struct findings *findings,
                       const struct waiting *waiting, int64_t timeout, int64_t now);

#endif
