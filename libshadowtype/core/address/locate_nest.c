/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/address/locate_internal.h"

enum { MOST_LEVELS = 64 };
static const st_wide endless = (st_wide)1 << 100;

/* Returns the greatest integer that is not above a / b; b > 0. */
static st_wide floor_of(st_wide a, st_wide b)
{
    if (a >= INT64_MIN && a <= INT64_MAX && b <= INT64_MAX) { /* much faster */
        int64_t n = (int64_t)a, by = (int64_t)b, quotient = n / by;
        return quotient - (n % by < 0);
    }
    st_wide quotient = a / b;
    return quotient - (a % b < 0);
}

/* Finds the indices i of 0..count-1 with low <= byte - i * stride < high. */
static void solve_level(struct st_locate_level *level)
{
    /* bounds of i * stride */
    st_wide least = level->byte - level->high + 1, most = level->byte - level->low;
    st_wide stride = level->stride;
    level->next = 0;
    level->last = level->count - 1;
    if (stride == 0) {
        if (least > 0 || most < 0) {
            level->last = -1;
        }
        return;
    }
    if (stride < 0) {
        st_wide swap = least;
        least = -most;
        most = -swap;
        stride = -stride;
    }
    st_wide from = floor_of(least + stride - 1, stride), to = floor_of(most, stride);
    if (from > level->last || to < 0) {
        level->last = -1;
        return;
    }
    level->next = st_clamped(from, 0, level->last);
    level->last = st_clamped(to, 0, level->last);
}

/* Returns true if a nest ends at this place. */
static bool is_end(const struct st_place *place)
{
    return place->leaf || place->opaque || st_is_list(place);
}

static uint64_t magnitude(int64_t number)
{
    return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

/* Inserts a level in the order of the search. Returns false if there is no memory. */
static bool add_level(struct st_locate *locate, struct st_locate_frame *frame, int64_t count,
                      int64_t stride, int64_t unit)
{
    struct st_locate_level *levels =
        st_grown(locate->levels, locate->level_count, &locate->level_capacity, sizeof(*levels));
    if (!levels) {
        return false;
    }
    locate->levels = levels;
    levels += frame->levels;
    /* Children more than 64 bits away do not exist. */
    uint64_t most = stride ? (UINT64_C(1) << 63) / magnitude(stride) : INT64_MAX;
    if ((uint64_t)count - 1 > most) {
        count = (int64_t)most + 1;
    }
    size_t at = frame->level_count++;
    locate->level_count++;
    while (at > 0 && magnitude(levels[at - 1].stride) < magnitude(stride)) {
        levels[at] = levels[at - 1];
        at--;
    }
    levels[at] = (struct st_locate_level){
        .count = count, .stride = stride, .stage = frame->stages, .unit = unit};
    return true;
}

/* Stores the distance of child `index` from child 0, which is at `first`. Returns false if it does
 * not fit in 64 bits. */
static bool distance(const struct st_place *place, int64_t first, int64_t index, int64_t *bytes)
{
    return !st_place_distance(place, index, bytes) && !__builtin_sub_overflow(*bytes, first, bytes);
}

/* Adds the levels of one stage, whose first child is at `first`. Returns false if there is no
 * memory. */
static bool add_stage(struct st_locate *locate, struct st_locate_frame *frame,
                      const struct st_place *place, int64_t first)
{
    const struct st_type *type = place->type;
    int64_t block = place->count, stride = 0, round = 0;
    bool fits = true;
    if (type->combiner == ST_DARRAY &&
        (place->kind == ST_STAGE_TYPE || place->kind == ST_STAGE_DIMENSION)) {
        int64_t stage = place->kind == ST_STAGE_DIMENSION ? place->stage : 0;
        int64_t side_by_side = st_dimension_block(type, st_dimension(type, stage));
        block = side_by_side < block ? side_by_side : block;
    }
    if (block > 1 && distance(place, first, 1, &stride)) {
        fits = add_level(locate, frame, block, stride, 1);
    }
    if (fits && block < place->count && distance(place, first, block, &round)) {
        int64_t rounds = place->count / block + (place->count % block != 0);
        fits = add_level(locate, frame, rounds, round, block);
    }
    frame->stages++;
    return fits;
}

/* Computes the bounds of the data inside each level: all that the levels after it reach, and the
 * place at the end. */
static void bound_levels(struct st_locate_level *levels, size_t count, st_wide low, st_wide high)
{
    for (size_t i = count; i-- > 0;) {
        st_wide reach = (st_wide)(levels[i].count - 1) * levels[i].stride;
        levels[i].low = low;
        levels[i].high = high;
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
    }
}

enum st_error st_locate_open_nest(struct st_locate *locate, struct st_locate_frame *frame)
{
    struct st_place place = locate->route.place;
    int64_t first;
    st_wide byte = locate->byte - st_wide_displacement(&locate->route);
    frame->levels = locate->level_count;
    while (!is_end(&place) && frame->level_count + 2 <= MOST_LEVELS) {
        if (st_place_distance(&place, 0, &first)) {
            frame->done =
                true; /* no children; or the first does not fit in 64 bits, and so no other does */
            return ST_OK;
        }
        if (!add_stage(locate, frame, &place, first)) {
            return ST_NO_MEMORY;
        }
        byte -= first;
        st_place_child(&place, 0, &place);
    }
    struct st_bounds bounds = st_place_bounds(&place);
    st_wide low = bounds.low == INT64_MIN ? -endless : bounds.low;
    st_wide high = bounds.high == INT64_MAX ? endless : bounds.high;
    if (frame->level_count == 0) {
        frame->done = byte < low || byte >= high;
        return ST_OK;
    }
    struct st_locate_level *levels = locate->levels + frame->levels;
    bound_levels(levels, frame->level_count, low, high);
    levels[0].byte = byte;
    solve_level(&levels[0]);
    return ST_OK;
}

bool st_locate_turn_nest(struct st_locate *locate, struct st_locate_frame *frame)
{
    if (frame->level_count == 0) { /* there is only one path */
        frame->done = true;
        return true;
    }
    struct st_locate_level *level = &locate->levels[frame->levels + frame->level];
    if (level->next > level->last) {
        frame->done = frame->level == 0;
        frame->level -= frame->level > 0;
        return false;
    }
    int64_t index = level->next++;
    if (frame->level + 1 == frame->level_count) {
        return true;
    }
    level[1].byte = level->byte - (st_wide)index * level->stride;
    solve_level(&level[1]);
    frame->level++;
    return false;
}

enum st_error st_locate_take_path(struct st_locate *locate, const struct st_locate_frame *frame)
{
    while (locate->path_capacity < frame->stages) {
        int64_t *path =
            st_grown(locate->path, locate->path_capacity, &locate->path_capacity, sizeof(*path));
        if (!path) {
            return ST_NO_MEMORY;
        }
        locate->path = path;
    }
    for (size_t i = 0; i < frame->stages; i++) {
        locate->path[i] = 0;
    }
    for (size_t i = 0; i < frame->level_count; i++) {
        const struct st_locate_level *level = &locate->levels[frame->levels + i];
        locate->path[level->stage] += (level->next - 1) * level->unit;
    }
    enum st_error error = ST_OK;
    for (size_t i = 0; i < frame->stages && !error; i++) {
        error = st_route_down(&locate->route, locate->path[i]);
    }
    return error;
}
