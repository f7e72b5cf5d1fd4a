/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of a layout as levels (strided blocks in their normal form); and runs, which are sorted,
 * joined, and made levels if they are regular.
 *
 * Both are in one file, because each needs the other: regular runs become a repeated block, and a
 * layout with too many levels is unfolded into runs.
 */
#include "core/layout/layout_make.h"

#include <stdlib.h>
#include <string.h>

/* --- the normal form ---------------------------------------------------------------------------
 */

/* A strided block under construction. */
struct st_local_nest {
    struct st_level levels[ST_MOST_LEVELS + 1];
    size_t count;
    uint64_t length;
    bool block; /* if false, it is a list: levels cannot be merged into it */
};

static void drop_level(struct st_local_nest *nest, size_t k)
{
    nest->count--;
    memmove(nest->levels + k, nest->levels + k + 1, (nest->count - k) * sizeof(*nest->levels));
}

static bool melt_nest(struct st_local_nest *nest)
{
    for (size_t k = 0; nest->block && k < nest->count; k++) {
        const struct st_level *level = &nest->levels[k];
        if (level->stride <= nest->length) {
            nest->length += (level->count - 1) * level->stride;
            drop_level(nest, k);
            return true;
        }
    }
    return false;
}

/* Merges two levels that form one without a gap: both strides are multiples of the first, and count
 * * stride of the first is not less than the stride of the second. No product leaves 64 bits,
 * because what the levels span does not. */
static bool merge_nest(struct st_local_nest *nest)
{
    for (size_t j = 1; j < nest->count; j++) {
        for (size_t i = 0; i < j; i++) {
            struct st_level *one = &nest->levels[i];
            const struct st_level *other = &nest->levels[j];
            if (other->stride % one->stride == 0 && other->stride / one->stride <= one->count) {
                one->count += other->stride / one->stride * (other->count - 1);
                drop_level(nest, j);
                return true;
            }
        }
    }
    return false;
}

static void add_level(struct st_local_nest *nest, uint64_t count, uint64_t stride)
{
    size_t k = nest->count++;
    for (; k > 0 && nest->levels[k - 1].stride > stride; k--) {
        nest->levels[k] = nest->levels[k - 1];
    }
    nest->levels[k] = (struct st_level){count, stride};
    while (melt_nest(nest) || merge_nest(nest)) {
    }
}

static struct st_layout *nest_layout(const struct st_local_nest *nest, const struct st_layout *of)
{
    struct st_layout *layout = st_layout_new(nest->count);
    if (!layout) {
        return NULL;
    }
    layout->list = of->list;
    if (layout->list) {
        layout->list->references++;
    }
    layout->length = nest->length;
    layout->parts = layout->list ? layout->list->parts : 1;
    for (size_t k = 0; k < nest->count; k++) {
        layout->levels[k] = nest->levels[k];
        layout->parts = st_parts_product(layout->parts, nest->levels[k].count);
    }
    memcpy(layout->residues, of->residues, sizeof layout->residues);
    return layout;
}

/* --- runs --- */
static uint64_t number_of(const struct st_number_column *column, size_t i)
{
    uint64_t number;
    memcpy(&number, column->first + i * column->width, sizeof number);
    return number;
}

/* Finds progressions within progressions: each round takes the first numbers of the groups that the
 * round before has found. */
size_t st_progressions(struct st_number_column column, size_t count, struct st_level *levels)
{
    size_t found = 0;
    while (count > 1) {
        uint64_t step = number_of(&column, 1) - number_of(&column, 0);
        size_t group = 2;
        while (group < count && number_of(&column, group) - number_of(&column, group - 1) == step) {
            group++;
        }
        if (step == 0 || count % group || found == ST_MOST_LEVELS) {
            return 0;
        }
        for (size_t i = group; i < count; i++) {
            if (i % group && number_of(&column, i) - number_of(&column, i - 1) != step) {
                return 0;
            }
        }
        levels[found++] = (struct st_level){group, step};
        column.width *= group;
        count /= group;
    }
    return found;
}

struct st_layout *st_layout_on_levels(struct st_layout *of, const struct st_level *levels,
                                      size_t count, int64_t low)
{
    for (size_t k = 0; of && k < count; k++) {
        struct st_layout *more =
            st_layout_repeat(of, (int64_t)levels[k].count, (int64_t)levels[k].stride);
        st_layout_release(of);
        of = more;
    }
    struct st_layout *moved = of ? st_layout_moved(of, low) : NULL;
    st_layout_release(of);
    return moved;
}

static int by_begin(const void *a, const void *b)
{
    const struct st_run *one = a, *other = b;
    return (one->from > other->from) - (one->from < other->from);
}

void st_runs_sort(struct st_run *runs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (runs[i].from < runs[i - 1].from) {
            qsort(runs, count, sizeof(*runs), by_begin);
            return;
        }
    }
}

/* Joins sorted runs that touch or overlap. Returns the number of runs that are left. */
static size_t join_runs(struct st_run *runs, size_t count)
{
    size_t last = 0;
    for (size_t i = 1; i < count; i++) {
        if (runs[i].from > runs[last].to) {
            runs[++last] = runs[i];
        } else if (runs[i].to > runs[last].to) {
            runs[last].to = runs[i].to;
        }
    }
    return last + 1;
}

static bool equally_long(const struct st_run *runs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (runs[i].to - runs[i].from != runs[0].to - runs[0].from) {
            return false;
        }
    }
    return true;
}

static struct st_layout *over_runs(struct st_run *runs, size_t count, int64_t low)
{
    struct st_layout *layout = st_layout_block(runs[count - 1].to);
    struct st_list *list = calloc(1, sizeof(*list));
    if (!layout || !list) {
        free(runs);
        free(list);
        st_layout_release(layout);
        return NULL;
    }
    struct st_run *less = realloc(runs, count * sizeof(*runs));
    *list = (struct st_list){.references = 1,
                             .count = count,
                             .runs = less ? less : runs,
                             .span = layout->span,
                             .parts = count};
    layout->low = low;
    layout->list = list;
    layout->parts = count;
    return layout;
}

struct st_layout *st_layout_of_runs(struct st_run *runs, size_t count, int64_t low)
{
    struct st_level levels[ST_MOST_LEVELS];
    st_runs_sort(runs, count);
    count = join_runs(runs, count);
    uint64_t first = runs[0].from, length = runs[0].to - first;
    low += (int64_t)first;
    struct st_number_column begins = {(const char *)&runs[0].from, sizeof(*runs)};
    size_t found = 0;
    if (count == 1 ||
        (equally_long(runs, count) && (found = st_progressions(begins, count, levels)) != 0)) {
        free(runs);
        return st_layout_on_levels(st_layout_block(length), levels, found, low);
    }
    for (size_t i = 0; i < count; i++) {
        runs[i].from -= first;
        runs[i].to -= first;
    }
    return over_runs(runs, count, low);
}

/* --- repeat --- */
/* Computes the remainders of all copies. They repeat after 32 copies at the latest. */
static void repeat_residues(struct st_layout *layout, uint64_t count, uint64_t stride)
{
    count = count < 32 ? count : 32;
    for (int i = 0; i < ST_ALIGNMENTS; i++) {
        uint32_t one = layout->residues[i];
        for (uint64_t z = 1; one && z < count; z++) {
            layout->residues[i] |= st_residues_turned(one, z * stride);
        }
    }
}

static bool same_copies(const struct st_layout *of, int64_t count, int64_t stride)
{
    return of->doubt || st_layout_empty(of) || count == 1 || stride == 0;
}

/* Unfolds a layout that has too many levels. Its blocks are few only if copies cover the same
 * bytes; of more than 2^20 blocks nothing is known (ST_DOUBT_STEPS). */
static struct st_layout *unfolded(const struct st_layout *of, uint64_t count, uint64_t stride,
                                  int64_t low)
{
    struct st_item item = {.count = count, .stride = stride, .of = of};
    uint64_t parts = st_item_parts(&item);
    struct st_effort effort = st_effort_of(0);
    if (parts > UINT64_C(1) << 20) {
        return st_layout_nothing(ST_DOUBT_STEPS);
    }
    struct st_run *runs = malloc(parts * sizeof(*runs));
    size_t made = 0;
    if (!runs || !st_item_unfold(&item, runs, &made, &effort)) {
        free(runs);
        return NULL;
    }
    return st_layout_of_runs(runs, made, low);
}

struct st_layout *st_layout_repeat(const struct st_layout *of, int64_t count, int64_t stride)
{
    int64_t low;
    uint64_t span;
    if (count <= 0) {
        return st_layout_nothing(ST_DOUBT_NONE);
    }
    if (same_copies(of, count, stride)) {
        return (struct st_layout *)st_layout_ref(of);
    }
    if (!st_copies_bounds(of, (uint64_t)count, stride, &low, &span)) {
        return st_layout_nothing(ST_DOUBT_OVERFLOW);
    }
    uint64_t step = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    struct st_local_nest nest = {
        .count = of->level_count, .length = of->length, .block = !of->list};
    memcpy(nest.levels, of->levels, of->level_count * sizeof(*nest.levels));
    add_level(&nest, (uint64_t)count, step);
    struct st_layout *layout;
    if (nest.count > ST_MOST_LEVELS) {
        layout = unfolded(of, (uint64_t)count, step, low);
        if (layout) {
            memcpy(layout->residues, of->residues, sizeof layout->residues);
        }
    } else {
        layout = nest_layout(&nest, of);
    }
    if (layout && !layout->doubt) {
        layout->low = low;
        layout->span = span;
        repeat_residues(layout, (uint64_t)count, (uint64_t)stride);
    }
    return layout;
}
