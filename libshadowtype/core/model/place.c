/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/model/place.h"

static int64_t children_of(const struct st_type *type)
{
    switch (type->combiner) {
    case ST_CONTIGUOUS:
    case ST_VECTOR:
    case ST_HVECTOR:
        return type->args[0];
    case ST_INDEXED:
    case ST_HINDEXED:
    case ST_INDEXED_BLOCK:
    case ST_HINDEXED_BLOCK:
    case ST_STRUCT:
        return type->entries;
    case ST_RESIZED:
        return 1;
    case ST_SUBARRAY:
    case ST_DARRAY:
        return type->entries ? st_dimension_count(type, st_dimension(type, 0)) : 0;
    default:
        return 0;
    }
}

/* These functions take numbers, not a place: the place that they fill may be the one that the
 * numbers are from. */

static void make_type(const struct st_type *type, uint64_t address, struct st_place *place)
{
    type = st_undup(type);
    *place = (struct st_place){
        .type = type,
        .address = address,
        .kind = ST_STAGE_TYPE,
        .count = st_elided(type) ? 0 : children_of(type),
        .leaf = type->leaf,
        .opaque = type->combiner == ST_OPAQUE || (st_elided(type) && !type->leaf),
    };
}

static void make_block(const struct st_type *type, int64_t index, uint64_t address,
                       struct st_place *place)
{
    *place = (struct st_place){
        .type = type,
        .address = address,
        .kind = ST_STAGE_BLOCK,
        .count = type->lengths ? type->lengths[index] : type->args[1],
        .element = st_undup(type->types ? type->types[index] : type->base),
    };
}

/* Fills `place` where `stage` dimensions of a subarray or darray are fixed: with the next
 * dimension, or with the base after the last one. */
static void make_dimension(const struct st_type *type, int64_t stage, uint64_t address,
                           struct st_place *place)
{
    if (stage == type->entries) {
        make_type(type->base, address, place);
        return;
    }
    *place = (struct st_place){
        .type = type,
        .address = address,
        .kind = ST_STAGE_DIMENSION,
        .stage = stage,
        .count = st_dimension_count(type, st_dimension(type, stage)),
    };
}

struct st_place st_place_of(const struct st_type *type, uint64_t address)
{
    struct st_place place;
    make_type(type, address, &place);
    return place;
}

struct st_place st_place_repeat(const struct st_type *type, uint64_t address, int64_t count)
{
    type = st_undup(type);
    return (struct st_place){
        .type = type,
        .address = address,
        .kind = ST_STAGE_REPEAT,
        .count = count < 0 ? 0 : count,
        .element = type,
    };
}

/* Stores index * step * unit; returns false if it does not fit in 64 bits. */
static bool product_of(int64_t index, int64_t step, int64_t unit, int64_t *by)
{
    return !__builtin_mul_overflow(index, step, by) && !__builtin_mul_overflow(*by, unit, by);
}

/* Stores the bytes between two neighbours in dimension `stage` of a subarray or darray. */
static bool dimension_step(const struct st_type *type, int64_t stage, int64_t *step)
{
    if (!st_extent(type->base, step)) {
        return false;
    }
    for (int64_t s = type->entries - 1; s > stage; s--) {
        if (__builtin_mul_overflow(*step, st_dimension_size(type, st_dimension(type, s)), step)) {
            return false;
        }
    }
    return true;
}

static bool distance_in_array(const struct st_place *place, int64_t index, int64_t *by)
{
    const struct st_type *type = place->type;
    int64_t stage = place->kind == ST_STAGE_DIMENSION ? place->stage : 0, step;
    return dimension_step(type, stage, &step) &&
           product_of(st_dimension_index(type, st_dimension(type, stage), index), step, 1, by);
}

static bool distance_in_type(const struct st_place *place, int64_t index, int64_t *by)
{
    const struct st_type *type = place->type;
    int64_t unit = 1;
    switch (type->combiner) {
    case ST_CONTIGUOUS:
        return st_extent(type->base, &unit) && product_of(index, unit, 1, by);
    case ST_RESIZED:
        *by = 0;
        return true;
    case ST_SUBARRAY:
    case ST_DARRAY:
        return distance_in_array(place, index, by);
    case ST_VECTOR:
        return st_extent(type->base, &unit) && product_of(index, type->args[2], unit, by);
    case ST_HVECTOR:
        return product_of(index, type->args[2], 1, by);
    case ST_INDEXED:
    case ST_INDEXED_BLOCK:
        return st_extent(type->base, &unit) && product_of(type->offsets[index], unit, 1, by);
    default:
        *by = type->offsets[index];
        return true;
    }
}

enum st_error st_place_distance(const struct st_place *place, int64_t index, int64_t *bytes)
{
    bool fits;
    if (index < 0 || index >= place->count) {
        return ST_OUT_OF_RANGE;
    }
    switch (place->kind) {
    case ST_STAGE_TYPE:
        fits = distance_in_type(place, index, bytes);
        break;
    case ST_STAGE_DIMENSION:
        fits = distance_in_array(place, index, bytes);
        break;
    default: {
        int64_t extent;
        fits = st_extent(place->element, &extent) && product_of(index, extent, 1, bytes);
        break;
    }
    }
    return fits ? ST_OK : ST_OVERFLOW;
}

static void child_of_type(const struct st_type *type, int64_t index, uint64_t address,
                          struct st_place *child)
{
    switch (type->combiner) {
    case ST_CONTIGUOUS:
    case ST_RESIZED:
        make_type(type->base, address, child);
        break;
    case ST_SUBARRAY:
    case ST_DARRAY:
        make_dimension(type, 1, address, child);
        break;
    default:
        make_block(type, index, address, child);
        break;
    }
}

enum st_error st_place_child(const struct st_place *place, int64_t index, struct st_place *child)
{
    int64_t by;
    enum st_error error = st_place_distance(place, index, &by);
    if (error) {
        return error;
    }
    uint64_t address = place->address + (uint64_t)by; /* negative displacements are allowed */
    switch (place->kind) {
    case ST_STAGE_TYPE:
        child_of_type(place->type, index, address, child);
        break;
    case ST_STAGE_DIMENSION:
        make_dimension(place->type, place->stage + 1, address, child);
        break;
    default:
        make_type(place->element, address, child);
        break;
    }
    return ST_OK;
}

static const struct st_type *leaf_or_null(const struct st_type *type)
{
    type = type ? st_undup(type) : NULL;
    return type && type->leaf ? type : NULL;
}

const struct st_type *st_place_run(const struct st_place *place)
{
    const struct st_type *type = place->type;
    switch (place->kind) {
    case ST_STAGE_BLOCK:
    case ST_STAGE_REPEAT:
        return leaf_or_null(place->element);
    case ST_STAGE_DIMENSION:
        return place->stage + 1 == type->entries ? leaf_or_null(type->base) : NULL;
    case ST_STAGE_TYPE:
        if (type->combiner == ST_CONTIGUOUS || type->combiner == ST_RESIZED ||
            ((type->combiner == ST_SUBARRAY || type->combiner == ST_DARRAY) &&
             type->entries == 1)) {
            return leaf_or_null(type->base);
        }
        return NULL;
    }
    return NULL;
}

bool st_place_stride(const struct st_place *place, int64_t *stride)
{
    if (place->kind == ST_STAGE_BLOCK || place->kind == ST_STAGE_REPEAT) {
        return st_extent(place->element, stride);
    }
    const struct st_type *type = place->type;
    if (type->combiner == ST_DARRAY) {
        int64_t d = st_dimension(type, place->kind == ST_STAGE_DIMENSION ? place->stage : 0);
        if (type->dims[ST_DISTRIBS][d] == ST_DISTRIBUTE_CYCLIC) {
            return false;
        }
    }
    return type->base && st_extent(type->base, stride);
}
