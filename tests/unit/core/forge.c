#include "forge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *taken(struct forge *forge, size_t bytes)
{
    void *data = st_pool_take(&forge->pool, bytes ? bytes : 1);
    if (!data) {
        fputs("forge: out of memory\n", stderr);
        exit(2);
    }
    return data;
}

static void *copied(struct forge *forge, const void *data, int64_t count, size_t width)
{
    void *copy = taken(forge, (size_t)count * width);
    if (data && count) {
        memcpy(copy, data, (size_t)count * width);
    }
    return copy;
}

void forge_deinit(struct forge *forge)
{
    st_pool_deinit(&forge->pool);
    *forge = (struct forge){0};
}

static struct st_type *blank(struct forge *forge, enum st_combiner combiner, int64_t a, int64_t b,
                             int64_t c)
{
    struct st_type *type = taken(forge, sizeof(*type));
    type->ordinal = forge->count++;
    type->serial = type->ordinal + 1;
    type->combiner = combiner;
    type->args[0] = a;
    type->args[1] = b;
    type->args[2] = c;
    type->extent = ST_EXTENT_UNKNOWN;
    return type;
}

static const struct st_type *measured(struct st_type *type)
{
    st_measure(type);
    return type;
}

const struct st_type *forge_gapped(struct forge *forge, const char *name, int64_t size,
                                   int64_t extent)
{
    struct st_type *type = blank(forge, ST_NAMED, size, extent, extent);
    type->leaf = true;
    type->name = name ? copied(forge, name, (int64_t)strlen(name) + 1, 1) : NULL;
    type->basic = st_basic_of(type->name ? type->name : "", extent);
    return measured(type);
}

const struct st_type *forge_named(struct forge *forge, const char *name, int64_t size)
{
    return forge_gapped(forge, name, size, size);
}

const struct st_type *forge_plain(struct forge *forge, enum st_combiner combiner, int64_t a,
                                  int64_t b, int64_t c)
{
    struct st_type *type = blank(forge, combiner, a, b, c);
    type->leaf = combiner != ST_OPAQUE;
    if (type->leaf) {
        type->basic = st_basic_of("MPI_REAL", c);
    }
    return measured(type);
}

const struct st_type *forge_elided(struct forge *forge, enum st_combiner combiner, int64_t count)
{
    struct st_type *type = blank(forge, combiner, count, 0, 0);
    type->flags = ST_ELIDED | ST_FREED;
    return measured(type);
}

const struct st_type *forge_dup(struct forge *forge, const struct st_type *base)
{
    struct st_type *type = blank(forge, ST_DUP, 0, 0, 0);
    type->base = base;
    return measured(type);
}

const struct st_type *forge_contiguous(struct forge *forge, int64_t count,
                                       const struct st_type *base)
{
    struct st_type *type = blank(forge, ST_CONTIGUOUS, count, 0, 0);
    type->base = base;
    return measured(type);
}

const struct st_type *forge_vector(struct forge *forge, enum st_combiner combiner, int64_t count,
                                   int64_t length, int64_t stride, const struct st_type *base)
{
    struct st_type *type = blank(forge, combiner, count, length, stride);
    type->base = base;
    return measured(type);
}

const struct st_type *forge_indexed(struct forge *forge, enum st_combiner combiner, int64_t count,
                                    const int64_t *offsets, const int64_t *lengths, int64_t length,
                                    const struct st_type *base)
{
    struct st_type *type = blank(forge, combiner, count, lengths ? 0 : length, 0);
    type->base = base;
    type->entries = count;
    type->offsets = copied(forge, offsets, count, sizeof(*offsets));
    type->lengths = lengths ? copied(forge, lengths, count, sizeof(*lengths)) : NULL;
    return measured(type);
}

const struct st_type *forge_struct(struct forge *forge, int64_t count, const int64_t *offsets,
                                   const int64_t *lengths, const struct st_type *const *types)
{
    struct st_type *type = blank(forge, ST_STRUCT, count, 0, 0);
    type->entries = count;
    type->offsets = copied(forge, offsets, count, sizeof(*offsets));
    type->lengths = copied(forge, lengths, count, sizeof(*lengths));
    type->types = copied(forge, types, count, sizeof(*types));
    return measured(type);
}

const struct st_type *forge_subarray(struct forge *forge, int64_t ndims, const int64_t *sizes,
                                     const int64_t *subsizes, const int64_t *starts, bool fortran,
                                     const struct st_type *base)
{
    struct st_type *type = blank(forge, ST_SUBARRAY, ndims, 0, 0);
    type->base = base;
    type->entries = ndims;
    type->flags = fortran ? ST_FORTRAN_ORDER : 0;
    type->dims[ST_SIZES] = copied(forge, sizes, ndims, sizeof(*sizes));
    type->dims[ST_SUBSIZES] = copied(forge, subsizes, ndims, sizeof(*subsizes));
    type->dims[ST_STARTS] = copied(forge, starts, ndims, sizeof(*starts));
    return measured(type);
}

const struct st_type *forge_darray(struct forge *forge, int64_t size, int64_t rank, int64_t ndims,
                                   const int64_t *gsizes, const int64_t *distribs,
                                   const int64_t *dargs, const int64_t *psizes, bool fortran,
                                   const struct st_type *base)
{
    struct st_type *type = blank(forge, ST_DARRAY, size, rank, ndims);
    type->base = base;
    type->entries = ndims;
    type->flags = fortran ? ST_FORTRAN_ORDER : 0;
    type->dims[ST_GSIZES] = copied(forge, gsizes, ndims, sizeof(*gsizes));
    type->dims[ST_DISTRIBS] = copied(forge, distribs, ndims, sizeof(*distribs));
    type->dims[ST_DARGS] = copied(forge, dargs, ndims, sizeof(*dargs));
    type->dims[ST_PSIZES] = copied(forge, psizes, ndims, sizeof(*psizes));
    return measured(type);
}

const struct st_type *forge_resized(struct forge *forge, int64_t lb, int64_t extent,
                                    const struct st_type *base)
{
    struct st_type *type = blank(forge, ST_RESIZED, lb, extent, 0);
    type->base = base;
    return measured(type);
}

void forge_bounds(const struct st_type *type, int64_t lb, int64_t extent)
{
    /* Every type here was made by blank(), and is not shared yet. */
    struct st_type *mine = (struct st_type *)(uintptr_t)type;
    mine->lb = lb;
    mine->extent = extent;
    st_measure(mine);
}
