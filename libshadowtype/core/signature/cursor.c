/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/signature/cursor.h"

#include <string.h>

static struct st_cursor_frame *top_of(struct st_cursor *cursor)
{
    return &cursor->frames[cursor->depth];
}

bool st_cursor_at_end(const struct st_cursor *cursor)
{
    const struct st_cursor_frame *frame = &cursor->frames[0];
    return cursor->depth == 0 && frame->at == frame->count;
}

static const struct st_phrase *phrase_at(const struct st_cursor *cursor)
{
    const struct st_cursor_frame *frame = &cursor->frames[cursor->depth];
    return st_phrase_of(cursor->sequences, frame->runs[frame->at].name);
}

struct st_sequence st_cursor_run(const struct st_cursor *cursor)
{
    const struct st_cursor_frame *frame = &cursor->frames[cursor->depth];
    return (struct st_sequence){frame->runs[frame->at].name,
                                frame->runs[frame->at].count - frame->used};
}

int st_cursor_level(const struct st_cursor *cursor)
{
    return phrase_at(cursor)->level;
}

/* Removes the frames whose end is reached. */
static void settle_cursor(struct st_cursor *cursor)
{
    struct st_cursor_frame *frame = top_of(cursor);
    for (;;) {
        if (frame->at < frame->count && frame->used == frame->runs[frame->at].count) {
            frame->at++;
            frame->used = 0;
        }
        if (frame->at < frame->count || cursor->depth == 0) {
            return;
        }
        cursor->depth--;
        frame = top_of(cursor);
        frame->used++;
    }
}

void st_cursor_skip(struct st_cursor *cursor, int64_t copies)
{
    cursor->position += copies * phrase_at(cursor)->length;
    top_of(cursor)->used += copies;
    settle_cursor(cursor);
}

void st_cursor_down(struct st_cursor *cursor)
{
    const struct st_phrase *phrase = phrase_at(cursor);
    cursor->depth++;
    *top_of(cursor) = (struct st_cursor_frame){phrase->runs, phrase->count, 0, 0};
}

void st_cursor_begin(struct st_cursor *cursor, const struct st_sequences *sequences,
                     struct st_sequence sequence, int64_t position)
{
    cursor->sequences = sequences;
    cursor->position = 0;
    cursor->whole = sequence;
    cursor->depth = 0;
    cursor->frames[0] = (struct st_cursor_frame){&cursor->whole, sequence.count > 0, 0, 0};
    while (cursor->position < position) {
        int64_t length = phrase_at(cursor)->length;
        int64_t copies = (position - cursor->position) / length;
        int64_t left = st_cursor_run(cursor).count;
        if (copies) {
            st_cursor_skip(cursor, copies < left ? copies : left);
        } else {
            st_cursor_down(cursor);
        }
    }
}

void st_cursor_copy(struct st_cursor *to, const struct st_cursor *from)
{
    to->sequences = from->sequences;
    to->position = from->position;
    to->whole = from->whole;
    to->depth = from->depth;
    memcpy(to->frames, from->frames, (size_t)(from->depth + 1) * sizeof *from->frames);
    to->frames[0].runs = &to->whole;
}

const struct st_basic_element *st_cursor_element(const struct st_cursor *cursor)
{
    const struct st_phrase *phrase = phrase_at(cursor);
    uint32_t name = st_cursor_run(cursor).name;
    while (phrase->runs) {
        name = phrase->runs[0].name;
        phrase = st_phrase_of(cursor->sequences, name);
    }
    return st_sequence_element(cursor->sequences, name);
}

void st_cursor_align(struct st_cursor *cursor, int level)
{
    while (!st_cursor_at_end(cursor) && st_cursor_level(cursor) < level) {
        st_cursor_skip(cursor, st_cursor_run(cursor).count);
    }
}

int64_t st_cursor_common(struct st_cursor *a, struct st_cursor *b)
{
    int64_t start = a->position;
    while (!st_cursor_at_end(a) && !st_cursor_at_end(b)) {
        struct st_sequence x = st_cursor_run(a), y = st_cursor_run(b);
        if (x.name == y.name) {
            int64_t copies = x.count < y.count ? x.count : y.count;
            st_cursor_skip(a, copies);
            st_cursor_skip(b, copies);
            continue;
        }
        int level_a = st_cursor_level(a), level_b = st_cursor_level(b);
        if (level_a == 0 && level_b == 0) {
            break;
        }
        if (level_a >= level_b) {
            st_cursor_down(a);
        }
        if (level_b >= level_a) {
            st_cursor_down(b);
        }
    }
    return a->position - start;
}
