/* Layouts as objects: references, strided blocks in their normal form. */
#include "core/layout/layout_make.h"

#include <stdlib.h>
#include <string.h>

static struct st_layout *layout_new(size_t levels)
{
    struct st_layout *layout = calloc(1, sizeof(*layout) + levels * sizeof(layout->levels[0]));
    if (layout) {
        layout->references = 1;
        layout->level_count = (uint32_t)levels;
    }
    return layout;
}

const struct st_layout *st_layout_ref(const struct st_layout *layout)
{
    ((struct st_layout *)layout)->references++;
    return layout;
}

static struct st_layout *shared(const struct st_layout *layout)
{
    return (struct st_layout *)st_layout_ref(layout);
}

/* Without recursion: lists may hold layouts with lists as deep as types are nested. A list that is
 * to go is kept until its layouts are gone, chained by its tree's pointer. */
void st_layout_release(const struct st_layout *layout)
{
    struct st_list *doomed = NULL;
    struct st_layout *one = (struct st_layout *)layout;
    for (;;) {
        if (one && --one->references == 0) {
            struct st_list *list = one->list;
            free(one);
            if (list && --list->references == 0) {
                free(list->runs);
                free(list->ends);
                list->ends = (uint64_t *)doomed;
                doomed = list;
            }
        }
        while (doomed && (!doomed->items || !doomed->count)) {
            struct st_list *next = (struct st_list *)doomed->ends;
            free(doomed->items);
            free(doomed);
            doomed = next;
        }
        if (!doomed) {
            return;
        }
        one = (struct st_layout *)doomed->items[--doomed->count].of;
    }
}

struct st_layout *st_layout_nothing(enum st_doubt doubt)
{
    struct st_layout *layout = layout_new(0);
    if (layout) {
        layout->doubt = doubt;
    }
    return layout;
}

struct st_layout *st_layout_block(uint64_t length)
{
    struct st_layout *layout = layout_new(0);
    if (layout) {
        layout->span = layout->length = length;
        layout->parts = length != 0;
    }
    return layout;
}

/* --- remainders --------------------------------------------------------------------------------
 */

uint32_t st_residues_turned(uint32_t residues, uint64_t by)
{
    by %= 32;
    return by ? residues << by | residues >> (32 - by) : residues;
}

static void turn_residues(struct st_layout *layout, uint64_t by)
{
    for (int i = 0; i < ST_ALIGNMENTS; i++) {
        layout->residues[i] = st_residues_turned(layout->residues[i], by);
    }
}

/* Those of all copies: they come round after 32 at the latest. */
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

/* --- the normal form ---------------------------------------------------------------------------
 */

/* A strided block under construction. */
struct st_local_nest {
    struct st_level levels[ST_MOST_LEVELS + 1];
    size_t count;
    uint64_t length;
    bool block; /* else a list, into which nothing melts */
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

/* Two levels that reach the same multiples of one stride without a gap are one: count * stride of
 * the first is not less than the stride of the second. No product leaves 64 bits: what the levels
 * span doesn't. */
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

static uint64_t product_of(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

static struct st_layout *nest_layout(const struct st_local_nest *nest, const struct st_layout *of)
{
    struct st_layout *layout = layout_new(nest->count);
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
        layout->parts = product_of(layout->parts, nest->levels[k].count);
    }
    memcpy(layout->residues, of->residues, sizeof layout->residues);
    return layout;
}

/* The bounds of `count` copies; false: they leave 64 bits. */
static bool bounds(const struct st_layout *of, uint64_t count, int64_t stride, int64_t *low,
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

static bool same_copies(const struct st_layout *of, int64_t count, int64_t stride)
{
    return of->doubt || st_layout_empty(of) || count == 1 || stride == 0;
}

/* As many levels as no type has that can be unfolded, unless copies lie upon copies: then it is a
 * list soon. */
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
        return shared(of);
    }
    if (!bounds(of, (uint64_t)count, stride, &low, &span)) {
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

struct st_layout *st_layout_moved(const struct st_layout *of, int64_t low)
{
    struct st_layout *layout = layout_new(of->level_count);
    if (layout) {
        memcpy(layout, of, sizeof(*of) + of->level_count * sizeof(of->levels[0]));
        layout->references = 1;
        layout->low = low;
        if (layout->list) {
            layout->list->references++;
        }
        turn_residues(layout, (uint64_t)low - (uint64_t)of->low);
    }
    return layout;
}

struct st_layout *st_layout_shift(const struct st_layout *of, int64_t by)
{
    int64_t low, high;
    if (of->doubt || st_layout_empty(of) || by == 0) {
        return shared(of);
    }
    if (__builtin_add_overflow(of->low, by, &low) ||
        __builtin_add_overflow(low, (int64_t)of->span, &high)) {
        return st_layout_nothing(ST_DOUBT_OVERFLOW);
    }
    return st_layout_moved(of, low);
}

/* --- items -------------------------------------------------------------------------------------
 */

uint64_t st_item_span(const struct st_item *item)
{
    return item->of ? (item->count - 1) * item->stride + item->of->span : item->count;
}

uint64_t st_item_parts(const struct st_item *item)
{
    return item->of ? product_of(item->of->parts, item->count) : 1;
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
    if (!bounds(of, (uint64_t)placed->count, placed->stride, low, &span) ||
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

/* Copies of a layout, one after the other, and in each the members of its list. */
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
