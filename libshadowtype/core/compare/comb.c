/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/compare/comb.h"

#include <stdlib.h>
#include <string.h>

/* A place on the path. Its children are visited one by one, or, if they differ only in their
 * address, the first one is visited for all. */
struct st_comb_frame {
    struct st_place place;
    int64_t next, visits;
    uint32_t levels; /* the levels of the places above */
    bool alike;
};

static bool is_array(const struct st_place *place)
{
    return place->kind == ST_STAGE_DIMENSION ||
           (place->kind == ST_STAGE_TYPE &&
            (place->type->combiner == ST_SUBARRAY || place->type->combiner == ST_DARRAY));
}

/* Returns the block length of a cyclic dimension; 0 if the place is not one. */
static int64_t cycle_of(const struct st_place *place)
{
    if (!place->count || !is_array(place) || place->type->combiner != ST_DARRAY) {
        return 0;
    }
    int64_t stage = place->kind == ST_STAGE_DIMENSION ? place->stage : 0;
    int64_t d = st_dimension(place->type, stage);
    return place->type->dims[ST_DISTRIBS][d] == ST_DISTRIBUTE_CYCLIC
               ? st_dimension_block(place->type, d)
               : 0;
}

/* Returns true if all children differ only in their address, which is linear in the index (if
 * cyclic: block by block). */
static bool alike(const struct st_place *place)
{
    if (place->kind != ST_STAGE_TYPE || is_array(place)) {
        return true;
    }
    switch (place->type->combiner) {
    case ST_CONTIGUOUS:
    case ST_VECTOR:
    case ST_HVECTOR:
    case ST_RESIZED:
        return true;
    default:
        return false;
    }
}

static bool push_place(struct st_combs *combs, const struct st_place *place, uint32_t levels)
{
    if (combs->depth == combs->capacity) {
        size_t capacity = combs->capacity ? combs->capacity * 2 : 16;
        struct st_comb_frame *wider = realloc(combs->stack, capacity * sizeof(*wider));
        if (!wider) {
            return false;
        }
        combs->stack = wider;
        combs->capacity = capacity;
    }
    struct st_comb_frame frame = {.place = *place, .visits = place->count, .levels = levels};
    int64_t cycle = cycle_of(place);
    uint32_t needed = cycle ? 2 : 1;
    if (place->count > 1 && alike(place) && levels + needed <= ST_COMB_LEVELS) {
        frame.alike = true;
        frame.visits = cycle ? (place->count >= cycle) + (place->count % cycle > 0) : 1;
    }
    combs->stack[combs->depth++] = frame;
    return true;
}

enum st_error st_combs_init(struct st_combs *combs, const struct st_type *type, int64_t count)
{
    *combs = (struct st_combs){0};
    struct st_place place = count == 1 ? st_place_of(type, 0) : st_place_repeat(type, 0, count);
    return push_place(combs, &place, 0) ? ST_OK : ST_NO_MEMORY;
}

void st_combs_deinit(struct st_combs *combs)
{
    free(combs->stack);
    *combs = (struct st_combs){0};
}

/* Adds the level of the children first, first + step, ...; there are `count`. Also the last one's
 * address must fit in 64 bits. */
static enum st_error add_level(struct st_combs *combs, const struct st_place *place, int64_t first,
                               int64_t step, int64_t count, uint32_t *levels)
{
    struct st_place one, two, last;
    enum st_error error = st_place_child(place, first, &one);
    error = error ? error : st_place_child(place, first + step, &two);
    error = error ? error : st_place_child(place, first + (count - 1) * step, &last);
    if (!error) {
        int64_t stride = (int64_t)(two.address - one.address);
        combs->level[(*levels)++] = (struct st_nest_level){count, stride};
    }
    return error;
}

/* Stores the child that is visited for all in visit `visit` of a frame. */
static enum st_error child_for_all(struct st_combs *combs, const struct st_comb_frame *frame,
                                   int64_t visit, struct st_place *child, uint32_t *levels)
{
    const struct st_place *place = &frame->place;
    int64_t cycle = cycle_of(place), first = 0, count = place->count;
    enum st_error error = ST_OK;
    if (cycle) {
        int64_t whole = count / cycle;
        if (visit == 0 && whole) {
            count = cycle;
            if (whole > 1) {
                error = add_level(combs, place, 0, cycle, whole, levels);
            }
        } else {
            first = whole * cycle;
            count -= first;
        }
    }
    if (!error && count > 1) {
        error = add_level(combs, place, first, 1, count, levels);
    }
    return error ? error : st_place_child(place, first, child);
}

enum st_error st_combs_next(struct st_combs *combs, uint64_t most, struct st_comb *comb, bool *more)
{
    for (uint64_t visited = 0; combs->depth; visited++) {
        struct st_comb_frame *frame = &combs->stack[combs->depth - 1];
        const struct st_place *place = &frame->place;
        *more = true;
        if (visited == most) {
            comb->leaf = NULL;
            return ST_OK;
        }
        combs->steps++;
        if (place->leaf || place->opaque) {
            comb->leaf = place->type;
            comb->at.start = (int64_t)place->address;
            comb->at.levels = frame->levels;
            memcpy(comb->at.level, combs->level, frame->levels * sizeof(*combs->level));
            combs->depth--;
            if (place->opaque || place->type->basic.class_ != ST_CLASS_MARKER) {
                return ST_OK;
            }
        } else if (frame->next == frame->visits) {
            combs->depth--;
        } else {
            struct st_place child;
            uint32_t levels = frame->levels;
            int64_t visit = frame->next++;
            enum st_error error = frame->alike ? child_for_all(combs, frame, visit, &child, &levels)
                                               : st_place_child(place, visit, &child);
            if (error) {
                return error;
            }
            if (!push_place(combs, &child, levels)) {
                return ST_NO_MEMORY;
            }
        }
    }
    *more = false;
    return ST_OK;
}
