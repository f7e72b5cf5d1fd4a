/*
 * A datatype as a tree in the reader's own memory: what the decoder makes of a node of the
 * registry and what the algebra works on. Immutable; a type that is used many times below another
 * stands once (the paper's meta type-tree, IV.A, is this graph).
 *
 * Types belong to the st_types that decoded them and live as long as it does.
 */
#ifndef ST_CORE_MODEL_TYPE_H
#define ST_CORE_MODEL_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/basic.h"
#include "core/model/registry.h"

/* What follows from a type's parameters, in bytes. A number that leaves 64 bits, or is not known
 * (the inside of an OPAQUE type), is marked by its bit in `unknown`; it is then 0. With the bit
 * ST_UNKNOWN_INSIDE, true bounds that are not 0 hold all the same: OPAQUE and elided types count in
 * them by their lb and ub. */
struct st_measure {
    int64_t size;
    int64_t lb;
    int64_t ub;      /* extent = ub - lb */
    int64_t true_lb; /* both 0 when the type has no data */
    int64_t true_ub;
    int64_t elements; /* basic elements that are sent; a pair is one, a marker none */
    uint32_t depth;   /* of the meta type-tree; 0: a basic type */
    uint32_t unknown;
};

enum st_measure_bit {
    ST_UNKNOWN_SIZE = 1,
    ST_UNKNOWN_BOUNDS = 2,      /* lb, ub */
    ST_UNKNOWN_TRUE_BOUNDS = 4, /* true_lb, true_ub */
    ST_UNKNOWN_ELEMENTS = 8,
    ST_UNKNOWN_INSIDE = 16 /* an OPAQUE or elided type is below; without it, it is 64 bits that a
                              number left */
};

/* The arrays of a SUBARRAY (the first three) and a DARRAY. */
enum { ST_SIZES = 0, ST_SUBSIZES = 1, ST_STARTS = 2 };
enum { ST_GSIZES = 0, ST_DISTRIBS = 1, ST_DARGS = 2, ST_PSIZES = 3 };

struct st_type {
    uint64_t handle;
    uint64_t serial;
    uint32_t ordinal;
    enum st_combiner combiner;
    uint32_t flags; /* enum st_node_flag */
    uint32_t created, committed, freed;
    uint32_t references, handles;
    int32_t fortran;
    const char *name; /* NULL: none */

    int64_t args[3];    /* as in struct st_node */
    int64_t lb, extent; /* as MPI said; extent ST_EXTENT_UNKNOWN: it was not asked */
    /* How many entries: blocks of (h)indexed(_block), members of a struct, dimensions of subarray
     * and darray; 0 for the rest, and for an elided tombstone. */
    int64_t entries;
    const int64_t *offsets; /* (h)indexed(_block), struct: `entries`, in the constructor's unit */
    const int64_t *lengths; /* (h)indexed, struct: `entries`, in elements */
    const int64_t *dims[4]; /* subarray, darray: `entries` each */
    const struct st_type *const *types; /* struct: `entries` */
    const struct st_type *base;         /* NULL: none */

    bool leaf;             /* a basic type: NAMED, F90_* */
    struct st_basic basic; /* of a leaf */
    struct st_measure measure;
};

static inline bool st_elided(const struct st_type *type)
{
    return (type->flags & ST_ELIDED) != 0;
}

/* The type that `type` means: itself, or what it duplicates. DUP adds nothing to a type map. */
const struct st_type *st_undup(const struct st_type *type);

/* False if the extent is unknown or leaves 64 bits. */
bool st_extent(const struct st_type *type, int64_t *extent);

/* Dimension `stage` of a SUBARRAY or DARRAY, counted from the slowest (stage 0), as an index into
 * its arrays: MPI_ORDER_C has the slowest first, MPI_ORDER_FORTRAN last. */
int64_t st_dimension(const struct st_type *type, int64_t stage);

/* One dimension of a SUBARRAY or DARRAY: local indices 0..count-1 and, for one of them, the index
 * in the global array (in elements of this dimension). */
int64_t st_dimension_count(const struct st_type *type, int64_t dimension);
int64_t st_dimension_index(const struct st_type *type, int64_t dimension, int64_t local);
/* How many local indices, from a multiple of it on, lie side by side in the array. */
int64_t st_dimension_block(const struct st_type *type, int64_t dimension);
/* The whole array's extent in this dimension. */
int64_t st_dimension_size(const struct st_type *type, int64_t dimension);

/* Computes type->measure; the types below have theirs already. Where MPI's own bounds are recorded
 * they are the bounds, whatever the parameters say (registry.h, struct st_node). */
void st_measure(struct st_type *type);

#endif
