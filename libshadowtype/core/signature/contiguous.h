/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recognizes a datatype that is only many copies of one type side by side: 3000000000 x MPI_FLOAT,
 * even if it had to be built in pieces because a count is an int.
 *
 *     struct st_contiguous c;
 *     if (st_contiguous(type, &c) == ST_OK && c.count > INT32_MAX) {
 *         ... c.count copies of c.unit, from byte c.offset on ...
 *         if (c.shape == ST_SHAPE_REMAINDER) {
 *             ... c.chunks chunks of c.chunk copies, and c.remainder more ...
 *         }
 *     }
 *
 * Every type is `count` copies of `unit`, the deepest type below it for which this is true: the
 * type map is that of MPI_Type_contiguous(count, unit), displaced by `offset`, in the same order.
 * This is exact: nothing else is in the type map, the order is the same, and the distance between
 * two copies is the extent of the unit. A type that is no repetition is 1 copy of itself. Its
 * bounds do not matter (see `repeats`).
 *
 * Two basic types are the same unit if they are the same element (element.h) and have the same
 * size. Two derived types are the same unit only if they are the same datatype.
 */
#ifndef ST_CORE_SIGNATURE_CONTIGUOUS_H
#define ST_CORE_SIGNATURE_CONTIGUOUS_H

#include "core/model/error.h"
#include "core/model/type.h"

/* How the copies were combined. */
enum st_copies_shape {
    ST_SHAPE_UNIT,      /* there is one copy: the type is its unit */
    ST_SHAPE_PLAIN,     /* one block of one constructor */
    ST_SHAPE_CHUNKS,    /* chunks of equal length */
    ST_SHAPE_REMAINDER, /* chunks of equal length, then a shorter one */
    ST_SHAPE_OTHER
};

struct st_contiguous {
    const struct st_type *unit; /* NULL if the type has no data */
    int64_t count;
    int64_t offset; /* bytes from the type's displacement 0 to the first unit's */
    /* True if the unit is a basic type without a gap: then all count * size bytes from `offset` on
     * are data, in order. */
    bool gapless;
    /* True if copies of the type are copies of the unit, too: its extent is count times the unit's. */
    bool repeats;
    enum st_copies_shape shape;
    int64_t chunk, chunks, remainder; /* in units; valid for CHUNKS and REMAINDER */
    /* True if the chunks have INT_MAX units, like those of BigMPI's MPIX_Type_contiguous_x
     * (Hammond, Schafer and Latham, "To INT_MAX... and beyond!", 2014, figure 2): a struct of a
     * vector of chunks and the remainder; or a variant with contiguous, (h)indexed or vectors of
     * vectors. */
    bool bigmpi;
};

/* Returns ST_OK or ST_NO_MEMORY. O(parts below the type), without recursion. */
enum st_error st_contiguous(const struct st_type *type, struct st_contiguous *out);

#endif
