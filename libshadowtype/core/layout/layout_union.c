/* SPDX-License-Identifier: BSD-3-Clause */
/* The union of several layouts: runs, levels, or a list of items. */
#include "core/layout/layout_make.h"

#include <stdlib.h>
#include <string.h>

/* A list of up to so many members is copied into the list above. */
enum { FEW_MEMBERS = 64 };

/* The members of a union, and what those that have bytes have in common. */
struct st_members {
    const struct st_placed *placed;
    size_t placed_count;
    int64_t low;
    uint64_t parts;
    size_t count;          /* number of members with bytes */
    bool same;             /* all are equal, except for their displacements */
    bool alike;            /* all are blocks on the same levels */
    struct st_item *items; /* counted from `low`; NULL: not made yet */
};

static int by_at(const void *a, const void *b)
{
    const struct st_item *one = a, *other = b;
    return (one->at > other->at) - (one->at < other->at);
}

static void items_sort(struct st_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (items[i].at < items[i - 1].at) {
            qsort(items, count, sizeof(*items), by_at);
            return;
        }
    }
}

bool st_item_on_levels_of(const struct st_item *a, const struct st_item *b)
{
    return a->of && b->of && !a->of->list && !b->of->list && a->count == b->count &&
           a->stride == b->stride && a->of->level_count == b->of->level_count &&
           memcmp(a->of->levels, b->of->levels, a->of->level_count * sizeof(a->of->levels[0])) == 0;
}

/* Looks at all members. If one has a doubt, the union has it. */
static enum st_doubt survey_members(struct st_members *members, struct st_effort *effort)
{
    int64_t high = INT64_MIN, low, span;
    struct st_item first = {0}, item;
    members->low = INT64_MAX;
    members->same = members->alike = true;
    for (size_t i = 0; i < members->placed_count; i++) {
        enum st_doubt doubt = st_item_of(&members->placed[i], &item, &low);
        if (doubt || !st_effort_goes_on(effort, 1)) {
            return doubt ? doubt : ST_DOUBT_INTERRUPTED;
        }
        if (!item.count) {
            continue;
        }
        int64_t end = low + (int64_t)st_item_span(&item);
        high = end > high ? end : high;
        members->low = low < members->low ? low : members->low;
        if (members->count++ == 0) {
            first = item;
        }
        members->same = members->same && first.of == item.of && first.count == item.count &&
                        first.stride == item.stride;
        members->alike = members->alike && st_item_on_levels_of(&first, &item);
        if (__builtin_add_overflow(members->parts, st_item_parts(&item), &members->parts)) {
            members->parts = UINT64_MAX;
        }
    }
    bool leaves = members->count && __builtin_sub_overflow(high, members->low, &span);
    return leaves ? ST_DOUBT_OVERFLOW : ST_DOUBT_NONE;
}

/* Stores member i, counted from the first byte of all. Returns false if it has no bytes. */
static bool member(const struct st_members *members, size_t i, struct st_item *item)
{
    int64_t low = 0;
    st_item_of(&members->placed[i], item, &low);
    item->at = (uint64_t)low - (uint64_t)members->low;
    return item->count != 0;
}

static bool gather_members(struct st_members *members)
{
    members->items = malloc(members->count * sizeof(*members->items));
    for (size_t i = 0, made = 0; members->items && i < members->placed_count; i++) {
        struct st_item item;
        if (member(members, i, &item)) {
            members->items[made++] = item;
        }
    }
    if (members->items) {
        items_sort(members->items, members->count);
    }
    return members->items != NULL;
}

static struct st_layout *unfolded(const struct st_members *members, struct st_effort *effort)
{
    struct st_run *runs = malloc(members->parts * sizeof(*runs));
    size_t made = 0;
    for (size_t i = 0; runs && i < members->placed_count; i++) {
        struct st_item item;
        if (member(members, i, &item) && !st_item_unfold(&item, runs, &made, effort)) {
            free(runs);
            runs = NULL;
        }
    }
    return runs ? st_layout_of_runs(runs, made, members->low) : NULL;
}

/* Returns the layout of one item alone, with its first byte at 0. */
static struct st_layout *alone(const struct st_item *item)
{
    if (!item->of) {
        return st_layout_block(item->count);
    }
    struct st_layout *of = st_layout_moved(item->of, 0);
    struct st_layout *all =
        of ? st_layout_repeat(of, (int64_t)item->count, (int64_t)item->stride) : NULL;
    st_layout_release(of);
    return all;
}

/* Removes the duplicates of sorted items. Returns how many are left. */
static size_t distinct(struct st_item *items, size_t count)
{
    size_t last = 0;
    for (size_t i = 1; i < count; i++) {
        if (items[i].at != items[last].at) {
            items[++last] = items[i];
        }
    }
    return last + 1;
}

static bool interleaved(const struct st_members *members)
{
    for (size_t i = 1; i < members->count; i++) {
        if (members->items[i].at - members->items[i - 1].at < st_item_span(&members->items[i])) {
            return true;
        }
    }
    return false;
}

/* Returns sorted items as one regular layout. *fits is false if they are not regular; NULL with
 * *fits: no memory. */
static struct st_layout *in_step(struct st_members *members, bool *fits)
{
    struct st_level levels[ST_MOST_LEVELS];
    struct st_number_column begins = {(const char *)&members->items[0].at, sizeof(*members->items)};
    members->count = distinct(members->items, members->count);
    size_t found = st_progressions(begins, members->count, levels);
    *fits = found || members->count == 1;
    return *fits ? st_layout_on_levels(alone(&members->items[0]), levels, found, members->low)
                 : NULL;
}

/* Makes a layout of items that interleave like columns of a matrix: their blocks become runs, which
 * are repeated on the levels of the items. */
static struct st_layout *turned_inside_out(const struct st_members *members)
{
    struct st_run *runs = malloc(members->count * sizeof(*runs));
    if (!runs) {
        return NULL;
    }
    for (size_t i = 0; i < members->count; i++) {
        runs[i].from = members->items[i].at;
        runs[i].to = runs[i].from + members->items[i].of->length;
    }
    const struct st_item *item = &members->items[0];
    struct st_layout *all = st_layout_of_runs(runs, members->count, 0);
    all = st_layout_on_levels(all, item->of->levels, item->of->level_count, 0);
    return st_layout_on_levels(all, &(struct st_level){item->count, item->stride}, 1, members->low);
}

/* Copies short lists that are not repeated into this one: else a chain of types, each with one
 * member more, would become a chain of lists. */
static bool pull_up(struct st_members *members)
{
    size_t room = members->count > FEW_MEMBERS ? members->count : FEW_MEMBERS;
    struct st_item *items = malloc((members->count + room) * sizeof(*items));
    size_t made = 0;
    if (!items) {
        return false;
    }
    for (size_t i = 0; i < members->count; i++) {
        const struct st_item *item = &members->items[i];
        const struct st_list *list = item->of ? item->of->list : NULL;
        if (!list || item->count != 1 || item->of->level_count || list->count > room) {
            items[made++] = *item;
            continue;
        }
        room -= list->count;
        for (size_t j = 0; j < list->count; j++) {
            const struct st_run *run = list->runs ? &list->runs[j] : NULL;
            items[made] =
                run ? (struct st_item){run->from, run->to - run->from, 1, NULL} : list->items[j];
            items[made++].at += item->at;
        }
    }
    struct st_item *less = realloc(items, made * sizeof(*items));
    free(members->items);
    members->items = less ? less : items;
    members->count = made;
    return true;
}

static struct st_layout *over_items(struct st_members *members)
{
    struct st_list *list = calloc(1, sizeof(*list));
    if (!list || !pull_up(members)) {
        free(list);
        return NULL;
    }
    items_sort(members->items, members->count);
    *list = (struct st_list){
        .references = 1, .count = members->count, .items = members->items, .parts = members->parts};
    for (size_t i = 0; i < list->count; i++) {
        uint64_t end = list->items[i].at + st_item_span(&list->items[i]);
        list->span = end > list->span ? end : list->span;
    }
    struct st_layout *layout = st_list_plant(list) ? st_layout_block(list->span) : NULL;
    if (!layout) {
        free(list->ends);
        free(list);
        return NULL;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].of) {
            st_layout_ref(list->items[i].of);
        }
    }
    members->items = NULL;
    layout->low = members->low;
    layout->list = list;
    layout->parts = list->parts;
    return layout;
}

static struct st_layout *united(struct st_members *members, struct st_effort *effort)
{
    if (members->parts <= FEW_MEMBERS || members->parts / 4 <= members->count) {
        return unfolded(members, effort);
    }
    if (!gather_members(members)) {
        return NULL;
    }
    if (members->same) {
        bool fits;
        struct st_layout *layout = in_step(members, &fits);
        if (fits) {
            return layout;
        }
    }
    return members->alike && interleaved(members) ? turned_inside_out(members)
                                                  : over_items(members);
}

/* The remainders of all copies of the last layout, kept because the next one is often the same. */
struct st_last_residues {
    const struct st_layout *of;
    int64_t count, stride;
    uint32_t residues[ST_ALIGNMENTS];
};

static void all_copies(struct st_last_residues *last, const struct st_placed *placed)
{
    *last = (struct st_last_residues){
        .of = placed->of, .count = placed->count, .stride = placed->stride};
    for (int64_t z = 0; z < placed->count && z < 32; z++) {
        uint64_t by = (uint64_t)z * (uint64_t)placed->stride;
        for (int i = 0; i < ST_ALIGNMENTS; i++) {
            last->residues[i] |= st_residues_turned(placed->of->residues[i], by);
        }
    }
}

static void add_residues(struct st_layout *layout, const struct st_members *members)
{
    struct st_last_residues last = {0};
    memset(layout->residues, 0, sizeof layout->residues);
    for (size_t k = 0; k < members->placed_count; k++) {
        const struct st_placed *placed = &members->placed[k];
        if (placed->of != last.of || placed->count != last.count || placed->stride != last.stride) {
            all_copies(&last, placed);
        }
        for (int i = 0; i < ST_ALIGNMENTS; i++) {
            layout->residues[i] |= st_residues_turned(last.residues[i], (uint64_t)placed->at);
        }
    }
}

struct st_layout *st_layout_union(const struct st_placed *placed, size_t count,
                                  struct st_effort *effort)
{
    struct st_members members = {.placed = placed, .placed_count = count};
    enum st_doubt doubt = survey_members(&members, effort);
    if (doubt == ST_DOUBT_INTERRUPTED) {
        effort->doubt = doubt;
        return NULL;
    }
    if (doubt || members.count == 0) {
        return st_layout_nothing(doubt);
    }
    struct st_layout *layout = united(&members, effort);
    free(members.items);
    if (layout) {
        add_residues(layout, &members);
    }
    return layout;
}
