#include "hand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *taken(struct st_pool *pool, size_t bytes)
{
    void *memory = st_pool_take(pool, bytes ? bytes : 1);
    if (!memory) {
        fputs("hand: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

static const void *copied(struct st_pool *pool, const void *data, int64_t count, size_t width)
{
    void *copy = taken(pool, (size_t)count * width);
    if (count) {
        memcpy(copy, data, (size_t)count * width);
    }
    return copy;
}

static struct st_type *blank(struct st_pool *pool, enum st_combiner combiner,
                             const struct st_type *base)
{
    struct st_type *type = taken(pool, sizeof *type);
    type->combiner = combiner;
    type->base = base;
    type->extent = ST_EXTENT_UNKNOWN;
    return type;
}

static const struct st_type *measured(struct st_type *type)
{
    st_measure(type);
    return type;
}

static const struct st_type *named(struct st_pool *pool, const char *name, int64_t size,
                                   int64_t extent)
{
    struct st_type *type = blank(pool, ST_NAMED, NULL);
    type->args[0] = size;
    type->args[1] = type->args[2] = extent;
    type->leaf = true;
    type->basic = st_basic_of(name, extent);
    return measured(type);
}

const struct st_type *hand_basic(struct st_pool *pool, int64_t size)
{
    const char *name = size == 0   ? "MPI_LB"
                       : size == 1 ? "MPI_CHAR"
                       : size == 2 ? "MPI_SHORT"
                       : size == 4 ? "MPI_INT"
                       : size == 8 ? "MPI_DOUBLE"
                                   : "a type of its own";
    return named(pool, name, size, size);
}

const struct st_type *hand_pair(struct st_pool *pool)
{
    return named(pool, "MPI_SHORT_INT", 6, 8);
}

const struct st_type *hand_opaque(struct st_pool *pool, int64_t size, int64_t lb, int64_t extent)
{
    struct st_type *type = blank(pool, ST_OPAQUE, NULL);
    type->args[0] = size;
    type->args[1] = lb;
    type->args[2] = extent;
    return measured(type);
}

const struct st_type *hand_dup(struct st_pool *pool, const struct st_type *base)
{
    return measured(blank(pool, ST_DUP, base));
}

const struct st_type *hand_contiguous(struct st_pool *pool, int64_t count,
                                      const struct st_type *base)
{
    struct st_type *type = blank(pool, ST_CONTIGUOUS, base);
    type->args[0] = count;
    return measured(type);
}

const struct st_type *hand_vector(struct st_pool *pool, enum st_combiner combiner, int64_t count,
                                  int64_t length, int64_t stride, const struct st_type *base)
{
    struct st_type *type = blank(pool, combiner, base);
    type->args[0] = count;
    type->args[1] = length;
    type->args[2] = stride;
    return measured(type);
}

const struct st_type *hand_indexed(struct st_pool *pool, enum st_combiner combiner, int64_t count,
                                   const int64_t *offsets, const int64_t *lengths, int64_t length,
                                   const struct st_type *base)
{
    struct st_type *type = blank(pool, combiner, base);
    type->args[0] = count;
    type->args[1] = length;
    type->entries = count;
    type->offsets = copied(pool, offsets, count, sizeof *offsets);
    type->lengths = lengths ? copied(pool, lengths, count, sizeof *lengths) : NULL;
    return measured(type);
}

const struct st_type *hand_struct(struct st_pool *pool, int64_t count, const int64_t *offsets,
                                  const int64_t *lengths, const struct st_type *const *types)
{
    struct st_type *type = blank(pool, ST_STRUCT, NULL);
    type->args[0] = count;
    type->entries = count;
    type->offsets = copied(pool, offsets, count, sizeof *offsets);
    type->lengths = copied(pool, lengths, count, sizeof *lengths);
    type->types = copied(pool, types, count, sizeof *types);
    return measured(type);
}

const struct st_type *hand_subarray(struct st_pool *pool, int64_t ndims, const int64_t *sizes,
                                    const int64_t *subsizes, const int64_t *starts, bool fortran,
                                    const struct st_type *base)
{
    struct st_type *type = blank(pool, ST_SUBARRAY, base);
    type->args[0] = ndims;
    type->entries = ndims;
    type->dims[ST_SIZES] = copied(pool, sizes, ndims, sizeof *sizes);
    type->dims[ST_SUBSIZES] = copied(pool, subsizes, ndims, sizeof *sizes);
    type->dims[ST_STARTS] = copied(pool, starts, ndims, sizeof *sizes);
    type->flags = fortran ? ST_FORTRAN_ORDER : 0;
    return measured(type);
}

const struct st_type *hand_darray(struct st_pool *pool, int64_t size, int64_t rank, int64_t ndims,
                                  const int64_t *const dims[4], bool fortran,
                                  const struct st_type *base)
{
    struct st_type *type = blank(pool, ST_DARRAY, base);
    type->args[0] = size;
    type->args[1] = rank;
    type->args[2] = ndims;
    type->entries = ndims;
    for (int i = 0; i < 4; i++) {
        type->dims[i] = copied(pool, dims[i], ndims, sizeof *dims[i]);
    }
    type->flags = fortran ? ST_FORTRAN_ORDER : 0;
    return measured(type);
}

const struct st_type *hand_resized(struct st_pool *pool, int64_t lb, int64_t extent,
                                   const struct st_type *base)
{
    struct st_type *type = blank(pool, ST_RESIZED, base);
    type->args[0] = lb;
    type->args[1] = extent;
    return measured(type);
}
