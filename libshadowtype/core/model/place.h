/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places: the nodes of the expanded type-tree (the paper's IV.B), one step at a time. Nothing is
 * unrolled: a place knows how many children it has, and where child i begins.
 *
 *     struct st_place place = st_place_of(type, 0);
 *     while (!place.leaf) {
 *         st_place_child(&place, index[n++], &place);
 *     }
 *
 * The stages between a type and its base are those of element addresses: one stage for struct,
 * vector and the (h)indexed kinds (the blocks); none for contiguous; one child [0] for resized; one
 * stage per dimension, slowest first, for subarray and darray; none for dup. The leaves, visited
 * from child 0 on, come in the order of the type map, in which MPI sends them.
 */
#ifndef ST_CORE_MODEL_PLACE_H
#define ST_CORE_MODEL_PLACE_H

#include "core/model/error.h"
#include "core/model/type.h"

struct st_place {
    /* The type of this place, without dup. For a block or a dimension: the type that it is a stage
     * of. For a repetition: the type that is repeated. */
    const struct st_type *type;
    uint64_t address; /* of the place's own displacement 0, modulo 2^64 */
    int64_t count;    /* number of children */
    enum st_stage {
        ST_STAGE_TYPE,      /* the type itself */
        ST_STAGE_BLOCK,     /* one block: `count` bases side by side */
        ST_STAGE_DIMENSION, /* one index of a subarray or darray; `stage` dimensions are fixed */
        ST_STAGE_REPEAT     /* `count` repetitions, one extent apart */
    } kind;
    int64_t stage;                 /* of ST_STAGE_DIMENSION */
    const struct st_type *element; /* BLOCK, REPEAT: type of the children, without dup */
    bool leaf;                     /* a basic type: no children */
    bool opaque;                   /* its inside is not known: no children */
};

/* Returns the place of `type` at `address`. */
struct st_place st_place_of(const struct st_type *type, uint64_t address);

/* Returns the place of `count` repetitions of `type` from `address` on. */
struct st_place st_place_repeat(const struct st_type *type, uint64_t address, int64_t count);

/* Stores child `index` of `place` in *child, which may be `place` itself. Returns ST_OUT_OF_RANGE
 * if there is no such child; ST_OVERFLOW if a displacement does not fit in 64 bits. */
enum st_error st_place_child(const struct st_place *place, int64_t index, struct st_place *child);

/* Stores the distance in bytes of child `index` from the place. Returns the same errors as
 * st_place_child(). */
enum st_error st_place_distance(const struct st_place *place, int64_t index, int64_t *bytes);

/* Returns the basic type of the children if all are leaves of one basic type; else NULL. */
const struct st_type *st_place_run(const struct st_place *place);

/* Stores the distance in bytes between the children of a run. Returns false if it is not constant
 * (cyclic darray). */
bool st_place_stride(const struct st_place *place, int64_t *stride);

#endif
