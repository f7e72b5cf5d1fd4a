/*
 * A buffer's strided blocks, for those who show them, and how many contiguous pieces they are.
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
 * All numbers are bytes. Not more than what is asked for is unfolded.
 */
#ifndef ST_CORE_OVERLAP_STRIDED_H
#define ST_CORE_OVERLAP_STRIDED_H

#include "core/overlap/overlap.h"

struct st_strided {
    uint64_t at; /* from the buffer's first byte to that of the block */
    uint64_t length;
    const struct st_level *levels; /* from outside in */
    size_t level_count;
};

/* One after the other, in the order of `at` within each list, until `each` returns false. ST_OK;
 * ST_NO_MEMORY, ST_INTERRUPTED. The buffer must have no doubt. */
enum st_error st_strided_each(const struct st_buffer *buffer, struct st_effort *effort,
                              bool (*each)(void *context, const struct st_strided *block),
                              void *context);

/* The contiguous pieces. False: not counted; blocks stand between one another, and there are too
 * many to unfold them. (The number of bytes is what a buffer shares with itself, overlap.h.) */
bool st_strided_pieces(const struct st_buffer *buffer, struct st_effort *effort, uint64_t *pieces);

#endif
