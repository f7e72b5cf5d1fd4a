/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a sequence (sequence.h). A cursor is a position in it; it moves on name by name, over names
 * as long as possible.
 *
 *     struct st_cursor a, b;
 *     st_cursor_begin(&a, &sequences, first, 0);
 *     st_cursor_begin(&b, &sequences, second, 0);
 *     int64_t same = st_cursor_common(&a, &b);        // number of elements that are equal
 *     if (!st_cursor_at_end(&a)) {
 *         ... st_cursor_element(&a), the first that differs ...
 *     }
 *
 * A cursor is valid until the next operation that makes sequences.
 */
#ifndef ST_CORE_SIGNATURE_CURSOR_H
#define ST_CORE_SIGNATURE_CURSOR_H

#include "core/signature/sequence.h"

struct st_cursor {
    const struct st_sequences *sequences;
    int64_t position; /* elements before it */
    struct st_sequence whole;
    int depth;
    struct st_cursor_frame {
        const struct st_sequence *runs;
        size_t count, at;
        int64_t used; /* copies of runs[at] that have been read */
    } frames[ST_LEVELS + 1];
};

/* Starts at element `position`, 0 to the length. O(levels). */
void st_cursor_begin(struct st_cursor *cursor, const struct st_sequences *sequences,
                     struct st_sequence sequence, int64_t position);
void st_cursor_copy(struct st_cursor *to, const struct st_cursor *from);

bool st_cursor_at_end(const struct st_cursor *cursor);

/* Returns the copies (at least one) of the name at the cursor, which must not be at the end. */
struct st_sequence st_cursor_run(const struct st_cursor *cursor);
int st_cursor_level(const struct st_cursor *cursor);
/* Returns the element at the cursor. */
const struct st_basic_element *st_cursor_element(const struct st_cursor *cursor);

/* Moves over `copies` of the name at the cursor. */
void st_cursor_skip(struct st_cursor *cursor, int64_t copies);
/* Stays at this position, but takes the first of the names that this name consists of. The level
 * must be above 0. */
void st_cursor_down(struct st_cursor *cursor);
/* Moves to the next position where a name on `level` or above begins, or to the end. */
void st_cursor_align(struct st_cursor *cursor, int level);

/* Moves both cursors to the first difference, or to where one of them ends. Returns by how many
 * elements. Exact. O(levels), except for names that are cut differently near the two positions and
 * the end. */
int64_t st_cursor_common(struct st_cursor *a, struct st_cursor *b);

#endif
