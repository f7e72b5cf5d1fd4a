/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/signature/signature_text.h"

#include <stdlib.h>
#include <string.h>

#include "core/signature/cursor.h"
#include "core/signature/decimal.h"

/* How many runs are examined on each level at a position, and from which of them on a repetition
 * may begin to show (how the first ones are cut depends on what is before them). */
enum { WINDOW = ST_TEXT_RUNS + 1, FROM = 4 };

/* --- periods -------------------------------------------------------------------------------------
 */

/* A sequence that is being written. */
struct st_text_reading {
    const struct st_sequences *sequences;
    struct st_sequence sequence;
    int64_t length;
};

static const struct st_basic_element *element_at(const struct st_text_reading *reading,
                                                 int64_t position)
{
    struct st_cursor cursor;
    st_cursor_begin(&cursor, reading->sequences, reading->sequence, position);
    return st_cursor_element(&cursor);
}

/* Returns true if the element before `position` is a different one. */
static bool is_run_boundary(const struct st_text_reading *reading, int64_t position)
{
    return position == 0 || position == reading->length ||
           element_at(reading, position - 1) != element_at(reading, position);
}

/* `times` copies of `period` elements. */
struct st_repetition {
    int64_t period, times;
};

/* Returns how often the `period` elements from `start` on are repeated, up to `end`, in whole runs:
 * 2 or more, else 0. */
static int64_t times_of(const struct st_text_reading *reading, int64_t start, int64_t end,
                        int64_t period)
{
    struct st_cursor here, there;
    if (period > (end - start) / 2 || !is_run_boundary(reading, start + period)) {
        return 0;
    }
    st_cursor_begin(&here, reading->sequences, reading->sequence, start);
    st_cursor_begin(&there, reading->sequences, reading->sequence, start + period);
    if (st_cursor_element(&here) != st_cursor_element(&there)) {
        return 0;
    }
    int64_t same = st_cursor_common(&here, &there), most = end - start - period;
    int64_t times = (same < most ? same : most) / period + 1;
    if (times > 1 && !is_run_boundary(reading, start + times * period)) {
        times--; /* the last copy ends within a run */
    }
    return times > 1 ? times : 0;
}

/* A run on some level, and its position. */
struct st_sight {
    uint32_t name;
    int64_t position;
    int64_t length; /* of one copy */
    int64_t copies;
};

/* Reads the runs on `level` from the cursor up to `end`. */
static size_t look_ahead(const struct st_cursor *from, int level, int64_t end,
                         struct st_sight sights[WINDOW])
{
    struct st_cursor cursor;
    size_t count = 0;
    st_cursor_copy(&cursor, from);
    while (count < WINDOW && !st_cursor_at_end(&cursor) && cursor.position < end) {
        while (st_cursor_level(&cursor) > level) {
            st_cursor_down(&cursor);
        }
        struct st_sequence run = st_cursor_run(&cursor);
        int64_t length = st_phrase_of(cursor.sequences, run.name)->length;
        sights[count++] = (struct st_sight){run.name, cursor.position, length, run.count};
        st_cursor_skip(&cursor, run.count);
    }
    return count;
}

struct st_repetition_search {
    const struct st_text_reading *reading;
    int64_t start, end;
    struct st_repetition best;
    int64_t tried[WINDOW]; /* the last periods tried */
    size_t next;
};

static void try_period(struct st_repetition_search *search, int64_t period)
{
    for (size_t i = 0; i < WINDOW; i++) {
        if (search->tried[i] == period) {
            return;
        }
    }
    search->tried[search->next++ % WINDOW] = period;
    int64_t times = times_of(search->reading, search->start, search->end, period);
    int64_t covers = times * period, best = search->best.times * search->best.period;
    if (covers > best || (times && covers == best && period < search->best.period)) {
        search->best = (struct st_repetition){period, times};
    }
}

/* Returns the repetition that covers most elements from `start` on; .times is 0 if there is none. */
static struct st_repetition find_repetition(const struct st_text_reading *reading, int64_t start,
                                            int64_t end)
{
    struct st_repetition_search search = {.reading = reading, .start = start, .end = end};
    struct st_sight sights[WINDOW];
    struct st_cursor cursor;
    st_cursor_begin(&cursor, reading->sequences, reading->sequence, start);
    int top = st_phrase_of(reading->sequences, reading->sequence.name)->level;
    for (int level = 0; level <= top; level++) {
        st_cursor_align(&cursor, level);
        size_t count = look_ahead(&cursor, level, end, sights);
        for (size_t i = 0; i < count && i < FROM; i++) {
            if (sights[i].copies > 1 && level > 0) {
                try_period(&search, sights[i].length);
            }
            for (size_t j = i + 1; j < count; j++) {
                if (sights[i].name == sights[j].name) {
                    int64_t period = sights[j].position - sights[i].position;
                    int64_t more = (sights[j].copies - sights[i].copies) * sights[i].length;
                    try_period(&search, period);
                    try_period(&search, period + more); /* from the end of one run to the end of
                                                           the other */
                }
            }
        }
    }
    return search.best;
}

/* --- text ----------------------------------------------------------------------------------------
 */

struct st_growing_text {
    char *data;
    size_t length, capacity;
    bool failed;
};

static void append_text(struct st_growing_text *text, const char *more)
{
    size_t length = strlen(more);
    if (text->length + length + 1 > text->capacity) {
        size_t capacity = (text->length + length + 1) * 2;
        char *data = realloc(text->data, capacity);
        if (!data) {
            text->failed = true;
            return;
        }
        text->data = data;
        text->capacity = capacity;
    }
    memcpy(text->data + text->length, more, length + 1);
    text->length += length;
}

static void append_number(struct st_growing_text *text, const char *before, int64_t number)
{
    char digits[ST_DECIMAL];
    st_decimal(number, digits);
    append_text(text, before);
    append_text(text, digits);
}

/* Appends the blank between two items. */
static void append_blank(struct st_growing_text *text)
{
    if (text->length && text->data[text->length - 1] != '(') {
        append_text(text, " ");
    }
}

/* A parenthesis that is open. */
struct st_parenthesis {
    int64_t end, after; /* the ends of the first copy, and of all copies */
    int64_t times;
    size_t at; /* offset in the text */
};

/* Each group is at most half as long as the one around it. */
enum { MOST_GROUPS = 64 };

struct st_writing {
    struct st_text_reading reading;
    struct st_growing_text text;
    struct st_parenthesis groups[MOST_GROUPS];
    size_t depth;
    int64_t position;
};

static void close_groups(struct st_writing *writing)
{
    while (writing->depth && writing->groups[writing->depth - 1].end == writing->position) {
        const struct st_parenthesis *group = &writing->groups[--writing->depth];
        append_number(&writing->text, ")", group->times);
        writing->position = group->after;
    }
}

static void write_run(struct st_writing *writing)
{
    char name[ST_ELEMENT_TEXT];
    struct st_cursor cursor;
    st_cursor_begin(&cursor, writing->reading.sequences, writing->reading.sequence,
                    writing->position);
    while (st_cursor_level(&cursor) > 0) {
        st_cursor_down(&cursor);
    }
    int64_t count = st_cursor_run(&cursor).count;
    append_blank(&writing->text);
    st_element_text(st_cursor_element(&cursor), name);
    append_text(&writing->text, name);
    if (count > 1) {
        append_number(&writing->text, "*", count);
    }
    writing->position += count;
}

/* Opens the groups that begin at this element. */
static void open_groups(struct st_writing *writing)
{
    for (;;) {
        int64_t end =
            writing->depth ? writing->groups[writing->depth - 1].end : writing->reading.length;
        struct st_repetition found = find_repetition(&writing->reading, writing->position, end);
        if (!found.times) {
            return;
        }
        append_blank(&writing->text);
        writing->groups[writing->depth++] = (struct st_parenthesis){
            writing->position + found.period, writing->position + found.period * found.times,
            found.times, writing->text.length};
        append_text(&writing->text, "(");
    }
}

/* Ends the text early. Groups that are still open were written once: their parentheses are removed. */
static void end_early(struct st_writing *writing)
{
    while (writing->depth) {
        size_t at = writing->groups[--writing->depth].at;
        memmove(writing->text.data + at, writing->text.data + at + 1, writing->text.length - at);
        writing->text.length--;
    }
    int64_t more = writing->reading.length - writing->position;
    append_number(&writing->text, " ... ", more);
    append_text(&writing->text, more == 1 ? " more element" : " more elements");
}

void st_signature_text(struct st_signatures *signatures, const struct st_type *type, int64_t count,
                       size_t most, struct st_signature_text *out)
{
    struct st_writing writing = {.reading.sequences = st_signatures_sequences(signatures)};
    struct st_text_reading *reading = &writing.reading;
    size_t items = 0;
    *out = (struct st_signature_text){
        .state = st_signatures_sequence(signatures, type, count, &reading->sequence)};
    if (out->state != ST_SIGNATURE_KNOWN && out->state != ST_SIGNATURE_OPAQUE) {
        return;
    }
    reading->length = out->elements = st_sequence_length(reading->sequences, reading->sequence);
    append_text(&writing.text, "");
    while (writing.position < reading->length && (items < most || items == 0)) {
        if (st_sequences_interrupted(reading->sequences)) {
            free(writing.text.data);
            *out = (struct st_signature_text){.state = ST_SIGNATURE_UNDECIDED};
            return;
        }
        open_groups(&writing);
        write_run(&writing);
        close_groups(&writing);
        items++;
    }
    if (writing.position < reading->length && !writing.text.failed) {
        out->left_out = reading->length - writing.position;
        end_early(&writing);
    }
    if (writing.text.failed) {
        free(writing.text.data);
        *out = (struct st_signature_text){.state = ST_SIGNATURE_NO_MEMORY};
        return;
    }
    out->text = writing.text.data;
}
