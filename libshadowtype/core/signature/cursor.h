/*
 * Reading a sequence (sequence.h): a place in it, from which one goes on name by name, over as
 * large a name as begins there.
 *
 *     struct st_cursor a, b;
 *     st_cursor_begin(&a, &sequences, first, 0);
 *     st_cursor_begin(&b, &sequences, second, 0);
 *     int64_t same = st_cursor_common(&a, &b);        // elements that the two agree on
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
        int64_t used; /* copies of runs[at] that are behind */
    } frames[ST_LEVELS + 1];
};

/* At element `position`, 0 to the length. O(levels). */
void st_cursor_begin(struct st_cursor *cursor, const struct st_sequences *sequences,
                     struct st_sequence sequence, int64_t position);
void st_cursor_copy(struct st_cursor *to, const struct st_cursor *from);

bool st_cursor_at_end(const struct st_cursor *cursor);

/* What begins here, not at the end: how many copies (at least one) of which name. */
struct st_sequence st_cursor_run(const struct st_cursor *cursor);
int st_cursor_level(const struct st_cursor *cursor);
/* The element here. */
const struct st_basic_element *st_cursor_element(const struct st_cursor *cursor);

/* Goes on over `copies` of what begins here. */
void st_cursor_skip(struct st_cursor *cursor, int64_t copies);
/* The same place, with the first name that this name consists of. The level is above 0. */
void st_cursor_down(struct st_cursor *cursor);
/* To the next place where a name on `level` or above begins, or to the end. */
void st_cursor_align(struct st_cursor *cursor, int level);

/* Moves both to where they differ, or one of them ends; by how many elements. Exact; O(levels)
 * but for what is cut differently near the two places and the end. */
int64_t st_cursor_common(struct st_cursor *a, struct st_cursor *b);

#endif
