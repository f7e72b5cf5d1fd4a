/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the strided blocks of a buffer, to show them, and counts its contiguous pieces.
 *
 *     bool show(void *context, const struct st_strided *block)
 *     {
 *         printf("%llu bytes at %llu", block->length, block->at);
 *         for (size_t k = 0; k < block->level_count; k++) {
 *             printf(", %llu times every %llu", block->levels[k].count, block->levels[k].stride);
 *         }
 *         return --lines > 0;
 *     }
 *     ... st_strided_each(&buffer, &effort, show, &lines) ...
 *
 * All numbers are bytes. Only the blocks that are visited are unfolded.
 */
#ifndef ST_CORE_OVERLAP_STRIDED_H
#define ST_CORE_OVERLAP_STRIDED_H

#include "core/overlap/overlap.h"

struct st_strided {
    uint64_t at; /* from the first byte of the buffer to that of the block */
    uint64_t length;
    const struct st_level *levels; /* outermost first */
    size_t level_count;
};

/* Visits the blocks one after the other, in the order of `at` within each list, until `each`
 * returns false. Returns ST_OK, ST_NO_MEMORY or ST_INTERRUPTED. The buffer must have no doubt. */
enum st_error st_strided_each(const struct st_buffer *buffer, struct st_effort *effort,
                              bool (*each)(void *context, const struct st_strided *block),
                              void *context);

/* Counts the contiguous pieces. Returns false if they are not counted: blocks interleave, and are
 * too many to unfold. (The number of bytes is what a buffer shares with itself, overlap.h.) */
bool st_strided_pieces(const struct st_buffer *buffer, struct st_effort *effort, uint64_t *pieces);

#endif
