/*
 * What a datatype is, where it is nothing but many copies of one type side by side: 3000000000 x
 * MPI_FLOAT, however it had to be built because a count was an int.
 *
 *     struct st_contiguous c;
 *     if (st_contiguous(type, &c) == ST_OK && c.count > INT32_MAX) {
 *         ... c.count copies of c.unit, from byte c.offset on ...
 *         if (c.shape == ST_SHAPE_REMAINDER) {
 *             ... c.chunks chunks of c.chunk copies, and c.remainder more ...
 *         }
 *     }
 *
 * Every type is `count` copies of `unit`, the deepest type below it for which this is so: the type
 * map is that of MPI_Type_contiguous(count, unit), displaced by `offset`, in the same order. It is
 * exact: with a unit below the type itself, nothing else is in the type map, nothing is out of
 * order, and no distance between two copies is another than the unit's extent. A type that is no
 * repetition is 1 copy of itself. Bounds have no part in it (`repeats`).
 *
 * It knows types by what they are: two basic types are the same unit if they are the same element
 * (element.h) of the same size; two derived ones, if they are the same datatype.
 */
#ifndef ST_CORE_SIGNATURE_CONTIGUOUS_H
#define ST_CORE_SIGNATURE_CONTIGUOUS_H

#include "core/model/error.h"
#include "core/model/type.h"

/* How the copies were put together. */
enum st_copies_shape {
    ST_SHAPE_UNIT,      /* not at all: the type is its unit */
    ST_SHAPE_PLAIN,     /* by one constructor, as one block */
    ST_SHAPE_CHUNKS,    /* chunks of equal length */
    ST_SHAPE_REMAINDER, /* chunks of equal length, then a shorter one */
    ST_SHAPE_OTHER
};

struct st_contiguous {
    const struct st_type *unit; /* NULL: the type has no data */
    int64_t count;
    int64_t offset; /* bytes from the type's zero to the first unit's */
    /* The unit is a basic type without a gap, so that all bytes from offset on, count times its
     * size, are data, in order. */
    bool gapless;
    /* Copies of the type are copies of the unit, too: its extent is count times the unit's. */
    bool repeats;
    enum st_copies_shape shape;
    int64_t chunk, chunks, remainder; /* in units; CHUNKS and REMAINDER */
    /* The chunks are of INT_MAX, as BigMPI's MPIX_Type_contiguous_x makes them (Hammond, Schafer
     * and Latham, "To INT_MAX... and beyond!", 2014, figure 2): a struct of a vector of chunks and
     * the remainder; or one of its variants, with contiguous, (h)indexed or vectors of vectors. */
    bool bigmpi;
};

/* ST_OK, or ST_NO_MEMORY. O(parts below the type). No recursion. */
enum st_error st_contiguous(const struct st_type *type, struct st_contiguous *out);

#endif
