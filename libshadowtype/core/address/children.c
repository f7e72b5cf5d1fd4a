/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/address/children.h"

bool st_children_alike(const struct st_place *place)
{
    return place->kind != ST_STAGE_TYPE || !(place->type->lengths || place->type->types);
}

/* Returns the amount in each child; all children must be alike. */
static struct st_amount one_child(const struct st_place *place, enum st_unit unit)
{
    const struct st_type *type = place->type;
    if (place->kind == ST_STAGE_BLOCK || place->kind == ST_STAGE_REPEAT) {
        return st_type_amount(place->element, unit);
    }
    switch (type->combiner) {
    case ST_VECTOR:
    case ST_HVECTOR:
    case ST_INDEXED_BLOCK:
    case ST_HINDEXED_BLOCK:
        return st_times(type->args[1], st_type_amount(type->base, unit));
    case ST_SUBARRAY:
    case ST_DARRAY: {
        int64_t stage = place->kind == ST_STAGE_DIMENSION ? place->stage : 0;
        struct st_place below = *place;
        below.kind = ST_STAGE_DIMENSION;
        below.stage = stage + 1;
        return st_place_amount(&below, unit);
    }
    default: /* CONTIGUOUS, RESIZED */
        return st_type_amount(type->base, unit);
    }
}

enum st_error st_child_before(struct st_indexes *indexes, const struct st_place *place,
                              enum st_unit unit, int64_t index, int64_t *before)
{
    if (st_children_alike(place)) {
        struct st_amount amount = st_times(index, one_child(place, unit));
        *before = amount.value;
        return amount.error;
    }
    const struct st_sums *sums = st_index_sums(indexes, place->type, unit);
    if (!sums) {
        return ST_NO_MEMORY;
    }
    if (index > sums->known) {
        return sums->error;
    }
    *before = sums->before[index];
    return ST_OK;
}

enum st_error st_child_holding(struct st_indexes *indexes, const struct st_place *place,
                               enum st_unit unit, int64_t at, int64_t *child, int64_t *rest)
{
    if (st_children_alike(place)) {
        struct st_amount each = one_child(place, unit);
        if (place->count == 0 || st_is_nothing(each)) {
            return ST_OUT_OF_RANGE;
        }
        *child = each.error ? 0 : at / each.value;
        *rest = each.error ? at : at % each.value;
    } else {
        const struct st_sums *sums = st_index_sums(indexes, place->type, unit);
        if (!sums) {
            return ST_NO_MEMORY;
        }
        *child = st_sums_find(sums, at);
        *rest = at - sums->before[*child];
    }
    return *child < place->count ? ST_OK : ST_OUT_OF_RANGE;
}

/* Returns true if block `index` of a list may have data. Its displacement does not matter. */
static bool may_have_data(const struct st_place *place, int64_t index)
{
    const struct st_type *type = place->type;
    const struct st_type *base = type->types ? type->types[index] : type->base;
    return type->lengths[index] > 0 && !st_is_nothing(st_type_amount(base, ST_SENT_ELEMENTS));
}

enum st_error st_child_with_data(struct st_indexes *indexes, const struct st_place *place,
                                 int64_t from, int64_t *child)
{
    if (from >= place->count) {
        return ST_OUT_OF_RANGE;
    }
    *child = from;
    if (st_children_alike(place)) {
        return st_is_nothing(one_child(place, ST_SENT_ELEMENTS)) ? ST_OUT_OF_RANGE : ST_OK;
    }
    if (may_have_data(place, from)) {
        return ST_OK;
    }
    const struct st_sums *sums = st_index_sums(indexes, place->type, ST_SENT_ELEMENTS);
    if (!sums) {
        return ST_NO_MEMORY;
    }
    if (from < sums->known) {
        *child = st_sums_find(sums, sums->before[from]);
    } else { /* no sums are known after a child of unknown amount */
        while (*child < place->count && !may_have_data(place, *child)) {
            ++*child;
        }
    }
    return *child < place->count ? ST_OK : ST_OUT_OF_RANGE;
}
