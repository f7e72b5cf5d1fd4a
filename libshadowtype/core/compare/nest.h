/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nested strides: the positions start + i * stride of each level, i from 0 to count - 1. The user
 * decides whether a position is a byte or an element.
 */
#ifndef ST_CORE_COMPARE_NEST_H
#define ST_CORE_COMPARE_NEST_H

#include <stdint.h>
#include <string.h>

#define ST_NEST_LEVELS 24

struct st_nest_level {
    int64_t count;
    int64_t stride;
};

struct st_nest {
    int64_t start;
    uint32_t levels;
    struct st_nest_level level[ST_NEST_LEVELS]; /* each of 2 or more */
};

/* Copies the levels that are used: most nests have few, and all take 400 bytes. */
static inline void st_nest_copy(struct st_nest *to, const struct st_nest *from)
{
    to->start = from->start;
    to->levels = from->levels;
    memcpy(to->level, from->level, from->levels * sizeof(*from->level));
}

/* Sets the count of a level. If it is 1, the level is removed, and the last level takes its place. */
static inline void st_nest_set(struct st_nest *nest, uint32_t level, int64_t count)
{
    nest->level[level].count = count;
    if (count == 1) {
        nest->level[level] = nest->level[--nest->levels];
    }
}

/* Removes the first `head` of a level, which must have more. */
static inline void st_nest_behead(struct st_nest *nest, uint32_t level, int64_t head)
{
    nest->start += head * nest->level[level].stride;
    st_nest_set(nest, level, nest->level[level].count - head);
}

/* Returns the distance from the first position to the last; strides must be positive. */
static inline int64_t st_nest_span(const struct st_nest *nest)
{
    int64_t span = 0;
    for (uint32_t i = 0; i < nest->levels; i++) {
        span += (nest->level[i].count - 1) * nest->level[i].stride;
    }
    return span;
}

/* Returns the level with the largest stride; there must be at least one level. */
static inline uint32_t st_nest_widest(const struct st_nest *nest)
{
    uint32_t widest = 0;
    for (uint32_t i = 1; i < nest->levels; i++) {
        widest = nest->level[i].stride > nest->level[widest].stride ? i : widest;
    }
    return widest;
}

#endif
