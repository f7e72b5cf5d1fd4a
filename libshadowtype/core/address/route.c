/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/address/route.h"

#include <stdlib.h>

#include "core/address/children.h"

void st_route_init(struct st_route *route, const struct st_place *root)
{
    *route = (struct st_route){.place = *root, .member = -1};
}

void st_route_deinit(struct st_route *route)
{
    free(route->steps);
    *route = (struct st_route){.member = -1};
}

void st_route_restart(struct st_route *route, const struct st_place *root)
{
    struct st_place place = *root; /* `root` may be part of the route itself */
    route->place = place;
    route->displacement = (struct st_displacement){0};
    route->member = -1;
    route->depth = 0;
}

static bool reserve_route(struct st_route *route)
{
    if (route->depth < route->capacity) {
        return true;
    }
    size_t capacity = route->capacity ? route->capacity * 2 : 16;
    struct st_step *steps = realloc(route->steps, capacity * sizeof(*steps));
    if (!steps) {
        return false;
    }
    route->steps = steps;
    route->capacity = capacity;
    return true;
}

static void displace_by(struct st_displacement *displacement, int64_t by)
{
    if (__builtin_add_overflow(displacement->value, by, &displacement->value)) {
        displacement->laps += by < 0 ? -1 : 1;
    }
}

enum st_error st_route_down(struct st_route *route, int64_t index)
{
    if (!reserve_route(route)) {
        return ST_NO_MEMORY;
    }
    struct st_step *step = &route->steps[route->depth];
    step->place = route->place;
    enum st_error error = st_place_child(&step->place, index, &route->place);
    if (error) {
        return error;
    }
    step->displacement = route->displacement;
    step->index = index;
    displace_by(&route->displacement, (int64_t)(route->place.address - step->place.address));
    route->depth++;
    route->member = -1;
    return ST_OK;
}

bool st_route_up(struct st_route *route)
{
    if (route->depth == 0) {
        return false;
    }
    const struct st_step *step = &route->steps[--route->depth];
    route->place = step->place;
    route->displacement = step->displacement;
    route->member = -1;
    return true;
}

static const struct st_pair_member *members_of(const struct st_place *place)
{
    const struct st_basic *basic = &place->type->basic;
    return place->leaf && basic->class_ == ST_CLASS_PAIR ? basic->members : NULL;
}

static enum st_error at_leaf(struct st_route *route, enum st_unit unit, int64_t *rest)
{
    struct st_amount amount = st_place_amount(&route->place, unit);
    const struct st_pair_member *members = members_of(&route->place);
    if (!amount.error && *rest >= amount.value) {
        return ST_OUT_OF_RANGE;
    }
    if (unit == ST_SENT_BYTES && members) {
        route->member = *rest >= members[0].size;
        *rest -= route->member ? members[0].size : 0;
    }
    return amount.error;
}

enum st_error st_route_at(struct st_route *route, struct st_indexes *indexes, enum st_unit unit,
                          int64_t at, int64_t *rest)
{
    if (route->depth) {
        route->place = route->steps[0].place;
    }
    st_route_restart(route, &route->place);
    *rest = at;
    if (at < 0) {
        return ST_OUT_OF_RANGE;
    }
    while (!route->place.leaf) {
        int64_t child;
        if (route->place.opaque) {
            struct st_amount amount = st_place_amount(&route->place, unit);
            bool past = !amount.error && *rest >= amount.value;
            return past ? ST_OUT_OF_RANGE : ST_INSIDE_UNKNOWN;
        }
        enum st_error error = st_child_holding(indexes, &route->place, unit, *rest, &child, rest);
        if (!error) {
            error = st_route_down(route, child);
        }
        if (error) {
            return error;
        }
    }
    return at_leaf(route, unit, rest);
}

struct st_amount st_route_number(const struct st_route *route, struct st_indexes *indexes,
                                 enum st_unit unit)
{
    struct st_amount number = {0};
    for (size_t i = 0; i < route->depth; i++) {
        const struct st_step *step = &route->steps[i];
        struct st_amount before = {0};
        before.error = st_child_before(indexes, &step->place, unit, step->index, &before.value);
        number = st_plus(number, before);
    }
    const struct st_pair_member *members = members_of(&route->place);
    if (unit == ST_SENT_BYTES && members && route->member == 1) {
        number = st_plus(number, (struct st_amount){.value = members[0].size});
    }
    return number;
}

static bool has_no_inside(const struct st_place *place)
{
    return place->leaf || place->opaque;
}

enum st_error st_route_first(struct st_route *route, struct st_indexes *indexes)
{
    if (st_is_nothing(st_place_amount(&route->place, ST_SENT_ELEMENTS))) {
        return ST_OUT_OF_RANGE;
    }
    route->member = -1;
    while (!has_no_inside(&route->place)) {
        int64_t child;
        enum st_error error = st_child_with_data(indexes, &route->place, 0, &child);
        if (!error) {
            error = st_route_down(route, child);
        }
        if (error) {
            return error;
        }
    }
    return ST_OK;
}

enum st_error st_route_next(struct st_route *route, struct st_indexes *indexes)
{
    while (route->depth > 0) {
        int64_t child, after = route->steps[route->depth - 1].index + 1;
        st_route_up(route);
        enum st_error error = st_child_with_data(indexes, &route->place, after, &child);
        if (error == ST_OUT_OF_RANGE) {
            continue;
        }
        if (!error) {
            error = st_route_down(route, child);
        }
        return error ? error : st_route_first(route, indexes);
    }
    return ST_OUT_OF_RANGE;
}

struct st_bounds st_route_bounds(const struct st_route *route)
{
    const struct st_pair_member *members = members_of(&route->place);
    if (members && route->member >= 0) {
        const struct st_pair_member *member = &members[route->member];
        int64_t low = member->offset;
        return (struct st_bounds){low, low + member->size, true};
    }
    return st_place_bounds(&route->place);
}

struct st_amount st_route_amount(const struct st_route *route, enum st_unit unit)
{
    const struct st_pair_member *members = members_of(&route->place);
    if (unit == ST_SENT_BYTES && members && route->member >= 0) {
        return (struct st_amount){.value = members[route->member].size};
    }
    return st_place_amount(&route->place, unit);
}
