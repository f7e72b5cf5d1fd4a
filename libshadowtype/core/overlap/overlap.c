/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/overlap_internal.h"

#include <stdlib.h>

#include "core/layout/layout_make.h"
#include "core/overlap/pairs.h"

/* The most runs that are unfolded if arithmetic cannot decide: 64 MiB. */
#define MOST_UNFOLDED (UINT64_C(1) << 22)

/* Returns true if copies `stride` apart, each of `span` bytes, cannot share a byte. */
static bool apart(uint64_t count, uint64_t stride, uint64_t span)
{
    return count == 1 || stride >= span;
}

/* Returns true if a layout obviously names no byte twice: its levels nest, and its lists are runs. */
static bool plain(const struct st_item *item)
{
    if (!item->of) {
        return true;
    }
    const struct st_layout *of = item->of;
    uint64_t span = of->length;
    for (uint32_t k = 0; k < of->level_count; k++) {
        if (!apart(of->levels[k].count, of->levels[k].stride, span)) {
            return false;
        }
        span += (of->levels[k].count - 1) * of->levels[k].stride;
    }
    return (!of->list || of->list->runs) && apart(item->count, item->stride, span);
}

void st_buffer_init(struct st_buffer *buffer, const struct st_layout *layout,
                    const struct st_type *type, int64_t count, uint64_t address)
{
    int64_t extent = 0;
    bool known = st_extent(type, &extent);
    st_buffer_repeat(buffer, layout, known, extent, count, address);
}

void st_buffer_repeat(struct st_buffer *buffer, const struct st_layout *layout, bool known,
                      int64_t extent, int64_t count, uint64_t address)
{
    struct st_placed placed = {.count = count, .stride = extent, .of = layout};
    int64_t low = 0;
    *buffer = (struct st_buffer){0};
    if (!known && count > 1 && !layout->doubt && !st_layout_empty(layout)) {
        buffer->doubt = ST_DOUBT_OVERFLOW;
        return;
    }
    buffer->doubt = st_item_of(&placed, &buffer->item, &low);
    if (!buffer->doubt && buffer->item.count) {
        buffer->first = address + (uint64_t)low;
        buffer->span = st_item_span(&buffer->item);
        buffer->disjoint = plain(&buffer->item);
    }
}

bool st_buffer_unfold(const struct st_buffer *buffer, struct st_buffer *unfolded,
                      const struct st_layout **layout, struct st_effort *effort)
{
    uint64_t parts = st_item_parts(&buffer->item);
    if (parts > MOST_UNFOLDED || parts > effort->steps || !st_effort_spend(effort, parts)) {
        return false;
    }
    struct st_item item = buffer->item;
    struct st_run *runs = malloc(parts * sizeof(*runs));
    size_t made = 0;
    item.at = 0;
    if (!runs || !st_item_unfold(&item, runs, &made, effort)) {
        free(runs);
        return false;
    }
    *layout = st_layout_of_runs(runs, made, 0);
    if (!*layout) {
        return false;
    }
    *unfolded = *buffer;
    unfolded->item = (struct st_item){.count = 1, .of = *layout};
    unfolded->disjoint = true;
    return true;
}

bool st_buffer_shift(const struct st_buffer *x, const struct st_buffer *y, st_wide *shift)
{
    uint64_t up = x->first - y->first, down = y->first - x->first;
    if (up < y->span) {
        *shift = up;
        return true;
    }
    *shift = -(st_wide)down;
    return down < x->span;
}

static enum st_verdict first_pair(const struct st_buffer *a, const struct st_buffer *b,
                                  st_wide shift, struct st_effort *effort, struct st_shared *shared)
{
    struct st_pairs pairs = {.effort = effort, .visit = st_pairs_first};
    enum st_verdict verdict = st_pairs_run(&pairs, &a->item, &b->item, shift, NULL);
    if (verdict == ST_YES && shared) {
        *shared = (struct st_shared){a->first + pairs.at, pairs.length};
    }
    return verdict;
}

static enum st_verdict unfolded(const struct st_buffer *a, const struct st_buffer *b, st_wide shift,
                                struct st_effort *effort, struct st_shared *shared)
{
    struct st_buffer x, y;
    const struct st_layout *of_x = NULL, *of_y = NULL;
    enum st_verdict verdict = ST_UNDECIDED;
    if (st_buffer_unfold(a, &x, &of_x, effort) && st_buffer_unfold(b, &y, &of_y, effort)) {
        verdict = first_pair(&x, &y, shift, effort, shared);
    }
    st_layout_release(of_x);
    st_layout_release(of_y);
    return verdict;
}

static bool is_block(const struct st_item *item)
{
    return !item->of || (item->count == 1 && !item->of->level_count && !item->of->list);
}

/* Two blocks that share a byte: what they share. */
static struct st_shared shared_by_blocks(const struct st_buffer *a, const struct st_buffer *b)
{
    const uint64_t up = a->first - b->first, down = b->first - a->first;
    const struct st_buffer *second = up < b->span ? a : b;
    const uint64_t left = up < b->span ? b->span - up : a->span - down;
    return (struct st_shared){second->first, second->span < left ? second->span : left};
}

enum st_verdict st_overlap(const struct st_buffer *a, const struct st_buffer *b,
                           struct st_effort *effort, struct st_shared *shared)
{
    st_wide shift;
    if ((!a->doubt && !a->span) || (!b->doubt && !b->span)) {
        return ST_NO;
    }
    if (a->doubt || b->doubt) {
        return st_undecided(effort, a->doubt ? a->doubt : b->doubt);
    }
    if (!st_buffer_shift(a, b, &shift)) {
        return ST_NO;
    }
    if (is_block(&a->item) && is_block(&b->item)) { /* as most are */
        if (shared) {
            *shared = shared_by_blocks(a, b);
        }
        return ST_YES;
    }
    /* Half of the steps are for arithmetic; the rest is for unfolding, if that can decide. */
    uint64_t kept = effort->steps / 2;
    effort->steps -= kept;
    enum st_verdict verdict = first_pair(a, b, shift, effort, shared);
    bool stuck = verdict == ST_UNDECIDED && effort->doubt == ST_DOUBT_STEPS;
    effort->steps += kept;
    if (stuck) {
        verdict = unfolded(a, b, shift, effort, shared);
        if (verdict == ST_UNDECIDED && effort->doubt == ST_DOUBT_NONE) {
            effort->doubt = ST_DOUBT_STEPS;
        }
    }
    return verdict;
}
