/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A datatype as a tree in the reader's own memory. The decoder makes it of a node of the registry;
 * the algebra works on it. It is immutable. A type that is used many times below another exists
 * once: the paper's meta type-tree (IV.A) is this graph.
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

/* What follows from the parameters of a type, in bytes. A number that does not fit in 64 bits, or
 * is not known (the inside of an OPAQUE type), is 0, and its bit in `unknown` is set. With the bit
 * ST_UNKNOWN_INSIDE, true bounds that are not 0 are valid nevertheless: OPAQUE and elided types
 * count in them by their lb and ub. */
struct st_measure {
    int64_t size;
    int64_t lb;
    int64_t ub;      /* extent = ub - lb */
    int64_t true_lb; /* both 0 if the type has no data */
    int64_t true_ub;
    int64_t elements; /* basic elements that are sent: a pair counts as one, a marker as none */
    uint32_t depth;   /* of the meta type-tree; 0 for a basic type */
    uint32_t unknown;
};

enum st_measure_bit {
    ST_UNKNOWN_SIZE = 1,
    ST_UNKNOWN_BOUNDS = 2,      /* lb, ub */
    ST_UNKNOWN_TRUE_BOUNDS = 4, /* true_lb, true_ub */
    ST_UNKNOWN_ELEMENTS = 8,
    ST_UNKNOWN_INSIDE = 16 /* an OPAQUE or elided type is below. Not set: a number does not fit
                              in 64 bits */
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
    int64_t lb, extent; /* MPI's answer; extent ST_EXTENT_UNKNOWN: MPI was not asked */
    /* Number of entries: blocks of (h)indexed(_block), members of a struct, dimensions of subarray
     * and darray. 0 for other types, and for an elided tombstone. */
    int64_t entries;
    const int64_t *offsets;             /* (h)indexed(_block), struct: `entries` of them, in the
                               constructor's unit */
    const int64_t *lengths;             /* (h)indexed, struct: `entries` of them, in elements */
    const int64_t *dims[4];             /* subarray, darray: `entries` of each */
    const struct st_type *const *types; /* struct: `entries` of them */
    const struct st_type *base;         /* NULL: none */

    bool leaf;             /* a basic type: NAMED, F90_* */
    struct st_basic basic; /* of a leaf */
    struct st_measure measure;
};

static inline bool st_elided(const struct st_type *type)
{
    return (type->flags & ST_ELIDED) != 0;
}

/* Returns the type itself, or the type that it duplicates. DUP adds nothing to a type map. */
const struct st_type *st_undup(const struct st_type *type);

/* Stores the extent. Returns false if it is unknown or does not fit in 64 bits. */
bool st_extent(const struct st_type *type, int64_t *extent);

/* Returns the index into the arrays of a SUBARRAY or DARRAY of its dimension `stage`, counted from
 * the slowest (stage 0): MPI_ORDER_C has the slowest dimension first, MPI_ORDER_FORTRAN last. */
int64_t st_dimension(const struct st_type *type, int64_t stage);

/* Of one dimension of a SUBARRAY or DARRAY: the number of local indices, and the index in the
 * global array of one of them, 0..count-1 (in elements of this dimension). */
int64_t st_dimension_count(const struct st_type *type, int64_t dimension);
int64_t st_dimension_index(const struct st_type *type, int64_t dimension, int64_t local);
/* Returns how many local indices, from a multiple of the result on, are side by side in the array. */
int64_t st_dimension_block(const struct st_type *type, int64_t dimension);
/* Returns the extent of the whole array in this dimension. */
int64_t st_dimension_size(const struct st_type *type, int64_t dimension);

/* Computes type->measure. The types below must have theirs already. The bounds are MPI's own where
 * they were recorded, whatever the parameters say (registry.h, struct st_node). */
void st_measure(struct st_type *type);

#endif
