/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a byte of memory to the elements that hold it. There are several if a type overlaps itself.
 *
 *     struct st_locate locate;
 *     st_locate_init(&locate, &indexes, &root, (int64_t)(byte_address - root.address));
 *     while ((found = st_locate_next(&locate)) == ST_LOCATED) {
 *         ... locate.route ...
 *     }
 *     ... ST_LOCATE_END, or why the walk has stopped ...
 *     st_locate_deinit(&locate);
 *
 * Nothing is unrolled. Consecutive stages whose children are alike form a nest: a byte's
 * displacement is a sum of index times stride over its levels, down to the next list of blocks. The
 * walk solves this sum for the indices, the longest stride first. At each level it tries only the
 * indices whose children's bounds contain the byte. A column of a matrix, sent column by column,
 * has one such index at each level. Lists of blocks are searched in an index (index.h). If strides
 * interleave irregularly there may be many candidates: so the number of steps is limited, and the
 * walk can be interrupted.
 */
#ifndef ST_CORE_ADDRESS_LOCATE_H
#define ST_CORE_ADDRESS_LOCATE_H

#include "core/address/route.h"

enum st_located {
    ST_LOCATED,          /* the element at locate.route holds the byte */
    ST_LOCATED_UNKNOWN,  /* the type at locate.route may hold the byte, which is between its lb
                            and ub; its inside is not known */
    ST_LOCATE_END,       /* no other element holds it */
    ST_LOCATE_UNDECIDED, /* no steps are left: set locate.steps to continue */
    ST_LOCATE_FAILED     /* locate.error: ST_NO_MEMORY, ST_INTERRUPTED */
};

#define ST_LOCATE_STEPS (UINT64_C(1) << 20) /* takes about 20 milliseconds */

struct st_locate {
    struct st_route
        route;      /* to the element found, in no particular order; in a pair, .member is set */
    int64_t within; /* offset of the byte in the element, or in the pair's member */
    enum st_error error;

    /* May be set after st_locate_init(). */
    uint64_t steps;                     /* steps left */
    bool (*interrupted)(void *context); /* called now and then; true ends the walk */
    void *context;

    /* Private to the walk. */
    struct st_indexes *indexes;
    int64_t byte;
    bool started;
    struct st_locate_frame *frames; /* from that of the root on */
    size_t frame_count, frame_capacity;
    struct st_locate_level *levels; /* of all frames */
    size_t level_count, level_capacity;
    int64_t *path; /* of the current frame: the index of each stage */
    size_t path_capacity;
};

/* `byte` is counted from the address of the root. */
void st_locate_init(struct st_locate *locate, struct st_indexes *indexes,
                    const struct st_place *root, int64_t byte);
void st_locate_deinit(struct st_locate *locate);
/* Looks for another byte, with new steps; reuses the memory of the previous walk. */
void st_locate_restart(struct st_locate *locate, const struct st_place *root, int64_t byte);

enum st_located st_locate_next(struct st_locate *locate);

#endif
