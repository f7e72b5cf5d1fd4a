/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins two sequences: only the runs near the seam are cut again. */
#include "core/signature/sequence.h"

void st_end_open(struct st_end *end, const struct st_sequences *sequences, bool right, int level,
                 const struct st_sequence *runs, size_t count)
{
    end->sequences = sequences;
    end->right = right;
    end->top = level;
    for (int i = 0; i < level; i++) {
        end->rest[i].count = 0;
    }
    end->rest[level] = (struct st_rest){runs, count, count ? runs[right ? 0 : count - 1].count : 0};
}

static const struct st_sequence *edge_of(const struct st_end *end, const struct st_rest *rest)
{
    return end->right ? rest->runs : rest->runs + rest->count - 1;
}

/* Removes one copy of the name at the edge. */
static uint32_t take_one(struct st_end *end, int level)
{
    struct st_rest *rest = &end->rest[level];
    uint32_t name = edge_of(end, rest)->name;
    if (--rest->edge == 0) {
        rest->count--;
        rest->runs += end->right;
        rest->edge = rest->count ? edge_of(end, rest)->count : 0;
    }
    return name;
}

/* Removes the name on `level` next to the edge; takes the names above it apart if necessary. */
static bool take_name(struct st_end *end, int level, uint32_t *name)
{
    int from = level;
    while (from <= end->top && end->rest[from].count == 0) {
        from++;
    }
    if (from > end->top) {
        return false;
    }
    *name = take_one(end, from);
    while (from > level) {
        const struct st_phrase *phrase = st_phrase_of(end->sequences, *name);
        from--;
        end->rest[from] = (struct st_rest){phrase->runs, phrase->count, 0};
        end->rest[from].edge = edge_of(end, &end->rest[from])->count;
        *name = take_one(end, from);
    }
    return true;
}

static bool is_open_above(const struct st_end *end, int level)
{
    for (int i = level + 1; i <= end->top; i++) {
        if (end->rest[i].count) {
            return true;
        }
    }
    return false;
}

static size_t rest_count(const struct st_end *end, int level)
{
    return level <= end->top ? end->rest[level].count : 0;
}

static void add_rest(struct st_sequences *sequences, const struct st_end *end, int level,
                     struct st_runs *list)
{
    for (size_t i = 0; i < rest_count(end, level); i++) {
        const struct st_rest *rest = &end->rest[level];
        struct st_sequence run = rest->runs[i];
        if (&rest->runs[i] == edge_of(end, rest)) {
            run.count = rest->edge;
        }
        st_runs_add(sequences, list, run);
    }
}

static void add_phrase(struct st_sequences *sequences, uint32_t name, struct st_runs *list)
{
    const struct st_phrase *phrase = st_phrase_of(sequences, name);
    st_runs_add_all(sequences, list, phrase->runs, phrase->count);
}

/*
 * Why this is enough: each rest, on its outer side, ends where a phrase of its sequence ends.
 * Whether a run begins a phrase depends on its name and its neighbours' names. On the left, the
 * first run of the rest began a phrase, and still does if the second run is unchanged, too. On the
 * right, the run after the rest began a phrase, and still does if the last run of the rest is
 * unchanged. Counts do not matter, so the run at the seam may grow. If a rest is too short for
 * this, the next phrase is added to it.
 */
void st_sequence_join_level(struct st_sequences *sequences, struct st_end *left,
                            struct st_end *right, int level, struct st_runs *list, bool *whole)
{
    struct st_runs *all = &sequences->scratch[ST_SCRATCH_JOIN];
    uint32_t name;
    all->count = 0;
    if (rest_count(left, level) < 2 && take_name(left, level + 1, &name)) {
        add_phrase(sequences, name, all);
    }
    add_rest(sequences, left, level, all);
    st_runs_add_all(sequences, all, list->runs, list->count);
    add_rest(sequences, right, level, all);
    if (rest_count(right, level) < 1 && take_name(right, level + 1, &name)) {
        add_phrase(sequences, name, all);
    }
    if (level <= left->top) {
        left->rest[level].count = 0;
    }
    if (level <= right->top) {
        right->rest[level].count = 0;
    }
    *whole = all->count == 1 && !is_open_above(left, level) && !is_open_above(right, level);
    if (*whole) {
        struct st_runs swapped = *list;
        *list = *all;
        *all = swapped;
    } else {
        list->count = 0;
        st_sequence_cut(sequences, all, list);
    }
}

enum st_error st_sequence_join(struct st_sequences *sequences, struct st_sequence first,
                               struct st_sequence second, struct st_sequence *out)
{
    int64_t length;
    *out = first.count ? first : second;
    if (first.count == 0 || second.count == 0) {
        return ST_OK;
    }
    *out = ST_EMPTY_SEQUENCE;
    if (__builtin_add_overflow(st_sequence_length(sequences, first),
                               st_sequence_length(sequences, second), &length)) {
        return ST_OVERFLOW;
    }
    struct st_end *left = &sequences->ends[0], *right = &sequences->ends[1];
    st_end_open(left, sequences, false, st_phrase_of(sequences, first.name)->level, &first, 1);
    st_end_open(right, sequences, true, st_phrase_of(sequences, second.name)->level, &second, 1);
    struct st_runs *list = &sequences->scratch[ST_SCRATCH_NEXT];
    bool whole = false;
    list->count = 0;
    sequences->error = ST_OK;
    for (int level = 0; !whole && !sequences->error; level++) {
        st_sequence_join_level(sequences, left, right, level, list, &whole);
    }
    if (!sequences->error) {
        *out = list->runs[0];
    }
    return sequences->error;
}

/* --- many ------------------------------------------------------------------------------------ */

enum { MOST_LOOSE = 4096, MOST_UNFOLDED = 16 };

void st_series_begin(struct st_series *series, struct st_sequences *sequences)
{
    series->sequences = sequences;
    series->count = 0;
    series->loose = 0;
    series->error = ST_OK;
    sequences->scratch[ST_SCRATCH_SERIES].count = 0;
}

static void merge_last(struct st_series *series)
{
    struct st_series_part *last = &series->parts[--series->count];
    struct st_series_part *before = last - 1;
    enum st_error error =
        st_sequence_join(series->sequences, before->sequence, last->sequence, &before->sequence);
    before->added += last->added;
    series->error = series->error ? series->error : error;
}

/* Merges the last parts so that each is at most half as long as the one before. So there are never
 * many parts, and each sequence takes part in few joins. */
static void add_part(struct st_series *series, struct st_sequence sequence, uint64_t added)
{
    series->parts[series->count++] = (struct st_series_part){sequence, added};
    while (series->count > 1 && !series->error &&
           series->parts[series->count - 2].added / 2 < series->parts[series->count - 1].added) {
        merge_last(series);
    }
}

static void add_loose(struct st_series *series)
{
    struct st_sequences *sequences = series->sequences;
    struct st_runs *loose = &sequences->scratch[ST_SCRATCH_SERIES];
    struct st_sequence sequence;
    int64_t length = 0;
    if (!loose->count) {
        return;
    }
    sequences->error = ST_OK;
    for (size_t i = 0; i < loose->count; i++) {
        if (__builtin_add_overflow(length, loose->runs[i].count, &length)) {
            series->error = ST_OVERFLOW;
            return;
        }
    }
    series->error = st_sequence_raise(sequences, loose, &sequence);
    if (!series->error) {
        add_part(series, sequence, series->loose);
    }
    series->loose = 0;
}

void st_series_add(struct st_series *series, struct st_sequence sequence)
{
    struct st_sequences *sequences = series->sequences;
    struct st_runs *loose = &sequences->scratch[ST_SCRATCH_SERIES];
    if (series->error || sequence.count == 0) {
        return;
    }
    const struct st_phrase *phrase = st_phrase_of(sequences, sequence.name);
    bool low = phrase->level == 0;
    bool short_ = phrase->level == 1 && phrase->count <= MOST_UNFOLDED &&
                  sequence.count <= MOST_UNFOLDED / phrase->count;
    if (!low && !short_) {
        add_loose(series);
        if (!series->error) {
            add_part(series, sequence, 1);
        }
        return;
    }
    sequences->error = ST_OK;
    for (int64_t i = 0; i < (low ? 1 : sequence.count); i++) {
        st_runs_add_all(sequences, loose, low ? &sequence : phrase->runs, low ? 1 : phrase->count);
    }
    series->error = sequences->error;
    series->loose++;
    if (!series->error && loose->count > MOST_LOOSE) {
        add_loose(series);
    }
}

enum st_error st_series_end(struct st_series *series, struct st_sequence *out)
{
    *out = ST_EMPTY_SEQUENCE;
    if (!series->error) {
        add_loose(series);
    }
    while (series->count > 1 && !series->error) {
        merge_last(series);
    }
    if (series->count && !series->error) {
        *out = series->parts[0].sequence;
    }
    return series->error;
}
