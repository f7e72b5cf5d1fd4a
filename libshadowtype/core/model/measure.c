/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes size and bounds of a type from the parameters of its constructor and the measures of its
 * bases (MPI-4.0, 5.1). Every sum and product is checked: a number that does not fit in 64 bits is
 * unknown.
 */
#include "core/model/type.h"

const struct st_type *st_undup(const struct st_type *type)
{
    while (type->combiner == ST_DUP && type->base) {
        type = type->base;
    }
    return type;
}

bool st_extent(const struct st_type *type, int64_t *extent)
{
    const struct st_measure *m = &type->measure;
    return !(m->unknown & ST_UNKNOWN_BOUNDS) && !__builtin_sub_overflow(m->ub, m->lb, extent);
}

int64_t st_dimension(const struct st_type *type, int64_t stage)
{
    return type->flags & ST_FORTRAN_ORDER ? type->entries - 1 - stage : stage;
}

int64_t st_dimension_size(const struct st_type *type, int64_t dimension)
{
    return type->dims[ST_SIZES][dimension]; /* equals ST_GSIZES */
}

/* Returns the process coordinate of a DARRAY in one dimension. Ranks are laid out row-major,
 * whatever the order of the array is (MPI-4.0, 5.1.4). */
static int64_t coordinate(const struct st_type *type, int64_t dimension)
{
    int64_t rank = type->args[1];
    for (int64_t d = type->entries - 1; d > dimension; d--) {
        rank /= type->dims[ST_PSIZES][d];
    }
    return rank % type->dims[ST_PSIZES][dimension];
}

/* Returns the block size of a distributed dimension. */
static int64_t block_size(const struct st_type *type, int64_t dimension)
{
    int64_t darg = type->dims[ST_DARGS][dimension];
    if (darg != ST_DARG_DEFAULT) {
        return darg;
    }
    if (type->dims[ST_DISTRIBS][dimension] == ST_DISTRIBUTE_CYCLIC) {
        return 1;
    }
    int64_t gsize = type->dims[ST_GSIZES][dimension];
    int64_t psize = type->dims[ST_PSIZES][dimension];
    return gsize / psize + (gsize % psize != 0);
}

int64_t st_dimension_block(const struct st_type *type, int64_t dimension)
{
    return type->combiner == ST_SUBARRAY || type->dims[ST_DISTRIBS][dimension] == ST_DISTRIBUTE_NONE
               ? st_dimension_count(type, dimension)
               : block_size(type, dimension);
}

int64_t st_dimension_count(const struct st_type *type, int64_t dimension)
{
    if (type->combiner == ST_SUBARRAY) {
        return type->dims[ST_SUBSIZES][dimension];
    }
    int64_t gsize = type->dims[ST_GSIZES][dimension];
    if (gsize == 0 || type->dims[ST_DISTRIBS][dimension] == ST_DISTRIBUTE_NONE) {
        return gsize;
    }
    int64_t psize = type->dims[ST_PSIZES][dimension];
    int64_t block = block_size(type, dimension);
    int64_t mine = coordinate(type, dimension);
    int64_t blocks = gsize / block; /* full blocks; the rest is one more, shorter block */
    int64_t rest = gsize % block;
    int64_t rounds = blocks / psize;
    int64_t left = blocks % psize;
    int64_t count = rounds * block;
    if (mine < left) {
        count += block;
    } else if (mine == left) {
        count += rest;
    }
    return count;
}

int64_t st_dimension_index(const struct st_type *type, int64_t dimension, int64_t local)
{
    if (type->combiner == ST_SUBARRAY) {
        return type->dims[ST_STARTS][dimension] + local;
    }
    if (type->dims[ST_DISTRIBS][dimension] == ST_DISTRIBUTE_NONE) {
        return local;
    }
    int64_t block = block_size(type, dimension);
    int64_t round = local / block * type->dims[ST_PSIZES][dimension];
    return (round + coordinate(type, dimension)) * block + local % block;
}

/* --- bounds --------------------------------------------------------------------------------- */

/* The interval from the lowest to the highest byte that was added. It is empty if low > high. */
struct st_hull {
    int64_t low, high;
    bool any, overflow;
};

static void hull_add(struct st_hull *hull, int64_t at, int64_t low, int64_t high)
{
    hull->overflow |= __builtin_add_overflow(at, low, &low);
    hull->overflow |= __builtin_add_overflow(at, high, &high);
    if (!hull->any || low < hull->low) {
        hull->low = low;
    }
    if (!hull->any || high > hull->high) {
        hull->high = high;
    }
    hull->any = true;
}

/* A constructor lays out a set of blocks. Only their first and last elements matter for the bounds. */
struct st_local_layout {
    struct st_hull bounds, true_bounds;
    int64_t size, elements;
    bool size_overflow, elements_overflow;
    uint32_t unknown;
};

static void add_amount(struct st_local_layout *layout, int64_t times, const struct st_measure *base)
{
    int64_t part;
    if (times == 0) {
        return;
    }
    layout->size_overflow |= __builtin_mul_overflow(times, base->size, &part) ||
                             __builtin_add_overflow(layout->size, part, &layout->size);
    layout->elements_overflow |= __builtin_mul_overflow(times, base->elements, &part) ||
                                 __builtin_add_overflow(layout->elements, part, &layout->elements);
    layout->unknown |= base->unknown & (ST_UNKNOWN_SIZE | ST_UNKNOWN_ELEMENTS | ST_UNKNOWN_INSIDE);
}

static void add_at(struct st_local_layout *layout, int64_t at, const struct st_measure *base)
{
    layout->unknown |= base->unknown & (ST_UNKNOWN_BOUNDS | ST_UNKNOWN_TRUE_BOUNDS);
    hull_add(&layout->bounds, at, base->lb, base->ub);
    if ((base->unknown & ST_UNKNOWN_TRUE_BOUNDS) && base->true_lb == base->true_ub) {
        layout->true_bounds.overflow = true;
    } else if (base->elements || (base->unknown & ST_UNKNOWN_ELEMENTS)) {
        hull_add(&layout->true_bounds, at, base->true_lb, base->true_ub);
    }
}

static void lose_bounds(struct st_local_layout *layout)
{
    layout->bounds.overflow = layout->true_bounds.overflow = true;
}

/* Adds `length` bases from byte `at` on to the bounds; nothing for length 0. The caller counts size
 * and elements. */
static void add_block(struct st_local_layout *layout, int64_t at, int64_t length,
                      const struct st_type *base)
{
    if (length <= 0) {
        return;
    }
    int64_t extent, last;
    if (!st_extent(base, &extent)) {
        lose_bounds(layout);
        return;
    }
    add_at(layout, at, &base->measure);
    if (__builtin_mul_overflow(length - 1, extent, &last) ||
        __builtin_add_overflow(at, last, &last)) {
        lose_bounds(layout);
    } else {
        add_at(layout, last, &base->measure);
    }
}

/* Stores the unit of a type's displacements in bytes: 1, or the extent of the base. */
static bool unit_of(const struct st_type *type, int64_t *unit)
{
    switch (type->combiner) {
    case ST_VECTOR:
    case ST_INDEXED:
    case ST_INDEXED_BLOCK:
        return st_extent(type->base, unit);
    default:
        *unit = 1;
        return true;
    }
}

static void lay_vector(const struct st_type *type, struct st_local_layout *layout)
{
    int64_t count = type->args[0], length = type->args[1], unit, times, last;
    if (__builtin_mul_overflow(count, length, &times)) {
        layout->size_overflow = layout->elements_overflow = true;
        times = 1;
    }
    add_amount(layout, times, &type->base->measure);
    if (count <= 0 || length <= 0) {
        return;
    }
    add_block(layout, 0, length, type->base);
    if (!unit_of(type, &unit) || __builtin_mul_overflow(type->args[2], unit, &last) ||
        __builtin_mul_overflow(last, count - 1, &last)) {
        lose_bounds(layout);
    } else {
        add_block(layout, last, length, type->base);
    }
}

static void lay_blocks(const struct st_type *type, struct st_local_layout *layout)
{
    int64_t unit = 1;
    bool known = type->combiner == ST_STRUCT || unit_of(type, &unit);
    for (int64_t i = 0; i < type->entries; i++) {
        const struct st_type *base = type->types ? type->types[i] : type->base;
        int64_t length = type->lengths ? type->lengths[i] : type->args[1];
        int64_t at;
        add_amount(layout, length, &base->measure);
        if (!known || __builtin_mul_overflow(type->offsets[i], unit, &at)) {
            lose_bounds(layout);
        } else {
            add_block(layout, at, length, base);
        }
    }
}

/* Lays out a subarray or darray. lb is 0 and ub is that of the whole array; the data lies between
 * the first and the last index of each dimension. */
static void lay_array(const struct st_type *type, struct st_local_layout *layout)
{
    int64_t count = 1, step = 0, low = 0, high = 0;
    bool overflow = !st_extent(type->base, &step);
    bool empty = false;
    for (int64_t stage = type->entries; stage-- > 0;) {
        int64_t d = st_dimension(type, stage);
        int64_t n = st_dimension_count(type, d);
        if (n <= 0) {
            empty = true;
            n = 0;
        } else {
            int64_t first, last;
            overflow |= __builtin_mul_overflow(st_dimension_index(type, d, 0), step, &first);
            overflow |= __builtin_mul_overflow(st_dimension_index(type, d, n - 1), step, &last);
            overflow |= __builtin_add_overflow(low, first < last ? first : last, &low);
            overflow |= __builtin_add_overflow(high, first < last ? last : first, &high);
        }
        if (__builtin_mul_overflow(count, n, &count)) {
            layout->size_overflow = layout->elements_overflow = true;
            count = 1;
        }
        overflow |= __builtin_mul_overflow(step, st_dimension_size(type, d), &step);
    }
    if (empty) {
        count = 0;
        layout->size_overflow = layout->elements_overflow = false;
    }
    add_amount(layout, count, &type->base->measure);
    layout->bounds = (struct st_hull){0, step, true, overflow};
    if (!empty) {
        struct st_hull bounds = layout->bounds;
        add_at(layout, low, &type->base->measure);
        add_at(layout, high, &type->base->measure);
        layout->bounds = bounds;
    }
    layout->true_bounds.overflow |= overflow;
}

static void settle_layout(const struct st_local_layout *layout, struct st_measure *m)
{
    m->unknown |= layout->unknown;
    m->unknown |= layout->size_overflow ? ST_UNKNOWN_SIZE : 0u;
    m->unknown |= layout->elements_overflow ? ST_UNKNOWN_ELEMENTS : 0u;
    m->unknown |= layout->bounds.overflow ? ST_UNKNOWN_BOUNDS : 0u;
    m->unknown |= layout->true_bounds.overflow ? ST_UNKNOWN_TRUE_BOUNDS : 0u;
    m->size = layout->size;
    m->elements = layout->elements;
    if (layout->bounds.any) {
        m->lb = layout->bounds.low;
        m->ub = layout->bounds.high;
    }
    if (layout->true_bounds.any && !layout->true_bounds.overflow) {
        m->true_lb = layout->true_bounds.low;
        m->true_ub = layout->true_bounds.high;
    }
}

static void measure_leaf(const struct st_type *type, struct st_measure *m)
{
    bool named = type->combiner == ST_NAMED;
    m->size = named ? type->args[0] : type->args[2];
    m->true_ub = named ? type->args[1] : type->args[2];
    m->ub = type->args[2];
    m->elements = m->size > 0;
    if (m->size < 0 || m->ub < 0 || m->true_ub < 0) { /* MPI is not initialized yet */
        *m = (struct st_measure){.unknown = ~0u};
    }
}

static void forget_unknown(struct st_measure *m)
{
    if (m->unknown & ST_UNKNOWN_SIZE) {
        m->size = 0;
    }
    if (m->unknown & ST_UNKNOWN_BOUNDS) {
        m->lb = m->ub = 0;
    }
    if ((m->unknown & ST_UNKNOWN_TRUE_BOUNDS) && !(m->unknown & ST_UNKNOWN_INSIDE)) {
        m->true_lb = m->true_ub = 0;
    }
    if (m->unknown & ST_UNKNOWN_ELEMENTS) {
        m->elements = 0;
    }
}

static uint32_t depth_of(const struct st_type *type)
{
    uint32_t depth = type->base ? type->base->measure.depth + 1 : 0;
    for (int64_t i = 0; type->types && i < type->entries; i++) {
        uint32_t below = type->types[i]->measure.depth + 1;
        depth = below > depth ? below : depth;
    }
    return depth;
}

/* The measures that are unknown for an OPAQUE type. */
enum { INSIDE = ST_UNKNOWN_TRUE_BOUNDS | ST_UNKNOWN_ELEMENTS | ST_UNKNOWN_INSIDE };

static void measure_parameters(const struct st_type *type, struct st_measure *m)
{
    struct st_local_layout layout = {0};
    switch (type->combiner) {
    case ST_NAMED:
    case ST_F90_REAL:
    case ST_F90_COMPLEX:
    case ST_F90_INTEGER:
        measure_leaf(type, m);
        break;
    case ST_OPAQUE:
        m->size = type->args[0];
        m->lb = type->args[1];
        m->unknown = m->size == 0 ? 0u : INSIDE;
        m->unknown |= __builtin_add_overflow(m->lb, type->args[2], &m->ub) ? ST_UNKNOWN_BOUNDS : 0u;
        break;
    case ST_DUP:
        *m = type->base->measure;
        break;
    case ST_RESIZED:
        *m = type->base->measure;
        m->lb = type->args[0];
        m->unknown &= ~(uint32_t)ST_UNKNOWN_BOUNDS;
        m->unknown |= __builtin_add_overflow(m->lb, type->args[1], &m->ub) ? ST_UNKNOWN_BOUNDS : 0u;
        break;
    case ST_CONTIGUOUS:
        add_amount(&layout, type->args[0], &type->base->measure);
        add_block(&layout, 0, type->args[0], type->base);
        settle_layout(&layout, m);
        break;
    case ST_VECTOR:
    case ST_HVECTOR:
        lay_vector(type, &layout);
        settle_layout(&layout, m);
        break;
    case ST_SUBARRAY:
    case ST_DARRAY:
        lay_array(type, &layout);
        settle_layout(&layout, m);
        break;
    default:
        lay_blocks(type, &layout);
        settle_layout(&layout, m);
        break;
    }
}

void st_measure(struct st_type *type)
{
    struct st_measure *m = &type->measure;
    *m = (struct st_measure){0};
    if (st_elided(type)) {
        m->unknown = ~0u; /* its bases are not kept any more */
    } else {
        measure_parameters(type, m);
    }
    if (type->extent != ST_EXTENT_UNKNOWN) {
        m->lb = type->lb;
        m->unknown &= ~(uint32_t)ST_UNKNOWN_BOUNDS;
        m->unknown |= __builtin_add_overflow(m->lb, type->extent, &m->ub) ? ST_UNKNOWN_BOUNDS : 0u;
    }
    bool closed = st_elided(type) || type->combiner == ST_OPAQUE;
    if (closed && (m->unknown & (INSIDE | ST_UNKNOWN_BOUNDS)) == INSIDE && m->lb < m->ub) {
        m->true_lb = m->lb;
        m->true_ub = m->ub;
    }
    forget_unknown(m);
    m->depth = depth_of(type);
}
