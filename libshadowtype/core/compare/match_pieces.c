/* SPDX-License-Identifier: BSD-3-Clause */
/* The pieces of a comb on their way down the tree of fields: split, and taken into arrays. */
#include "core/compare/match_internal.h"

#include <stdlib.h>

bool st_piece_keep(struct st_comb_piece **items, size_t *count, size_t *capacity,
                   const struct st_comb_piece *item)
{
    if (*count == *capacity) {
        size_t wider_capacity = *capacity ? *capacity * 2 : 16;
        struct st_comb_piece *wider = realloc(*items, wider_capacity * sizeof(*wider));
        if (!wider) {
            return false;
        }
        *items = wider;
        *capacity = wider_capacity;
    }
    st_piece_copy(&(*items)[(*count)++], item);
    return true;
}

enum st_error st_piece_push(struct st_matching *m, const struct st_comb_piece *item)
{
    return st_piece_keep(&m->stack, &m->depth, &m->stack_capacity, item) ? ST_OK : ST_NO_MEMORY;
}

enum st_error st_piece_split_level(struct st_matching *m, struct st_comb_piece *item,
                                   uint32_t level, int64_t head)
{
    struct st_comb_piece first = *item;
    st_nest_set(&first.at, level, head);
    st_nest_behead(&item->at, level, head);
    enum st_error error = st_piece_push(m, item);
    return error ? error : st_piece_push(m, &first);
}

/* Makes room for a level: splits the widest level into single pieces. */
static enum st_error split_widest(struct st_matching *m, struct st_comb_piece *item)
{
    return st_piece_split_level(m, item, st_nest_widest(&item->at), 1);
}

enum st_error st_piece_split(struct st_matching *m, struct st_comb_piece *item, int64_t head)
{
    struct st_comb_piece first = *item;
    first.size = head;
    item->at.start += head;
    item->size -= head;
    item->before += st_bytes(&m->sent[item->sent]) ? 0 : head;
    enum st_error error = st_piece_push(m, item);
    return error ? error : st_piece_push(m, &first);
}

/* Splits a level into two: over the periods, and over the elements within one. The rest that fills
 * no period becomes another piece. */
static enum st_error split_period(struct st_matching *m, struct st_comb_piece *item, uint32_t level,
                                  int64_t period)
{
    struct st_nest_level whole = item->at.level[level];
    int64_t many = whole.count / period, stride;
    if (whole.count % period) {
        return st_piece_split_level(m, item, level, many * period);
    }
    if (__builtin_mul_overflow(whole.stride, period, &stride) ||
        item->at.levels + 1 >= ST_NEST_LEVELS) {
        return st_piece_split_level(m, item, level, 1);
    }
    if (many > 1) {
        item->at.level[item->at.levels++] = (struct st_nest_level){many, stride};
    }
    st_nest_set(&item->at, level, period);
    return st_piece_push(m, item);
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Splits pieces that cross from one element of `size` bytes into others, all at the same position
 * in it. */
static enum st_error cross_piece(struct st_matching *m, struct st_comb_piece *item, int64_t size)
{
    int64_t into = item->at.start % size, whole = item->size / size;
    bool begins = !st_bytes(&m->sent[item->sent]) && item->before == 0;
    if (item->at.levels == ST_NEST_LEVELS) {
        return split_widest(m, item);
    }
    if (into || begins || whole < 2) {
        return st_piece_split(m, item, size - into);
    }
    if (item->size % size) {
        return st_piece_split(m, item, whole * size);
    }
    item->size = size; /* whole elements: the position within does not matter */
    item->at.level[item->at.levels++] = (struct st_nest_level){whole, size};
    return st_piece_push(m, item);
}

/* --- arrays ----------------------------------------------------------------------------------- */

/* Returns the widest of the levels that do not lead to the same position in another element;
 * ST_NO_INDEX if there is none. *length is what these levels span. */
static uint32_t levels_inside(const struct st_comb_piece *item, int64_t size, int64_t *length)
{
    uint32_t widest = ST_NO_INDEX;
    *length = item->size;
    for (uint32_t i = 0; i < item->at.levels; i++) {
        const struct st_nest_level *level = &item->at.level[i];
        if (level->stride % size) {
            *length += (level->count - 1) * level->stride;
            if (widest == ST_NO_INDEX || level->stride > item->at.level[widest].stride) {
                widest = i;
            }
        }
    }
    return widest;
}

static void enter_elements(struct st_comb_piece *item, const struct st_field_node *node)
{
    struct st_nest *at = &item->at, *index = &item->index;
    index->start = index->start * node->count + at->start / node->size;
    for (uint32_t i = 0; i < index->levels; i++) {
        index->level[i].stride *= node->count;
    }
    for (uint32_t i = 0; i < at->levels;) {
        if (at->level[i].stride % node->size) {
            i++;
        } else {
            index->level[index->levels++] = (struct st_nest_level){
                at->level[i].count,
                at->level[i].stride / node->size,
            };
            st_nest_set(at, i, 1);
        }
    }
    at->start %= node->size;
    item->inside = true;
}

enum st_error st_step_array(struct st_matching *m, struct st_comb_piece *item)
{
    const struct st_field_node *node = st_piece_node(m, item);
    int64_t size = node->size, into = item->at.start % size, length;
    uint32_t widest = levels_inside(item, size, &length);
    if (into + length <= size && item->at.levels + item->index.levels <= ST_NEST_LEVELS) {
        enter_elements(item, node);
        return st_piece_push(m, item);
    }
    if (into + length <= size) {
        return split_widest(m, item);
    }
    if (widest == ST_NO_INDEX) {
        return cross_piece(m, item, size);
    }
    struct st_nest_level level = item->at.level[widest];
    int64_t others = length - (level.count - 1) * level.stride; /* length of one piece at this
                                                                   level */
    if (level.stride < size && size % level.stride == 0 &&
        into % level.stride + others <= level.stride) {
        int64_t each = size / level.stride, head = (size - into + level.stride - 1) / level.stride;
        return into / level.stride ? st_piece_split_level(m, item, widest, head)
                                   : split_period(m, item, widest, each);
    }
    /* Take single steps up to the period, after which the position in an element is the same again. */
    int64_t period = size / gcd(size, level.stride);
    return period < level.count ? split_period(m, item, widest, period)
                                : st_piece_split_level(m, item, widest, 1);
}
