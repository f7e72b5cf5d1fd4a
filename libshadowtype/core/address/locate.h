/*
 * From a byte of memory to the elements that hold it: several where a type overlaps itself.
 *
 *     struct st_locate locate;
 *     st_locate_init(&locate, &indexes, &root, (int64_t)(byte_address - root.address));
 *     while ((found = st_locate_next(&locate)) == ST_LOCATED) {
 *         ... locate.route ...
 *     }
 *     ... ST_LOCATE_END, or why it is not ...
 *     st_locate_deinit(&locate);
 *
 * Nothing is unrolled. Stages whose children are alike are taken together, as a sum of index times
 * stride over as many levels as there are until the next list of blocks, and solved for the
 * indices, the longest stride first: at each level only those indices are looked at whose
 * children's bounds hold the byte. A column of a matrix, sent column by column, has one such index
 * at each level. Lists of blocks are searched in an index (index.h). Where strides interleave
 * without any order the candidates may be many: so the walk is bounded by steps, and can be
 * interrupted.
 */
#ifndef ST_CORE_ADDRESS_LOCATE_H
#define ST_CORE_ADDRESS_LOCATE_H

#include "core/address/route.h"

enum st_located {
    ST_LOCATED,          /* the element that locate.route leads to holds the byte */
    ST_LOCATED_UNKNOWN,  /* what it leads to may hold the byte, which lies between its lb and
                            ub; its inside is not known */
    ST_LOCATE_END,       /* no other element holds it */
    ST_LOCATE_UNDECIDED, /* the steps are used up: set locate.steps to go on */
    ST_LOCATE_FAILED     /* locate.error: ST_NO_MEMORY, ST_INTERRUPTED */
};

#define ST_LOCATE_STEPS (UINT64_C(1) << 20) /* some 20 milliseconds */

struct st_locate {
    struct st_route
        route;      /* to what was found, in no particular order; in a pair, .member is set */
    int64_t within; /* the byte's place in the element, or in the pair's member, from 0 */
    enum st_error error;

    /* To be set after st_locate_init(), or left. */
    uint64_t steps;                     /* left */
    bool (*interrupted)(void *context); /* asked every now and then; true ends the walk */
    void *context;

    /* The walk's own. */
    struct st_indexes *indexes;
    int64_t byte;
    bool started;
    struct st_locate_frame *frames; /* from the root's on */
    size_t frame_count, frame_capacity;
    struct st_locate_level *levels; /* of all frames */
    size_t level_count, level_capacity;
    int64_t *path; /* of the frame at its turn: the index of each stage */
    size_t path_capacity;
};

/* `byte`: counted from the root's address. */
void st_locate_init(struct st_locate *locate, struct st_indexes *indexes,
                    const struct st_place *root, int64_t byte);
void st_locate_deinit(struct st_locate *locate);
/* Looks for another byte, with new steps; the memory of the walk before is used again. */
void st_locate_restart(struct st_locate *locate, const struct st_place *root, int64_t byte);

enum st_located st_locate_next(struct st_locate *locate);

#endif
