/*
 * Places: the nodes of the expanded type-tree (the paper's IV.B), one step at a time. Nothing is
 * unrolled: a place knows how many children it has and where the i-th one stands.
 *
 *     struct st_place place = st_place_of(type, 0);
 *     while (!place.leaf) {
 *         st_place_child(&place, index[n++], &place);
 *     }
 *
 * The stages between a type and its base are those of element addresses: one for struct, vector
 * and the (h)indexed kinds (the blocks), none for contiguous, one child [0] for resized, one a
 * dimension, slowest first, for subarray and darray; dup is transparent. Walking a place's leaves
 * from child 0 on is the order of the type map, that is of what MPI sends.
 */
#ifndef ST_CORE_MODEL_PLACE_H
#define ST_CORE_MODEL_PLACE_H

#include "core/model/error.h"
#include "core/model/type.h"

struct st_place {
    /* The type this place belongs to, dup stripped; for a block, a repetition or a dimension, the
     * type that it is a stage of (for a repetition, the type that is repeated). */
    const struct st_type *type;
    uint64_t address; /* of the place's own zero displacement, modulo 2^64 */
    int64_t count;    /* children */
    enum st_stage {
        ST_STAGE_TYPE,      /* the type itself */
        ST_STAGE_BLOCK,     /* one block: `count` bases side by side */
        ST_STAGE_DIMENSION, /* one index of a subarray or darray; `stage` dimensions are fixed */
        ST_STAGE_REPEAT     /* `count` repetitions, extent by extent */
    } kind;
    int64_t stage;                 /* ST_STAGE_DIMENSION */
    const struct st_type *element; /* BLOCK, REPEAT: what the children are, dup stripped */
    bool leaf;                     /* a basic type: no children */
    bool opaque;                   /* what is inside is not known: no children */
};

/* The place of `type` at `address`. */
struct st_place st_place_of(const struct st_type *type, uint64_t address);

/* `count` repetitions of `type` from `address` on. */
struct st_place st_place_repeat(const struct st_type *type, uint64_t address, int64_t count);

/* The child `index` of a place. ST_OUT_OF_RANGE; ST_OVERFLOW where a displacement leaves 64 bits.
 * `child` may be `place`. */
enum st_error st_place_child(const struct st_place *place, int64_t index, struct st_place *child);

/* How far the child `index` stands from the place, in bytes, without making it. The same errors. */
enum st_error st_place_distance(const struct st_place *place, int64_t index, int64_t *bytes);

/* Whether all children are leaves of one basic type; if so, its type. */
const struct st_type *st_place_run(const struct st_place *place);

/* The constant distance of a run's children in bytes; false: it is not constant (cyclic darray). */
bool st_place_stride(const struct st_place *place, int64_t *stride);

#endif
