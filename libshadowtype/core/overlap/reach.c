/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/reach.h"

#include <stdlib.h>

#include "core/model/place.h"

/* A stage on the path. The bounds are those of the repetitions in this stage and all stages above,
 * relative to the first repetition. */
struct st_reach_frame {
    struct st_place place;
    int64_t next, end; /* the children to visit: all, or only the first */
    int64_t index;     /* the child on the path */
    int64_t low, high;
    int64_t shift;
};

struct st_reaching {
    const struct st_areas *areas;
    struct st_area last; /* the area found last */
    struct st_effort *effort;
    struct st_reach_frame *frames;
    size_t depth, capacity;
    struct st_reach *reach;
};

static bool area_at(struct st_reaching *reaching, uint64_t address, struct st_area *area)
{
    if (address - reaching->last.from < reaching->last.to - reaching->last.from) {
        *area = reaching->last;
        return true;
    }
    if (!reaching->areas->at(reaching->areas->context, address, area)) {
        return false;
    }
    reaching->last = *area;
    return true;
}

/* Returns true if first + low .. first + high - 1 is in the area. */
static bool lies_in(const struct st_area *area, uint64_t first, int64_t low, int64_t high)
{
    __int128 from = (__int128)first + low, to = (__int128)first + high;
    return from >= area->from && to <= area->to;
}

/* Returns true if the type gives the displacement of each block. */
static bool is_placed(const struct st_place *place)
{
    if (place->kind != ST_STAGE_TYPE) {
        return false;
    }
    switch (place->type->combiner) {
    case ST_INDEXED:
    case ST_HINDEXED:
    case ST_INDEXED_BLOCK:
    case ST_HINDEXED_BLOCK:
    case ST_STRUCT:
        return true;
    default:
        return false;
    }
}

static bool counts_elements(const struct st_type *type)
{
    return type->combiner == ST_INDEXED || type->combiner == ST_INDEXED_BLOCK;
}

/* --- outside --------------------------------------------------------------------------------- */

/* Stores the bounds of the repetitions in the stages below `depth`, in bytes. */
static bool below(const struct st_reaching *reaching, size_t depth, int64_t *low, int64_t *high)
{
    const struct st_reach_frame *frame = &reaching->frames[depth];
    const struct st_reach_frame *last = &reaching->frames[reaching->depth - 1];
    return !__builtin_sub_overflow(last->low, frame->low, low) &&
           !__builtin_sub_overflow(last->high, frame->high, high);
}

/* Returns true if child `index` of a stage has an element outside; `at` is the address of the leaf
 * in child 0. */
static bool child_leaves(const struct st_reach_frame *frame, int64_t index, uint64_t at,
                         int64_t low, int64_t high, const struct st_area *area, int64_t *step)
{
    int64_t first, distance;
    if (st_place_distance(&frame->place, 0, &first) ||
        st_place_distance(&frame->place, index, &distance) ||
        __builtin_sub_overflow(distance, first, step)) {
        return true;
    }
    return !lies_in(area, at + (uint64_t)*step, low, high);
}

/* Returns the first child that has an element outside; the children lead away from the first one. */
static int64_t first_that_leaves(const struct st_reach_frame *frame, uint64_t at, int64_t low,
                                 int64_t high, const struct st_area *area, int64_t *step)
{
    int64_t inside = -1, outside = frame->place.count - 1;
    if (child_leaves(frame, 0, at, low, high, area, step)) {
        return 0;
    }
    inside = 0;
    while (outside - inside > 1) {
        int64_t middle = inside + (outside - inside) / 2;
        if (child_leaves(frame, middle, at, low, high, area, step)) {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    child_leaves(frame, outside, at, low, high, area, step);
    return outside;
}

/* Returns true if the program chose the distance of the children in bytes. */
static bool is_free_step(const struct st_place *place)
{
    if (place->kind == ST_STAGE_TYPE && place->type->combiner == ST_HVECTOR) {
        return true;
    }
    const struct st_type *of = place->kind == ST_STAGE_TYPE || place->kind == ST_STAGE_DIMENSION
                                   ? place->type->base
                                   : place->element;
    return of && st_undup(of)->combiner == ST_RESIZED;
}

static uint64_t length_of(int64_t step)
{
    return step < 0 ? -(uint64_t)step : (uint64_t)step;
}

/* Finds the first repetition outside of the area of a leaf of `bytes` bytes, whose first repetition
 * is at `first`. Returns ST_NO if only steps outside lead from block to block (see reach.h). */
static enum st_verdict find_outside(struct st_reaching *reaching, uint64_t first, uint64_t bytes)
{
    struct st_reach *reach = reaching->reach;
    uint64_t at = first, longest = 0;
    reach->path.index = malloc(reaching->depth * sizeof *reach->path.index);
    if (!reach->path.index) {
        return st_undecided(reaching->effort, ST_DOUBT_MEMORY);
    }
    for (size_t i = 0; i < reaching->depth; i++) {
        const struct st_reach_frame *frame = &reaching->frames[i];
        int64_t low, high, step = 0, index = frame->index;
        if (!is_placed(&frame->place)) {
            if (!below(reaching, i, &low, &high) ||
                __builtin_add_overflow(high, (int64_t)bytes, &high)) {
                return st_undecided(reaching->effort, ST_DOUBT_OVERFLOW);
            }
            index = first_that_leaves(frame, at, low, high, &reach->area, &step);
            int64_t one = step;
            if (index > 0) {
                one /= index;
            }
            if (index > 0 && is_free_step(&frame->place) && length_of(one) > longest) {
                longest = length_of(one);
            }
        }
        reach->path.index[reach->path.length++] = index;
        at += (uint64_t)step;
    }
    struct st_area other;
    reach->element = at;
    return longest >= reach->area.to - reach->area.from && area_at(reaching, at, &other) &&
                   lies_in(&other, at, 0, (int64_t)bytes)
               ? ST_NO
               : ST_YES;
}

/* --- the path down --------------------------------------------------------------------------- */

/* Checks a basic type, at its first repetition. */
static enum st_verdict look_at_leaf(struct st_reaching *reaching, const struct st_place *place,
                                    int64_t low, int64_t high, int64_t shift)
{
    const struct st_measure *measure = &place->type->measure;
    int64_t bytes = measure->true_ub - measure->true_lb, to;
    uint64_t first = place->address + (uint64_t)measure->true_lb;
    struct st_reach *reach = reaching->reach;
    if (measure->unknown || bytes <= 0) {
        return ST_NO;
    }
    if (!st_effort_spend(reaching->effort, 1)) {
        return ST_UNDECIDED;
    }
    if (__builtin_add_overflow(high, bytes, &to)) {
        return st_undecided(reaching->effort, ST_DOUBT_OVERFLOW);
    }
    if (!area_at(reaching, first, &reach->area) &&
        (!shift || !area_at(reaching, first + (uint64_t)shift, &reach->area))) {
        return ST_NO;
    }
    if (lies_in(&reach->area, first, low, to)) {
        return ST_NO;
    }
    reach->low = first + (uint64_t)low;
    reach->high = first + (uint64_t)to;
    enum st_verdict verdict = find_outside(reaching, first, (uint64_t)bytes);
    if (verdict != ST_YES) {
        st_path_deinit(&reach->path);
    }
    return verdict;
}

/* Returns true if the whole type, with all its repetitions, is in the block of memory where it
 * begins. */
static bool is_inside(struct st_reaching *reaching, const struct st_place *place, int64_t low,
                      int64_t high)
{
    const struct st_measure *measure = &place->type->measure;
    struct st_area area;
    int64_t from, to;
    return place->kind == ST_STAGE_TYPE && !measure->unknown &&
           !__builtin_add_overflow(measure->true_lb, low, &from) &&
           !__builtin_add_overflow(measure->true_ub, high, &to) &&
           area_at(reaching, place->address + (uint64_t)from, &area) &&
           lies_in(&area, place->address, from, to);
}

/* Returns true if the place has no bytes: there is nothing to check. */
static bool is_empty(const struct st_place *place)
{
    const struct st_measure *measure = &place->type->measure;
    return place->opaque || (place->kind == ST_STAGE_TYPE && !measure->unknown && !measure->size) ||
           (!place->leaf && !place->count);
}

static bool push_frame(struct st_reaching *reaching, const struct st_reach_frame *frame)
{
    if (reaching->depth == reaching->capacity) {
        size_t capacity = reaching->capacity ? 2 * reaching->capacity : 16;
        struct st_reach_frame *frames = realloc(reaching->frames, capacity * sizeof *frames);
        if (!frames) {
            return false;
        }
        reaching->frames = frames;
        reaching->capacity = capacity;
    }
    reaching->frames[reaching->depth++] = *frame;
    return true;
}

/* Enters a place: checks it if it is basic, else pushes it on the path. */
static enum st_verdict enter_place(struct st_reaching *reaching, const struct st_place *place,
                                   int64_t low, int64_t high, int64_t shift)
{
    struct st_reach_frame frame = {.place = *place, .low = low, .high = high, .shift = shift};
    int64_t first, last, spread;
    if (is_empty(place)) {
        return ST_NO;
    }
    if (place->leaf) {
        return look_at_leaf(reaching, place, low, high, shift);
    }
    if (!st_effort_spend(reaching->effort, 1)) {
        return ST_UNDECIDED;
    }
    if (is_inside(reaching, place, low, high)) {
        return ST_NO;
    }
    frame.end = place->count;
    if (!is_placed(place)) {
        frame.end = 1;
        if (st_place_distance(place, 0, &first) ||
            st_place_distance(place, place->count - 1, &last) ||
            __builtin_sub_overflow(last, first, &spread) ||
            __builtin_add_overflow(spread < 0 ? low : high, spread,
                                   spread < 0 ? &frame.low : &frame.high)) {
            return st_undecided(reaching->effort, ST_DOUBT_OVERFLOW);
        }
    }
    if (!push_frame(reaching, &frame)) {
        return st_undecided(reaching->effort, ST_DOUBT_MEMORY);
    }
    return ST_NO;
}

/* Stores the distance of the first block of the type that has bytes. */
static bool first_distance(const struct st_place *place, int64_t *bytes)
{
    const struct st_type *type = place->type;
    int64_t index = 0;
    while (type->lengths && index < place->count && !type->lengths[index]) {
        index++;
    }
    return !st_place_distance(place, index, bytes);
}

static enum st_verdict next_child(struct st_reaching *reaching)
{
    struct st_reach_frame *frame = &reaching->frames[reaching->depth - 1];
    struct st_place child;
    int64_t shift = frame->shift, first, by;
    frame->index = frame->next++;
    if (st_place_child(&frame->place, frame->index, &child)) {
        return st_undecided(reaching->effort, ST_DOUBT_OVERFLOW);
    }
    if (is_placed(&frame->place) && counts_elements(frame->place.type)) {
        if (!first_distance(&frame->place, &first) ||
            st_place_distance(&frame->place, frame->index, &by) ||
            __builtin_sub_overflow(first, by, &first) ||
            __builtin_add_overflow(shift, first, &shift)) {
            return st_undecided(reaching->effort, ST_DOUBT_OVERFLOW);
        }
    }
    return enter_place(reaching, &child, frame->low, frame->high, shift);
}

enum st_verdict st_reach_outside(const struct st_type *type, uint64_t address, int64_t count,
                                 int64_t shift, const struct st_areas *areas,
                                 struct st_effort *effort, struct st_reach *reach)
{
    struct st_reaching reaching = {.areas = areas, .effort = effort, .reach = reach};
    struct st_place root = st_place_repeat(type, address, count);
    *reach = (struct st_reach){0};
    enum st_verdict verdict = enter_place(&reaching, &root, 0, 0, shift);
    while (verdict == ST_NO && reaching.depth) {
        struct st_reach_frame *frame = &reaching.frames[reaching.depth - 1];
        if (frame->next < frame->end) {
            verdict = next_child(&reaching);
        } else {
            reaching.depth--;
        }
    }
    free(reaching.frames);
    if (verdict != ST_YES) {
        st_reach_deinit(reach);
    }
    return verdict;
}

void st_reach_deinit(struct st_reach *reach)
{
    st_path_deinit(&reach->path);
}
