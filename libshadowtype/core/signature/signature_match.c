/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/signature/signature_match.h"

#include <stdlib.h>
#include <string.h>

#include "core/signature/cursor.h"

/* One of the two signatures. */
struct st_side {
    const struct st_type *type;
    int64_t count;
    struct st_sequence sequence;
};

static bool is_packed(const struct st_sequences *sequences, struct st_sequence sequence)
{
    if (!sequence.count || st_phrase_of(sequences, sequence.name)->runs) {
        return false;
    }
    const struct st_basic_element *element = st_sequence_element(sequences, sequence.name);
    return element->kind == ST_NAMED && strcmp(element->name, "MPI_PACKED") == 0;
}

static bool is_opaque(const struct st_sequences *sequences, struct st_sequence sequence)
{
    return sequence.count && st_phrase_of(sequences, sequence.name)->opaque;
}

/* --- by bytes -------------------------------------------------------------------------------- */

/* Stores the number of bytes. Returns ST_MATCH_EQUAL if it is known. */
static enum st_match_verdict bytes_of(const struct st_side *side, int64_t *bytes)
{
    const struct st_measure *m = &side->type->measure;
    *bytes = 0;
    if (side->sequence.count == 0) {
        return ST_MATCH_EQUAL;
    }
    if (m->unknown & ST_UNKNOWN_SIZE) {
        *bytes = -1;
        /* The number of elements may be known even if that of bytes does not fit in 64 bits. */
        return m->unknown & ST_UNKNOWN_ELEMENTS ? ST_MATCH_OPAQUE : ST_MATCH_TOO_LONG;
    }
    if (__builtin_mul_overflow(m->size, side->count, bytes)) {
        *bytes = -1;
        return ST_MATCH_TOO_LONG;
    }
    return ST_MATCH_EQUAL;
}

static void match_bytes(const struct st_side sides[2], struct st_match *match)
{
    match->bytes = true;
    for (int i = 0; i < 2; i++) {
        enum st_match_verdict verdict = bytes_of(&sides[i], &match->length[i]);
        match->verdict = verdict > match->verdict ? verdict : match->verdict;
    }
    if (match->verdict != ST_MATCH_EQUAL) {
        match->agreed = -1;
        return;
    }
    match->longer = match->length[1] > match->length[0];
    match->agreed = match->length[!match->longer];
    if (match->length[0] != match->length[1]) {
        match->verdict = ST_MATCH_PREFIX;
    }
}

/* --- by elements -------------------------------------------------------------------------------
 */

/* Returns how many elements are before the first opaque one; all if there is none. */
static int64_t known_length(struct st_cursor *cursor, const struct st_sequences *sequences,
                            struct st_sequence sequence)
{
    st_cursor_begin(cursor, sequences, sequence, 0);
    while (!st_cursor_at_end(cursor)) {
        struct st_sequence run = st_cursor_run(cursor);
        const struct st_phrase *phrase = st_phrase_of(sequences, run.name);
        if (!phrase->opaque) {
            st_cursor_skip(cursor, run.count);
        } else if (phrase->runs) {
            st_cursor_down(cursor);
        } else {
            break;
        }
    }
    return cursor->position;
}

static void describe_element(const struct st_signatures *signatures, const struct st_side *side,
                             const struct st_cursor *cursor, bool all_known,
                             struct st_match_element *at)
{
    at->present = !st_cursor_at_end(cursor);
    if (at->present) {
        at->element = *st_cursor_element(cursor);
        st_signatures_place(signatures, side->type, cursor->position, &at->place);
        if (!all_known) {
            at->place.number = -1;
        }
    }
}

/* Returns true if the element has data for sure: an opaque type may be empty. */
static bool has_data(const struct st_basic_element *element)
{
    return element->kind != ST_OPAQUE || !(element->opaque->measure.unknown &
                                           ST_UNKNOWN_SIZE); /* a type of size 0 is no element */
}

/* Finds the first element where the two differ, or where one ends. */
static void find_difference(const struct st_signatures *signatures,
                            const struct st_sequences *sequences, const struct st_side sides[2],
                            struct st_cursor cursors[3], struct st_match *match)
{
    st_cursor_begin(&cursors[0], sequences, sides[0].sequence, 0);
    st_cursor_begin(&cursors[1], sequences, sides[1].sequence, 0);
    int64_t agreed = st_cursor_common(&cursors[0], &cursors[1]);
    bool all_known =
        match->length[0] >= 0 || known_length(&cursors[2], sequences, sides[0].sequence) >= agreed;
    match->agreed = all_known ? agreed : -1;
    const struct st_match_element *at = match->at;
    for (int i = 0; i < 2; i++) {
        describe_element(signatures, &sides[i], &cursors[i], all_known, &match->at[i]);
    }
    if (at[0].present && at[1].present) {
        bool opaque = at[0].element.kind == ST_OPAQUE || at[1].element.kind == ST_OPAQUE;
        match->verdict = opaque ? ST_MATCH_OPAQUE : ST_MATCH_DIFFERENT;
        return;
    }
    match->longer = at[1].present;
    match->verdict = has_data(&at[match->longer].element) ? ST_MATCH_PREFIX : ST_MATCH_OPAQUE;
}

static void match_elements(const struct st_signatures *signatures,
                           const struct st_sequences *sequences, const struct st_side sides[2],
                           struct st_match *match)
{
    for (int i = 0; i < 2; i++) {
        match->length[i] = is_opaque(sequences, sides[i].sequence)
                               ? -1
                               : st_sequence_length(sequences, sides[i].sequence);
    }
    match->agreed = match->length[0];
    if (st_sequence_equal(sides[0].sequence, sides[1].sequence)) {
        return;
    }
    struct st_cursor *cursors = malloc(3 * sizeof *cursors); /* 2 KiB each */
    if (cursors) {
        find_difference(signatures, sequences, sides, cursors, match);
    } else {
        match->verdict = ST_MATCH_NO_MEMORY;
    }
    free(cursors);
}

/* --- no exact verdict ---------------------------------------------------------------------------- */

static void match_hashes(struct st_signatures *signatures, const struct st_side sides[2],
                         struct st_match *match)
{
    struct st_signature hashes[2];
    match->hashes = ST_HASHES_UNKNOWN;
    for (int i = 0; i < 2; i++) {
        if (st_signatures_of(signatures, sides[i].type, sides[i].count, &hashes[i])) {
            return;
        }
        match->length[i] = hashes[i].length;
    }
    match->hashes =
        st_signature_equal(&hashes[0], &hashes[1]) ? ST_HASHES_EQUAL : ST_HASHES_DIFFERENT;
}

static enum st_match_verdict verdict_of(enum st_signature_state state)
{
    switch (state) {
    case ST_SIGNATURE_TOO_LONG:
        return ST_MATCH_TOO_LONG;
    case ST_SIGNATURE_UNDECIDED:
        return ST_MATCH_UNDECIDED;
    case ST_SIGNATURE_NO_MEMORY:
        return ST_MATCH_NO_MEMORY;
    default:
        return ST_MATCH_EQUAL;
    }
}

void st_match(struct st_signatures *signatures, const struct st_type *type1, int64_t count1,
              const struct st_type *type2, int64_t count2, struct st_match *match)
{
    const struct st_sequences *sequences = st_signatures_sequences(signatures);
    struct st_side sides[2] = {{type1, count1, ST_EMPTY_SEQUENCE},
                               {type2, count2, ST_EMPTY_SEQUENCE}};
    *match = (struct st_match){.length = {-1, -1}, .agreed = -1};
    for (int i = 0; i < 2; i++) {
        enum st_signature_state state =
            st_signatures_sequence(signatures, sides[i].type, sides[i].count, &sides[i].sequence);
        enum st_match_verdict verdict = verdict_of(state);
        match->verdict = verdict > match->verdict ? verdict : match->verdict;
    }
    if (match->verdict != ST_MATCH_EQUAL) {
        if (match->verdict == ST_MATCH_UNDECIDED) {
            match_hashes(signatures, sides, match);
        }
        return;
    }
    if (is_packed(sequences, sides[0].sequence) != is_packed(sequences, sides[1].sequence)) {
        match_bytes(sides, match);
    } else {
        match_elements(signatures, sequences, sides, match);
    }
}
