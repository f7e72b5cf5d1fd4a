/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/copies.h"

#include <stdlib.h>

#include "core/layout/layout_make.h"
#include "core/overlap/pairs.h"

/* The most blocks that are unfolded to find out whether any two share a byte: 256 MiB of runs. */
#define MOST_UNFOLDED (UINT64_C(1) << 24)

/* The items that have bytes, counted from `low`. */
struct st_union_items {
    struct st_item *items;
    size_t count;
    int64_t low;
    uint64_t parts;
};

static int by_at(const void *a, const void *b)
{
    const struct st_item *one = a, *other = b;
    return (one->at > other->at) - (one->at < other->at);
}

static enum st_doubt take_members(struct st_union_items *members, const struct st_placed *placed,
                                  size_t count)
{
    members->low = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        struct st_item item;
        int64_t low;
        enum st_doubt doubt = st_item_of(&placed[i], &item, &low);
        if (doubt) {
            return doubt;
        }
        if (item.count) {
            item.at = (uint64_t)low;
            members->low = low < members->low ? low : members->low;
            members->items[members->count++] = item;
            if (__builtin_add_overflow(members->parts, st_item_parts(&item), &members->parts)) {
                members->parts = UINT64_MAX;
            }
        }
    }
    for (size_t i = 0; i < members->count; i++) {
        members->items[i].at -= (uint64_t)members->low;
    }
    qsort(members->items, members->count, sizeof(*members->items), by_at);
    return ST_DOUBT_NONE;
}

/* Returns true if all bounds are disjoint. Compares with the greatest end so far, which need not be
 * that of the last item. */
static bool bounds_disjoint(const struct st_union_items *members)
{
    uint64_t end = 0;
    for (size_t i = 0; i < members->count; i++) {
        const struct st_item *item = &members->items[i];
        if (item->at < end) {
            return false;
        }
        end = item->at + st_item_span(item);
    }
    return true;
}

static enum st_verdict unfolded(const struct st_union_items *members, struct st_effort *effort,
                                uint64_t *at)
{
    struct st_run *runs = malloc(members->parts * sizeof(*runs));
    size_t made = 0;
    bool done = runs != NULL;
    for (size_t i = 0; done && i < members->count; i++) {
        done = st_item_unfold(&members->items[i], runs, &made, effort);
    }
    if (!done) {
        free(runs);
        return effort->doubt == ST_DOUBT_INTERRUPTED ? ST_UNDECIDED
                                                     : st_undecided(effort, ST_DOUBT_MEMORY);
    }
    st_runs_sort(runs, made);
    enum st_verdict verdict = ST_NO;
    uint64_t end = 0;
    for (size_t i = 0; i < made && verdict == ST_NO; i++) {
        if (runs[i].from < end) {
            verdict = ST_YES;
            *at = runs[i].from;
        }
        end = runs[i].to > end ? runs[i].to : end;
    }
    free(runs);
    return verdict;
}

/* Compares each item with those that begin before it and have not ended. */
static enum st_verdict pair_by_pair(const struct st_union_items *members, struct st_effort *effort,
                                    uint64_t *at)
{
    size_t *open = malloc(members->count * sizeof(*open)), opened = 0;
    enum st_verdict verdict = open ? ST_NO : st_undecided(effort, ST_DOUBT_MEMORY);
    for (size_t i = 0; open && i < members->count && verdict == ST_NO; i++) {
        const struct st_item *item = &members->items[i];
        size_t left = 0;
        for (size_t j = 0; j < opened && verdict == ST_NO; j++) {
            const struct st_item *other = &members->items[open[j]];
            if (other->at + st_item_span(other) <= item->at) {
                continue;
            }
            open[left++] = open[j];
            struct st_pairs pairs = {.effort = effort, .visit = st_pairs_first};
            verdict = st_pairs_run(&pairs, item, other, (st_wide)(item->at - other->at), NULL);
            *at = item->at + pairs.at;
        }
        open[left] = i;
        opened = left + 1;
    }
    free(open);
    return verdict;
}

/* Compares blocks on the same levels, like columns of a matrix: first the blocks, then the levels
 * around all of them. */
static enum st_verdict level_by_level(const struct st_union_items *members,
                                      struct st_effort *effort, uint64_t *at)
{
    const struct st_item *first = &members->items[0];
    struct st_run *runs = malloc(members->count * sizeof(*runs));
    uint64_t end = 0;
    if (!runs) {
        return st_undecided(effort, ST_DOUBT_MEMORY);
    }
    for (size_t i = 0; i < members->count; i++) {
        uint64_t from = members->items[i].at;
        if (from < end) {
            free(runs);
            *at = from;
            return ST_YES;
        }
        end = from + members->items[i].of->length;
        runs[i] = (struct st_run){from, end};
    }
    struct st_layout *layout = st_layout_of_runs(runs, members->count, 0);
    enum st_verdict verdict = ST_NO;
    for (uint32_t k = 0; layout && verdict == ST_NO && k <= first->of->level_count; k++) {
        bool outer = k == first->of->level_count;
        uint64_t count = outer ? first->count : first->of->levels[k].count;
        uint64_t stride = outer ? first->stride : first->of->levels[k].stride;
        struct st_copies copies = {0};
        verdict = st_copies_overlap(layout, count, (int64_t)stride, effort, &copies);
        *at = (uint64_t)copies.at;
        struct st_layout *more = st_layout_repeat(layout, (int64_t)count, (int64_t)stride);
        st_layout_release(layout);
        layout = more;
    }
    if (!layout) {
        verdict = st_undecided(effort, ST_DOUBT_MEMORY);
    }
    st_layout_release(layout);
    return verdict;
}

static bool alike(const struct st_union_items *members)
{
    for (size_t i = 0; i < members->count; i++) {
        if (!st_item_on_levels_of(&members->items[0], &members->items[i])) {
            return false;
        }
    }
    return true;
}

static enum st_verdict meet_members(const struct st_union_items *members, struct st_effort *effort,
                                    uint64_t *at)
{
    if (bounds_disjoint(members)) {
        return ST_NO;
    }
    if (alike(members)) {
        return level_by_level(members, effort, at);
    }
    if (members->parts <= MOST_UNFOLDED && members->parts <= effort->steps) {
        st_effort_spend(effort, members->parts);
        return unfolded(members, effort, at);
    }
    return pair_by_pair(members, effort, at);
}

enum st_verdict st_union_overlaps(const struct st_placed *placed, size_t count,
                                  struct st_effort *effort, int64_t *at)
{
    struct st_union_items members = {.items = malloc((count ? count : 1) * sizeof(*members.items))};
    uint64_t offset = 0;
    if (!members.items) {
        return st_undecided(effort, ST_DOUBT_MEMORY);
    }
    enum st_doubt doubt = take_members(&members, placed, count);
    enum st_verdict verdict =
        doubt ? st_undecided(effort, doubt) : meet_members(&members, effort, &offset);
    *at = verdict == ST_YES ? members.low + (int64_t)offset : 0;
    free(members.items);
    return verdict;
}
