/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/address/pieces.h"

#include <stdlib.h>

#include "core/layout/ascending.h"
#include "core/overlap/window.h"
#include "core/address/route.h"

/* The most places that are visited in one type. */
enum { MOST_PLACES = 1 << 13 };

/* Returns false if there is no room for another piece. */
static bool add_piece(struct st_pieces *pieces, int64_t from, int64_t length,
                      const struct st_type *leaf)
{
    struct st_typed_piece *last = pieces->count ? &pieces->list[pieces->count - 1] : NULL;
    if (length <= 0) {
        return true;
    }
    if (last && last->leaf == leaf && last->from + last->length == from) {
        last->length += length;
        return true;
    }
    if (pieces->count == pieces->most) {
        return false;
    }
    pieces->list[pieces->count++] = (struct st_typed_piece){from, length, leaf};
    return true;
}

enum st_taken { TAKEN, GO_DOWN, FULL, UNKNOWN };

/* Adds all bytes of the node of the route, if they are contiguous. */
static enum st_taken take_node(struct st_pieces *pieces, const struct st_route *route)
{
    const struct st_place *place = &route->place;
    int64_t stride = 0, length;
    if (place->opaque || route->displacement.laps) {
        return UNKNOWN;
    }
    if (place->leaf) {
        struct st_bounds bounds = st_route_bounds(route);
        length = bounds.high - bounds.low;
        bool added = add_piece(pieces, route->displacement.value + bounds.low, length, place->type);
        return added ? TAKEN : FULL;
    }
    if (place->count <= 0) {
        return TAKEN;
    }
    const struct st_type *leaf = st_place_run(place);
    int64_t first;
    if (!leaf || leaf->basic.class_ == ST_CLASS_PAIR || st_place_distance(place, 0, &first) ||
        !st_place_stride(place, &stride) || stride != leaf->basic.size ||
        __builtin_mul_overflow(place->count, stride, &length)) {
        return GO_DOWN;
    }
    return add_piece(pieces, route->displacement.value + first, length, leaf) ? TAKEN : FULL;
}

/* Moves the route to the next place in the order of the type map, or further up. */
static enum st_error turn_route(struct st_route *route, bool *ends)
{
    while (route->depth) {
        int64_t next = route->steps[route->depth - 1].index + 1;
        st_route_up(route);
        if (next < route->place.count) {
            return st_route_down(route, next);
        }
    }
    *ends = true;
    return ST_OK;
}

/* Collects the pieces in the order of the type map. FULL: there are more. */
static enum st_taken walk_type(struct st_pieces *pieces, const struct st_type *type)
{
    struct st_place root = st_place_of(type, 0);
    struct st_route route;
    enum st_error error = ST_OK;
    enum st_taken taken = TAKEN;
    bool ends = false;
    st_route_init(&route, &root);
    for (int i = 0; !ends && !error && i < MOST_PLACES; i++) {
        taken = take_node(pieces, &route);
        if (taken == FULL || taken == UNKNOWN) {
            break;
        }
        error = taken == GO_DOWN ? st_route_down(&route, 0) : turn_route(&route, &ends);
    }
    st_route_deinit(&route);
    return error ? UNKNOWN : ends || taken == UNKNOWN ? taken : FULL;
}

static int compare_pieces(const void *a, const void *b)
{
    const struct st_typed_piece *one = a, *other = b;
    return (one->from > other->from) - (one->from < other->from);
}

/* Returns the basic type of all elements; NULL if there may be several. */
static const struct st_type *only_leaf(const struct st_type *type)
{
    while (type && !type->leaf) {
        const struct st_type *below = type->types && type->entries ? type->types[0] : type->base;
        for (int64_t i = 1; type->types && i < type->entries; i++) {
            if (type->types[i] != below) {
                return NULL;
            }
        }
        type = below;
    }
    return type;
}

/* Collects the first runs of bytes, whatever the order of the type map is. */
static bool take_runs(struct st_pieces *pieces, const struct st_layout *layout,
                      const struct st_type *type, const struct st_type *leaf,
                      struct st_effort *effort)
{
    struct st_buffer buffer;
    struct st_window window;
    struct st_run run;
    enum st_verdict verdict;
    st_buffer_init(&buffer, layout, type, 1, 0);
    if (buffer.doubt) {
        return false;
    }
    pieces->count = 0;
    st_window_init(&window, &buffer, 0, buffer.span);
    do {
        verdict = st_window_next(&window, effort, &run);
    } while (verdict == ST_YES && add_piece(pieces, layout->low + (int64_t)run.from,
                                            (int64_t)(run.to - run.from), leaf));
    st_window_deinit(&window);
    return pieces->count > 0;
}

bool st_pieces_of(struct st_pieces *pieces, struct st_layouts *layouts, const struct st_type *type,
                  struct st_effort *effort)
{
    const struct st_layout *layout;
    const struct st_type *leaf = only_leaf(type);
    int64_t element, shown = 0;
    pieces->count = 0;
    pieces->left_out = 0;
    if (type->measure.unknown || st_layout_of(layouts, type, effort, &layout) || layout->doubt) {
        return false;
    }
    enum st_taken taken = walk_type(pieces, type);
    bool first_ones = taken == TAKEN || (!leaf && st_ascending(type, &element) == ST_YES);
    if (taken == UNKNOWN || (!first_ones && !take_runs(pieces, layout, type, leaf, effort))) {
        pieces->count = 0;
        return false;
    }
    if (pieces->count) {
        qsort(pieces->list, pieces->count, sizeof *pieces->list, compare_pieces);
    }
    for (size_t i = 0; i < pieces->count; i++) {
        shown += pieces->list[i].length;
    }
    if (taken != TAKEN && type->measure.size > shown) {
        pieces->left_out = type->measure.size - shown;
    }
    return true;
}
