/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/address/content.h"

struct st_amount st_type_amount(const struct st_type *type, enum st_unit unit)
{
    const struct st_measure *m = &type->measure;
    uint32_t bit = unit == ST_SENT_ELEMENTS ? ST_UNKNOWN_ELEMENTS : ST_UNKNOWN_SIZE;
    if (m->unknown & bit) {
        bool inside = m->unknown & ST_UNKNOWN_INSIDE;
        return (struct st_amount){.error = inside ? ST_INSIDE_UNKNOWN : ST_OVERFLOW};
    }
    return (struct st_amount){.value = unit == ST_SENT_ELEMENTS ? m->elements : m->size};
}

struct st_amount st_times(int64_t times, struct st_amount amount)
{
    if (times == 0) {
        return (struct st_amount){0};
    }
    if (!amount.error && __builtin_mul_overflow(times, amount.value, &amount.value)) {
        return (struct st_amount){.error = ST_OVERFLOW};
    }
    return amount;
}

struct st_amount st_plus(struct st_amount a, struct st_amount b)
{
    if (a.error || b.error) {
        return a.error ? a : b;
    }
    if (__builtin_add_overflow(a.value, b.value, &a.value)) {
        return (struct st_amount){.error = ST_OVERFLOW};
    }
    return a;
}

struct st_amount st_place_amount(const struct st_place *place, enum st_unit unit)
{
    const struct st_type *type = place->type;
    switch (place->kind) {
    case ST_STAGE_BLOCK:
    case ST_STAGE_REPEAT:
        return st_times(place->count, st_type_amount(place->element, unit));
    case ST_STAGE_DIMENSION: {
        struct st_amount amount = st_type_amount(type->base, unit);
        for (int64_t stage = place->stage; stage < type->entries; stage++) {
            amount = st_times(st_dimension_count(type, st_dimension(type, stage)), amount);
        }
        return amount;
    }
    case ST_STAGE_TYPE:
        break;
    }
    return st_type_amount(type, unit);
}

static const struct st_bounds no_limit = {INT64_MIN, INT64_MAX, false};

static struct st_bounds bounds_of_type(const struct st_type *type)
{
    const struct st_measure *m = &type->measure;
    bool exact = !(m->unknown & ST_UNKNOWN_TRUE_BOUNDS);
    if (!exact && m->true_lb == m->true_ub) {
        return no_limit;
    }
    return (struct st_bounds){m->true_lb, m->true_ub, exact};
}

/* Moves one end of the bounds; does nothing if it has no limit. */
static void move_bound(int64_t *end, int64_t by, struct st_bounds *bounds)
{
    bool limited = *end != INT64_MIN && *end != INT64_MAX;
    if (limited && __builtin_add_overflow(*end, by, end)) {
        *bounds = no_limit;
    }
}

struct st_bounds st_place_bounds(const struct st_place *place)
{
    struct st_place at = *place;
    int64_t low = 0, high = 0;         /* of all places that `at` represents */
    while (at.kind != ST_STAGE_TYPE) { /* a stage: its children are alike */
        int64_t first, last;
        if (at.count == 0) {
            return (struct st_bounds){0, 0, true};
        }
        if (st_place_distance(&at, 0, &first) || st_place_distance(&at, at.count - 1, &last) ||
            st_place_child(&at, 0, &at) ||
            __builtin_add_overflow(low, first < last ? first : last, &low) ||
            __builtin_add_overflow(high, first < last ? last : first, &high)) {
            return no_limit;
        }
    }
    struct st_bounds bounds = bounds_of_type(at.type);
    if (bounds.low != bounds.high) {
        move_bound(&bounds.low, low, &bounds);
        move_bound(&bounds.high, high, &bounds);
    }
    return bounds;
}
