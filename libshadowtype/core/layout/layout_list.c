/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches lists of runs and items. The ends of runs are sorted; those of items are not, so there
 * is a tree over them. */
#include "core/layout/layout_make.h"

#include <stdlib.h>

/* Items per leaf of the tree. They are compared one by one. */
enum { LEAF = 16 };

static uint64_t end_of(const struct st_list *list, size_t i)
{
    return list->items[i].at + st_item_span(&list->items[i]);
}

static size_t leaves_of(const struct st_list *list)
{
    size_t leaves = 1;
    while (leaves * LEAF < list->count) {
        leaves *= 2;
    }
    return leaves;
}

/* Makes the tree: a heap with its root at 1. ends[leaves + leaf] is the greatest end in a leaf;
 * each node above has the greater one of its two children. */
bool st_list_plant(struct st_list *list)
{
    size_t leaves = leaves_of(list);
    list->ends = calloc(2 * leaves, sizeof(*list->ends));
    if (!list->ends) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        uint64_t *end = &list->ends[leaves + i / LEAF];
        *end = end_of(list, i) > *end ? end_of(list, i) : *end;
    }
    for (size_t node = leaves; node-- > 1;) {
        uint64_t left = list->ends[2 * node], right = list->ends[2 * node + 1];
        list->ends[node] = left > right ? left : right;
    }
    return true;
}

static size_t next_in_leaf(const struct st_list *list, size_t index, uint64_t low)
{
    size_t stop = (index / LEAF + 1) * LEAF;
    stop = stop < list->count ? stop : list->count;
    while (index < stop && end_of(list, index) <= low) {
        index++;
    }
    return index < stop ? index : list->count;
}

static size_t next_item(const struct st_list *list, size_t index, uint64_t low)
{
    size_t leaves = leaves_of(list);
    size_t found = index < list->count ? next_in_leaf(list, index, low) : list->count;
    if (found < list->count || index >= list->count) {
        return found;
    }
    /* Go up until a subtree to the right has an item that ends after `low`; go down to its first
     * leaf that has one. */
    size_t node = leaves + index / LEAF;
    do {
        while (node % 2 == 1 && node > 1) {
            node /= 2;
        }
        if (node <= 1) {
            return list->count;
        }
        node++;
    } while (list->ends[node] <= low);
    while (node < leaves) {
        node *= 2;
        node += list->ends[node] <= low;
    }
    return next_in_leaf(list, (node - leaves) * LEAF, low);
}

size_t st_list_next(const struct st_list *list, size_t index, uint64_t low)
{
    if (!list->runs) {
        return next_item(list, index, low);
    }
    size_t high = list->count;
    while (index < high) {
        size_t middle = index + (high - index) / 2;
        if (list->runs[middle].to <= low) {
            index = middle + 1;
        } else {
            high = middle;
        }
    }
    return index;
}

size_t st_list_before(const struct st_list *list, uint64_t high)
{
    size_t from = 0, to = list->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        uint64_t at = list->runs ? list->runs[middle].from : list->items[middle].at;
        if (at < high) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}
