/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of a sequence, side by side: all seams are alike. When the runs at one seam are known, the
 * whole is
 *
 *     head  period period ... period  tail
 *
 * and is cut in this form, level by level. The period gets shorter each time; when it is one name,
 * its copies are one run.
 */
#include "core/signature/sequence.h"

#include <stdlib.h>

enum { HEAD = ST_SCRATCH_TOP + 1, PERIOD, TAIL, CUT, TURNED };

/* The first level is one that has at least this many copies of names, so that both ends of a copy
 * can be open. If the ends meet nevertheless, the level below is tried. */
enum { ENOUGH_COPIES = 2 };

/* --- the last repetition ------------------------------------------------------------------------- */

struct st_repeated {
    struct st_sequence one, all;
    int64_t times;
};

enum { MOST_REPEATED = 512 };

static struct st_repeated *remembered(struct st_sequences *sequences, struct st_sequence one,
                                      int64_t times)
{
    if (!sequences->repeated) {
        sequences->repeated = calloc(MOST_REPEATED, sizeof(*sequences->repeated));
    }
    uint64_t hash = (one.name + (uint64_t)one.count * UINT64_C(0x9E3779B97F4A7C15)) ^
                    ((uint64_t)times * UINT64_C(0xC2B2AE3D27D4EB4F));
    hash *= UINT64_C(0x9E3779B97F4A7C15);
    return sequences->repeated ? &sequences->repeated[(hash >> 32) % MOST_REPEATED] : NULL;
}

/* --- lists ----------------------------------------------------------------------------------- */

static void swap_runs(struct st_runs *a, struct st_runs *b)
{
    struct st_runs swapped = *a;
    *a = *b;
    *b = swapped;
}

/* Returns the number of copies, at most ENOUGH_COPIES. */
static int64_t copies_of(const struct st_sequence *runs, size_t count)
{
    int64_t copies = 0;
    for (size_t i = 0; i < count && copies < ENOUGH_COPIES; i++) {
        copies += runs[i].count < ENOUGH_COPIES ? runs[i].count : ENOUGH_COPIES;
    }
    return copies < ENOUGH_COPIES ? copies : ENOUGH_COPIES;
}

/* Replaces the list by the one a level below. */
static void unfold_runs(struct st_sequences *sequences, struct st_runs *list)
{
    struct st_runs *below = &sequences->scratch[CUT];
    below->count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct st_phrase *phrase = st_phrase_of(sequences, list->runs[i].name);
        for (int64_t copy = 0; copy < list->runs[i].count && !sequences->error; copy++) {
            st_runs_add_all(sequences, below, phrase->runs, phrase->count);
        }
    }
    sequences->work += below->count;
    swap_runs(list, below);
}

/* Adds the rest of a list with one open end. */
static void add_rest(struct st_sequences *sequences, struct st_runs *list,
                     const struct st_rest *rest, bool right)
{
    for (size_t i = 0; i < rest->count; i++) {
        struct st_sequence run = rest->runs[i];
        run.count = i == (right ? 0 : rest->count - 1) ? rest->edge : run.count;
        st_runs_add(sequences, list, run);
    }
}

/* Adds the rest of a list with two open ends. Returns false if they have met. */
static bool add_middle(struct st_sequences *sequences, struct st_runs *list,
                       const struct st_rest *left, const struct st_rest *right)
{
    /* The left end keeps the runs up to `last`, the right end those from `first` on. */
    const struct st_sequence *first = right->runs, *last = left->runs + left->count - 1;
    if (left->count == 0 || right->count == 0) {
        return false;
    }
    if (first > last) {
        return first == last + 1 && left->edge == last->count && right->edge == first->count;
    }
    for (const struct st_sequence *run = first; run <= last; run++) {
        int64_t count = run->count;
        count -= run == first ? run->count - right->edge : 0;
        count -= run == last ? run->count - left->edge : 0;
        if (count < 0) {
            return false;
        }
        if (count > 0) {
            st_runs_add(sequences, list, (struct st_sequence){run->name, count});
        }
    }
    return true;
}

/* --- head, period, tail ------------------------------------------------------------------------
 */

/* Finds the period of the copies of `top`, a list on `level`. Returns false if the ends of a copy
 * meet. */
static bool find_period(struct st_sequences *sequences, const struct st_runs *top, int level,
                        int64_t *times)
{
    struct st_runs *head = &sequences->scratch[HEAD];
    struct st_runs *period = &sequences->scratch[PERIOD];
    struct st_runs *tail = &sequences->scratch[TAIL];
    head->count = period->count = tail->count = 0;
    if (level == 0) {
        st_runs_add_all(sequences, period, top->runs, top->count);
        return true;
    }
    struct st_end *left = &sequences->ends[0], *right = &sequences->ends[1];
    struct st_runs *seam = &sequences->scratch[ST_SCRATCH_NEXT];
    st_end_open(left, sequences, false, level, top->runs, top->count);
    st_end_open(right, sequences, true, level, top->runs, top->count);
    seam->count = 0;
    for (int i = 0; i < level && !sequences->error; i++) {
        bool whole;
        st_sequence_join_level(sequences, left, right, i, seam, &whole);
    }
    st_runs_add_all(sequences, period, seam->runs, seam->count);
    if (!add_middle(sequences, period, &left->rest[level], &right->rest[level])) {
        return false;
    }
    add_rest(sequences, head, &left->rest[level], false);
    st_runs_add_all(sequences, tail, seam->runs, seam->count);
    add_rest(sequences, tail, &right->rest[level], true);
    *times -= 2;
    return true;
}

/* Returns the first run, of a period of two or more, that begins a phrase in every copy. There is
 * always one: the name that is first in the order. If this is the name of the last run, the next
 * copy may begin with it, too: the two are then one run. */
static size_t first_start(const struct st_sequences *sequences, const struct st_runs *period)
{
    size_t n = period->count, i = 0;
    const struct st_sequence *runs = period->runs;
    while (i + 1 < n && !(st_name_before(sequences, runs[i].name, runs[(i + n - 1) % n].name) &&
                          st_name_before(sequences, runs[i].name, runs[i + 1].name))) {
        i++;
    }
    return i;
}

/* Cuts head, period and tail; there are `times` periods, at least 3. */
static void cut_all(struct st_sequences *sequences, int64_t *times)
{
    struct st_runs *head = &sequences->scratch[HEAD];
    struct st_runs *period = &sequences->scratch[PERIOD];
    struct st_runs *tail = &sequences->scratch[TAIL];
    struct st_runs *turned = &sequences->scratch[TURNED];
    struct st_runs *cut = &sequences->scratch[CUT];
    size_t start = first_start(sequences, period);
    /* A period can be cut only if its neighbours are known. So one copy goes to the head, one to
     * the tail, and one is divided between them, because the period now begins at `start`. */
    st_runs_add_all(sequences, head, period->runs, period->count);
    st_runs_add_all(sequences, head, period->runs, start);
    turned->count = 0;
    st_runs_add_all(sequences, turned, period->runs + start, period->count - start);
    cut->count = 0;
    st_runs_add_all(sequences, cut, turned->runs, turned->count);
    st_runs_add_all(sequences, turned, period->runs, start);
    st_runs_add_all(sequences, cut, period->runs, period->count);
    st_runs_add_all(sequences, cut, tail->runs, tail->count);
    tail->count = 0;
    st_sequence_cut(sequences, cut, tail);
    cut->count = 0;
    st_sequence_cut(sequences, head, cut);
    swap_runs(head, cut);
    period->count = 0;
    st_sequence_cut(sequences, turned, period);
    *times -= 3;
}

static enum st_error raise_periods(struct st_sequences *sequences, int64_t times,
                                   struct st_sequence *out)
{
    struct st_runs *head = &sequences->scratch[HEAD];
    struct st_runs *period = &sequences->scratch[PERIOD];
    struct st_runs *tail = &sequences->scratch[TAIL];
    while (times > 3 && period->count > 1 && !sequences->error) {
        cut_all(sequences, &times);
    }
    if (sequences->error) {
        return sequences->error;
    }
    if (period->count == 1 && times > 0) {
        period->runs[0].count *= times; /* cannot overflow: it is part of the whole length */
        times = 1;
    }
    for (; times > 0; times--) {
        st_runs_add_all(sequences, head, period->runs, period->count);
    }
    st_runs_add_all(sequences, head, tail->runs, tail->count);
    return st_sequence_raise(sequences, head, out);
}

enum st_error st_sequence_repeat(struct st_sequences *sequences, struct st_sequence one,
                                 int64_t times, struct st_sequence *out)
{
    int64_t length;
    *out = times == 1 ? one : ST_EMPTY_SEQUENCE;
    if (times <= 1 || one.count == 0) {
        return ST_OK;
    }
    if (__builtin_mul_overflow(st_sequence_length(sequences, one), times, &length)) {
        return ST_OVERFLOW;
    }
    int level = st_phrase_of(sequences, one.name)->level;
    if (level == 0) {
        *out = (struct st_sequence){one.name, one.count * times};
        return ST_OK;
    }
    struct st_repeated *repeated = remembered(sequences, one, times);
    if (repeated && repeated->times == times && st_sequence_equal(repeated->one, one)) {
        *out = repeated->all;
        return ST_OK;
    }
    struct st_runs *top = &sequences->scratch[ST_SCRATCH_TOP];
    top->count = 0;
    sequences->error = ST_OK;
    st_runs_add(sequences, top, one);
    while (level > 0 && copies_of(top->runs, top->count) < ENOUGH_COPIES && !sequences->error) {
        unfold_runs(sequences, top);
        level--;
    }
    int64_t periods = times;
    while (!sequences->error && !find_period(sequences, top, level, &periods)) {
        unfold_runs(sequences, top);
        level--;
    }
    enum st_error error = sequences->error;
    if (!error) {
        error = raise_periods(sequences, periods, out);
    }
    if (!error && repeated) {
        *repeated = (struct st_repeated){one, *out, times};
    }
    return error;
}
