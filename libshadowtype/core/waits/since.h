/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long a rank has been in its call. The rank itself does not note that, so it costs its calls
 * nothing: `mpipp run` looks at it once a second, and writes into the memory that the ranks share
 * since when it has seen no change (struct st_rank_watched).
 *
 *     struct st_wait_since since;
 *     char text[ST_SINCE_TEXT];
 *     if (st_wait_since(registry, now, &since))
 *         st_wait_since_text(&since, text);
 */
#ifndef ST_CORE_WAITS_SINCE_H
#define ST_CORE_WAITS_SINCE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/agree/segment.h"
#include "core/decode/decode.h"

/* A hash that does not change while each thread of the rank is in the same call, or outside MPI
 * without a call. Never 0. Returns false if the rank cannot be read now. The caller has refreshed
 * the registry. */
bool st_wait_identity(struct st_registry *registry, uint64_t *identity);

/* Reads what the rank publishes of its place in the memory that it shares. Returns false if it
 * shares none. */
bool st_wait_shared(struct st_registry *registry, struct st_shared_area *shared);

/* Bounds, in whole seconds. */
struct st_wait_since {
    int64_t least;
    int64_t most; /* -1: not known. So both for a rank of which nothing is known */
};

/* Finds out for how long the rank has been in its calls. If it has several threads, only the least
 * time is known. NOW is CLOCK_MONOTONIC in milliseconds; -1 in a core file or on another machine,
 * where only the time until the last look of `mpipp run` is known. Returns false if no `mpipp run`
 * watches the rank. */
bool st_wait_since(struct st_registry *registry, int64_t now, struct st_wait_since *since);

enum { ST_SINCE_TEXT = 56 };
/* Writes "41 s", "<2 s", ">=41 s", "38-41 s", or "-". */
void st_wait_since_text(const struct st_wait_since *since, char text[ST_SINCE_TEXT]);

#endif
