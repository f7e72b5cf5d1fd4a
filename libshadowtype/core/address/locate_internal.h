/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of the walk from a byte to its elements (locate*.c) only. */
#ifndef ST_CORE_ADDRESS_LOCATE_INTERNAL_H
#define ST_CORE_ADDRESS_LOCATE_INTERNAL_H

#include <stdlib.h>

#include "core/address/locate.h"

/* Holds sums of products of 64-bit numbers over the levels of a nest: less than 72 bits. */
typedef __int128 st_wide;

/* One index of a nest. A stage has one level, or two if it is distributed cyclically. The child
 * that the route takes at a stage is the sum of index times `unit` over the levels of this stage. */
struct st_locate_level {
    int64_t count, stride;
    size_t stage;
    int64_t unit;
    st_wide low, high;  /* bounds of the data inside, counted from where this index begins */
    st_wide byte;       /* the byte, counted from where the levels before begin */
    int64_t next, last; /* indices to try; the current one is next - 1 */
};

/* A node above the current one: a list of blocks, or the first stage of a nest. */
struct st_locate_frame {
    size_t depth;                 /* of the node */
    const struct st_spans *spans; /* of a list; NULL: it is a nest */
    int64_t byte, next, until;    /* list: spans to try */
    size_t levels, level_count;   /* nest: its part of locate.levels, in the order of the search */
    size_t level;                 /* nest: the current level */
    size_t stages;
    bool done;
};

static inline st_wide st_wide_displacement(const struct st_route *route)
{
    return route->displacement.value + (st_wide)route->displacement.laps * ((st_wide)1 << 64);
}

static inline int64_t st_clamped(st_wide number, int64_t low, int64_t high)
{
    return number < low ? low : number > high ? high : (int64_t)number;
}

/* Returns true if the children of the place are a list of blocks. */
static inline bool st_is_list(const struct st_place *place)
{
    return place->kind == ST_STAGE_TYPE && !place->leaf && !place->opaque && place->type->offsets;
}

/* Makes room for one more member. Returns the array, which may have moved; NULL if there is no
 * memory. */
static inline void *st_grown(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return array;
    }
    size_t wanted = *capacity ? *capacity * 2 : 16;
    void *larger = realloc(array, wanted * size);
    *capacity = larger ? wanted : *capacity;
    return larger;
}

/* locate_nest.c: makes a nest of the stages from the node on, down to a list of blocks, a leaf, or
 * a type whose inside is not known. Returns ST_NO_MEMORY. */
enum st_error st_locate_open_nest(struct st_locate *locate, struct st_locate_frame *frame);
/* Advances one index, or goes one level down or up. Returns true if all levels have an index. */
bool st_locate_turn_nest(struct st_locate *locate, struct st_locate_frame *frame);
/* Goes down by the indices of the levels. Returns the errors of st_route_down(). */
enum st_error st_locate_take_path(struct st_locate *locate, const struct st_locate_frame *frame);

#endif
