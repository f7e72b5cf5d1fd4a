/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/runs.h"

#include <stdlib.h>
#include <string.h>

#include "core/signature/cursor.h"

/* As words, whatever its members are; the first word is the serial. */
typedef uint64_t __attribute__((may_alias)) st_runs_word;
enum { RUNS_WORDS = sizeof(struct st_type_runs) / sizeof(st_runs_word) };
_Static_assert(sizeof(struct st_type_runs) % sizeof(st_runs_word) == 0, "whole words");

/* --- writing ------------------------------------------------------------------------------- */

static uint64_t name_element(const struct st_basic_element *element)
{
    const uint64_t hash = st_element_hash(element);
    return hash ? hash : 1;
}

/* Returns false if there is no room for it. */
static bool add_run(struct st_type_runs *runs, uint64_t element, int64_t count)
{
    struct st_element_run *last = runs->count ? &runs->runs[runs->count - 1] : NULL;
    if (last && last->element == element) {
        last->count += count;
        return true;
    }
    if (runs->count == ST_MOST_RUNS) {
        return false;
    }
    runs->runs[runs->count++] = (struct st_element_run){element, count};
    return true;
}

static void read_runs_of(struct st_type_runs *runs, struct st_cursor *cursor)
{
    while (!st_cursor_at_end(cursor)) {
        while (st_cursor_level(cursor) > 0) {
            st_cursor_down(cursor);
        }
        const int64_t count = st_cursor_run(cursor).count;
        if (!add_run(runs, name_element(st_cursor_element(cursor)), count)) {
            return;
        }
        st_cursor_skip(cursor, count);
    }
    runs->is_whole = 1;
}

static bool fill_runs(struct st_type_runs *runs, struct st_signatures *signatures,
                      const struct st_type *type)
{
    struct st_sequence whole;
    struct st_cursor *cursor = malloc(sizeof *cursor); /* too large for a stack */
    const bool known =
        cursor && st_signatures_sequence(signatures, type, 1, &whole) == ST_SIGNATURE_KNOWN;
    if (known) {
        st_cursor_begin(cursor, st_signatures_sequences(signatures), whole, 0);
        read_runs_of(runs, cursor);
    }
    free(cursor);
    return known;
}

static bool has_left(const struct st_runs_room *room, const struct st_signature *one)
{
    for (int i = 0; i < ST_RUNS_TYPES; i++) {
        if (room->types[i].serial && st_signature_equal(&room->types[i].one, one)) {
            return true;
        }
    }
    return false;
}

void st_runs_leave(struct st_runs_room *room, struct st_signatures *signatures,
                   const struct st_type *type, const struct st_signature *one)
{
    struct st_type_runs runs = {.one = *one};
    if (one->length < 1 || has_left(room, one) || !fill_runs(&runs, signatures, type)) {
        return;
    }
    const st_runs_word *from = (const st_runs_word *)&runs;
    st_runs_word *to = (st_runs_word *)&room->types[room->written % ST_RUNS_TYPES];
    __atomic_store_n(&to[0], 0, __ATOMIC_RELEASE);
    for (int i = 1; i < RUNS_WORDS; i++) {
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
    }
    __atomic_store_n(&to[0], ++room->written, __ATOMIC_RELEASE);
}

/* --- reading ------------------------------------------------------------------------------- */

struct st_beginning st_beginning_uniform(uint64_t element, int64_t length)
{
    return (struct st_beginning){
        .length = length, .count = 1, .is_whole = true, .runs = {{element, length}}};
}

/* Returns false if it is not there, or is changing. */
static bool read_runs(const struct st_type_runs *place, struct st_type_runs *runs)
{
    const st_runs_word *from = (const st_runs_word *)place;
    st_runs_word *to = (st_runs_word *)runs;
    for (int i = 0; i < RUNS_WORDS; i++) {
        to[i] = __atomic_load_n(&from[i], __ATOMIC_ACQUIRE);
    }
    return runs->serial && __atomic_load_n(&from[0], __ATOMIC_ACQUIRE) == runs->serial;
}

static bool is_repeated(const struct st_type_runs *runs, const uint64_t hash[2], int64_t length)
{
    struct st_signature all;
    return runs->one.length > 0 && length % runs->one.length == 0 &&
           st_signature_repeat(&all, &runs->one, length / runs->one.length) &&
           all.hash.high == hash[0] && all.hash.low == hash[1];
}

/* Returns true if it is valid: it is memory of another process. */
static bool is_sound(const struct st_type_runs *runs)
{
    if (!runs->count || runs->count > ST_MOST_RUNS) {
        return false;
    }
    for (uint32_t i = 0; i < runs->count; i++) {
        if (!runs->runs[i].element || runs->runs[i].count < 1) {
            return false;
        }
    }
    return true;
}

static bool find_type(const struct st_runs_room *room, const struct st_signature *type,
                      struct st_type_runs *runs)
{
    for (int i = 0; i < ST_RUNS_TYPES; i++) {
        if (read_runs(&room->types[i], runs) && st_signature_equal(&runs->one, type) &&
            is_sound(runs)) {
            return true;
        }
    }
    return false;
}

/* Appends the first elements of the runs. Returns false if there are not so many. */
static bool append_runs(struct st_signature *begin, const struct st_type_runs *runs, int64_t length)
{
    for (uint32_t i = 0; i < runs->count && length > 0; i++) {
        const struct st_signature one = st_signature_hashed(runs->runs[i].element);
        const int64_t count = runs->runs[i].count < length ? runs->runs[i].count : length;
        struct st_signature run;
        if (!st_signature_repeat(&run, &one, count) || !st_signature_append(begin, begin, &run)) {
            return false;
        }
        length -= count;
    }
    return length == 0;
}

bool st_runs_begin(const struct st_runs_room *room, const struct st_signature *type, int64_t length,
                   struct st_signature *begin)
{
    struct st_type_runs runs;
    return type->length > 0 && length >= 0 && find_type(room, type, &runs) &&
           st_signature_repeat(begin, type, length / type->length) &&
           append_runs(begin, &runs, length % type->length);
}

bool st_runs_find(const struct st_runs_room *room, const uint64_t hash[2], int64_t length,
                  struct st_beginning *beginning)
{
    for (int i = 0; i < ST_RUNS_TYPES; i++) {
        struct st_type_runs runs;
        if (read_runs(&room->types[i], &runs) && is_repeated(&runs, hash, length) &&
            is_sound(&runs)) {
            *beginning = (struct st_beginning){
                .length = length, .count = runs.count, .is_whole = runs.is_whole};
            memcpy(beginning->runs, runs.runs, sizeof beginning->runs);
            return true;
        }
    }
    return false;
}

/* --- comparing ----------------------------------------------------------------------------- */

enum { MOST_STEPS = 1 << 16 };

struct st_runs_reader {
    const struct st_beginning *of;
    int64_t position, used; /* elements passed in all, and in the run */
    uint32_t run;
};

/* Stores the current element, and how many of it follow at least; 0: the end. Returns false if it
 * is not known. */
static bool read_element(const struct st_runs_reader *reader, uint64_t *element, int64_t *count)
{
    const int64_t left = reader->of->length - reader->position;
    *element = 0;
    *count = INT64_MAX;
    if (left <= 0) {
        return true;
    }
    if (reader->run == reader->of->count) {
        return false;
    }
    const struct st_element_run *run = &reader->of->runs[reader->run];
    *element = run->element;
    *count = run->count - reader->used < left ? run->count - reader->used : left;
    return true;
}

static void skip_elements(struct st_runs_reader *reader, int64_t count)
{
    reader->position += count;
    reader->used += count;
    if (reader->run < reader->of->count && reader->used == reader->of->runs[reader->run].count) {
        reader->used = 0;
        reader->run++;
    }
    if (reader->run == reader->of->count && reader->of->is_whole) {
        reader->run = 0;
    }
}

bool st_beginnings_differ(const struct st_beginning *one, const struct st_beginning *other,
                          struct st_first_difference *first)
{
    struct st_runs_reader a = {.of = one}, b = {.of = other};
    for (int step = 0; step < MOST_STEPS; step++) {
        int64_t here, there;
        if (!read_element(&a, &first->element[0], &here) ||
            !read_element(&b, &first->element[1], &there)) {
            return false;
        }
        if (first->element[0] != first->element[1]) {
            first->index = a.position;
            return true;
        }
        if (!first->element[0]) {
            return false;
        }
        const int64_t same = here < there ? here : there;
        skip_elements(&a, same);
        skip_elements(&b, same);
    }
    return false;
}
