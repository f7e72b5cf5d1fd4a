/* Shared by the files of the walk from a byte to its elements (locate*.c), and by nobody else. */
#ifndef ST_CORE_ADDRESS_LOCATE_INTERNAL_H
#define ST_CORE_ADDRESS_LOCATE_INTERNAL_H

#include <stdlib.h>

#include "core/address/locate.h"

/* Sums of products of 64-bit numbers, over the levels of a nest: less than 72 bits. */
typedef __int128 st_wide;

/* One index of a nest. The child that the route takes at a stage is the sum of index times `unit`
 * over the levels of this stage: one, or two where it is distributed cyclically. */
struct st_locate_level {
    int64_t count, stride;
    size_t stage;
    int64_t unit;
    st_wide low, high;  /* bounds of what is inside, from where this index has put it */
    st_wide byte;       /* what is looked for, from where the levels before have put it */
    int64_t next, last; /* indices to be tried; next - 1 is at its turn */
};

/* A node that the walk is below of: a list of blocks, or the first stage of a nest. */
struct st_locate_frame {
    size_t depth;                 /* of the node */
    const struct st_spans *spans; /* of a list; NULL: a nest */
    int64_t byte, next, until;    /* list: spans to be tried */
    size_t levels, level_count;   /* nest: its part of locate.levels, in order of the search */
    size_t level;                 /* nest: the level that is at its turn */
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

/* Whether the place's children are a list of blocks. */
static inline bool st_is_list(const struct st_place *place)
{
    return place->kind == ST_STAGE_TYPE && !place->leaf && !place->opaque && place->type->offsets;
}

/* Makes room for one more. Returns the array, which may have moved; NULL if there is no memory. */
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

/* locate_nest.c: takes the stages from the node on together, until a list of blocks, a leaf, or
 * what is not known. ST_NO_MEMORY. */
enum st_error st_locate_open_nest(struct st_locate *locate, struct st_locate_frame *frame);
/* One index more, or one level down or up. True: all levels have an index. */
bool st_locate_turn_nest(struct st_locate *locate, struct st_locate_frame *frame);
/* Goes down by the indices that the levels have. The errors of st_route_down(). */
enum st_error st_locate_take_path(struct st_locate *locate, const struct st_locate_frame *frame);

#endif
