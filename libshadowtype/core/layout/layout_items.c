/* SPDX-License-Identifier: BSD-3-Clause */
/* Items of lists: copies of a layout, their bounds, and their blocks as runs. */
#include "core/layout/layout_make.h"

#include <stdlib.h>

uint64_t st_parts_product(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

/* Computes the bounds of `count` copies. Returns false if they do not fit in 64 bits. */
bool st_copies_bounds(const struct st_layout *of, uint64_t count, int64_t stride, int64_t *low,
                      uint64_t *span)
{
    uint64_t step = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride, more;
    int64_t down, high;
    if (__builtin_mul_overflow(count - 1, step, &more) || more > INT64_MAX ||
        __builtin_add_overflow(of->span, more, span) || *span > INT64_MAX) {
        return false;
    }
    down = stride < 0 ? -(int64_t)more : 0;
    return !__builtin_add_overflow(of->low, down, low) &&
           !__builtin_add_overflow(*low, (int64_t)*span, &high);
}

uint64_t st_item_span(const struct st_item *item)
{
    return item->of ? (item->count - 1) * item->stride + item->of->span : item->count;
}

uint64_t st_item_parts(const struct st_item *item)
{
    return item->of ? st_parts_product(item->of->parts, item->count) : 1;
}

enum st_doubt st_item_of(const struct st_placed *placed, struct st_item *item, int64_t *low)
{
    const struct st_layout *of = placed->of;
    uint64_t span;
    int64_t high;
    *item = (struct st_item){0};
    if (placed->count <= 0 || (!of->doubt && st_layout_empty(of))) {
        return ST_DOUBT_NONE;
    }
    if (of->doubt) {
        return of->doubt;
    }
    if (!st_copies_bounds(of, (uint64_t)placed->count, placed->stride, low, &span) ||
        __builtin_add_overflow(*low, placed->at, low) ||
        __builtin_add_overflow(*low, (int64_t)span, &high)) {
        return ST_DOUBT_OVERFLOW;
    }
    uint64_t stride = placed->stride < 0 ? 0 - (uint64_t)placed->stride : (uint64_t)placed->stride;
    if (st_layout_solid(of) && (placed->count == 1 || stride <= of->length)) {
        *item = (struct st_item){.count = span, .stride = 1};
    } else if (placed->count == 1 || stride == 0) {
        *item = (struct st_item){.count = 1, .of = of};
    } else {
        *item = (struct st_item){.count = (uint64_t)placed->count, .stride = stride, .of = of};
    }
    return ST_DOUBT_NONE;
}

/* Visits the copies of a layout one after the other, and the members of the list in each. */
struct st_unfolding {
    struct st_item item;
    uint64_t copy, copies;
    size_t member;
};

static struct st_unfolding unfolding_of(struct st_item item, uint64_t at)
{
    struct st_unfolding u = {.item = item, .copies = item.count};
    u.item.at += at;
    for (uint32_t k = 0; k < item.of->level_count; k++) {
        u.copies *= item.of->levels[k].count;
    }
    return u;
}

static uint64_t copy_at(const struct st_unfolding *u)
{
    uint64_t at = u->item.at, copy = u->copy;
    for (uint32_t k = 0; k < u->item.of->level_count; k++) {
        at += copy % u->item.of->levels[k].count * u->item.of->levels[k].stride;
        copy /= u->item.of->levels[k].count;
    }
    return at + copy * u->item.stride;
}

static void copy_runs(const struct st_layout *of, uint64_t at, struct st_run *runs, size_t *made)
{
    if (!of->list) {
        runs[(*made)++] = (struct st_run){at, at + of->length};
        return;
    }
    for (size_t i = 0; i < of->list->count; i++) {
        const struct st_run *run = &of->list->runs[i];
        runs[(*made)++] = (struct st_run){at + run->from, at + run->to};
    }
}

bool st_item_unfold(const struct st_item *item, struct st_run *runs, size_t *made,
                    struct st_effort *effort)
{
    if (!item->of) {
        runs[(*made)++] = (struct st_run){item->at, item->at + item->count};
        return true;
    }
    size_t depth = 1, capacity = 8;
    struct st_unfolding *stack = malloc(capacity * sizeof(*stack));
    if (!stack) {
        return false;
    }
    stack[0] = unfolding_of(*item, 0);
    while (depth && st_effort_goes_on(effort, 1)) {
        struct st_unfolding *top = &stack[depth - 1];
        const struct st_list *list = top->item.of->list;
        if (top->copy == top->copies) {
            depth--;
        } else if (!list || list->runs) {
            copy_runs(top->item.of, copy_at(top), runs, made);
            top->copy++;
        } else if (top->member == list->count) {
            top->member = 0;
            top->copy++;
        } else {
            uint64_t at = copy_at(top);
            const struct st_item *below = &list->items[top->member++];
            if (!below->of) {
                at += below->at;
                runs[(*made)++] = (struct st_run){at, at + below->count};
                continue;
            }
            if (depth == capacity) {
                capacity *= 2;
                struct st_unfolding *more = realloc(stack, capacity * sizeof(*stack));
                if (!more) {
                    break;
                }
                stack = more;
            }
            stack[depth++] = unfolding_of(*below, at);
        }
    }
    free(stack);
    return depth == 0;
}
