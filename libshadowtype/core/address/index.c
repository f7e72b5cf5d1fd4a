/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/address/index.h"

#include <stdlib.h>

struct st_index {
    const struct st_type *type;
    struct st_sums sums[2]; /* by unit; sums whose `before` is NULL are not made yet */
    struct st_spans spans;  /* not made yet if `highest` is NULL */
};

void st_indexes_init(struct st_indexes *indexes)
{
    *indexes = (struct st_indexes){0};
}

void st_indexes_deinit(struct st_indexes *indexes)
{
    for (size_t i = 0; i < indexes->size; i++) {
        struct st_index *index = indexes->slots[i];
        if (index) {
            free(index->sums[ST_SENT_ELEMENTS].before);
            free(index->sums[ST_SENT_BYTES].before);
            free(index->spans.spans);
            free(index->spans.highest);
            free(index);
        }
    }
    free(indexes->slots);
    *indexes = (struct st_indexes){0};
}

/* --- the table ----------------------------------------------------------------------------------
 */

/* Returns the slot of a type, or the empty slot for it. There is always an empty one. */
static size_t slot_of(const struct st_indexes *indexes, const struct st_type *type)
{
    uint64_t hash = (uint64_t)(uintptr_t)type * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 32) & (indexes->size - 1);
    while (indexes->slots[at] && indexes->slots[at]->type != type) {
        at = (at + 1) & (indexes->size - 1);
    }
    return at;
}

static bool grow_indexes(struct st_indexes *indexes)
{
    struct st_indexes larger = {.size = indexes->size ? indexes->size * 2 : 16,
                                .used = indexes->used};
    larger.slots = calloc(larger.size, sizeof(struct st_index *));
    if (!larger.slots) {
        return false;
    }
    for (size_t i = 0; i < indexes->size; i++) {
        if (indexes->slots[i]) {
            larger.slots[slot_of(&larger, indexes->slots[i]->type)] = indexes->slots[i];
        }
    }
    free(indexes->slots);
    *indexes = larger;
    return true;
}

/* Returns the index of a type, empty at first; NULL if there is no memory. */
static struct st_index *index_of(struct st_indexes *indexes, const struct st_type *type)
{
    if (indexes->size) {
        struct st_index *found = indexes->slots[slot_of(indexes, type)];
        if (found) {
            return found;
        }
    }
    if (indexes->used + 1 > indexes->size / 2 && !grow_indexes(indexes)) {
        return NULL;
    }
    struct st_index *index = calloc(1, sizeof(*index));
    if (index) {
        index->type = type;
        indexes->slots[slot_of(indexes, type)] = index;
        indexes->used++;
    }
    return index;
}

/* --- sums ---------------------------------------------------------------------------------------
 */

static struct st_amount block_amount(const struct st_type *type, int64_t block, enum st_unit unit)
{
    const struct st_type *base = type->types ? type->types[block] : type->base;
    int64_t length = type->lengths ? type->lengths[block] : type->args[1];
    return st_times(length, st_type_amount(base, unit));
}

static bool make_sums(const struct st_type *type, enum st_unit unit, struct st_sums *sums)
{
    int64_t *before = malloc(((size_t)type->entries + 1) * sizeof(*before));
    if (!before) {
        return false;
    }
    struct st_amount sum = {0};
    int64_t i = 0;
    before[0] = 0;
    while (i < type->entries) {
        sum = st_plus(sum, block_amount(type, i, unit));
        if (sum.error) {
            break;
        }
        before[++i] = sum.value;
    }
    *sums = (struct st_sums){.known = i, .before = before, .error = sum.error};
    return true;
}

const struct st_sums *st_index_sums(struct st_indexes *indexes, const struct st_type *type,
                                    enum st_unit unit)
{
    struct st_index *index = index_of(indexes, type);
    if (!index || (!index->sums[unit].before && !make_sums(type, unit, &index->sums[unit]))) {
        return NULL;
    }
    return &index->sums[unit];
}

int64_t st_sums_find(const struct st_sums *sums, int64_t at)
{
    int64_t low = 0, high = sums->known; /* invariant: before[low] <= at, and no block after
                                            `high` holds it */
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (sums->before[middle] <= at) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* --- spans --------------------------------------------------------------------------------------
 */

static int by_low(const void *a, const void *b)
{
    const struct st_span *x = a, *y = b;
    if (x->low != y->low) {
        return x->low < y->low ? -1 : 1;
    }
    return x->block < y->block ? -1 : x->block > y->block;
}

/* Moves an end of a block's bounds to the type's address; without a limit if it does not fit in 64
 * bits. */
static int64_t moved(int64_t end, int64_t by)
{
    int64_t to;
    if (end == INT64_MIN || end == INT64_MAX) {
        return end;
    }
    if (__builtin_add_overflow(end, by, &to)) {
        return by < 0 ? INT64_MIN : INT64_MAX;
    }
    return to;
}

static bool make_spans(const struct st_type *type, struct st_spans *spans)
{
    struct st_place place = st_place_of(type, 0), block;
    struct st_span *list = malloc(((size_t)place.count + 1) * sizeof(*list));
    int64_t count = 0, leaves = 1;
    bool sorted = true;
    if (!list) {
        return false;
    }
    for (int64_t i = 0; i < place.count; i++) {
        if (st_place_child(&place, i, &block)) {
            continue;
        }
        struct st_bounds bounds = st_place_bounds(&block);
        if (bounds.low == bounds.high) {
            continue;
        }
        int64_t at = (int64_t)block.address;
        list[count] = (struct st_span){moved(bounds.low, at), moved(bounds.high, at), i};
        sorted = sorted && (count == 0 || by_low(&list[count - 1], &list[count]) < 0);
        count++;
    }
    if (!sorted) {
        qsort(list, (size_t)count, sizeof(*list), by_low);
    }
    while (leaves < count) {
        leaves *= 2;
    }
    int64_t *highest = malloc((size_t)leaves * 2 * sizeof(*highest));
    if (!highest) {
        free(list);
        return false;
    }
    for (int64_t i = 0; i < leaves; i++) {
        highest[leaves + i] = i < count ? list[i].high : INT64_MIN;
    }
    for (int64_t i = leaves - 1; i >= 1; i--) {
        int64_t left = highest[2 * i], right = highest[2 * i + 1];
        highest[i] = left > right ? left : right;
    }
    *spans = (struct st_spans){count, list, highest, leaves};
    return true;
}

const struct st_spans *st_index_spans(struct st_indexes *indexes, const struct st_type *type)
{
    struct st_index *index = index_of(indexes, type);
    if (!index || (!index->spans.highest && !make_spans(type, &index->spans))) {
        return NULL;
    }
    return &index->spans;
}

int64_t st_spans_begun(const struct st_spans *spans, int64_t at)
{
    int64_t low = 0, high = spans->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (spans->spans[middle].low <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool ends_after(int64_t high, int64_t at)
{
    return high > at || high == INT64_MAX;
}

int64_t st_spans_next(const struct st_spans *spans, int64_t from, int64_t until, int64_t at)
{
    if (from >= until) {
        return until;
    }
    int64_t node = spans->leaves + from;
    /* Go up until a subtree to the right has a span that ends after `at`. */
    while (!ends_after(spans->highest[node], at)) {
        while (node & 1) {
            node /= 2;
        }
        if (node == 0) {
            return until;
        }
        node++;
    }
    while (node < spans->leaves) {
        node *= 2;
        node += !ends_after(spans->highest[node], at);
    }
    int64_t found = node - spans->leaves;
    return found < until ? found : until;
}
