/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/signature/contiguous.h"

#include <stdlib.h>

#include "core/signature/element.h"
#include "core/signature/parts.h"

/* `count` copies of `unit`, one extent apart; count 0: no data. */
struct st_signature_copies {
    const struct st_type *unit;
    int64_t count, offset;
};

/* The results for the types below the current one. Bases are handled first. */
struct st_knowledge {
    struct st_type_set types;
    struct st_signature_copies *copies;
};

static const struct st_signature_copies *known(const struct st_knowledge *knowledge,
                                               const struct st_type *type)
{
    return &knowledge->copies[st_type_set_find(&knowledge->types, type)];
}

static bool same_unit(const struct st_type *a, const struct st_type *b)
{
    struct st_basic_element x[2], y[2];
    if (a == b) {
        return true;
    }
    if (!a->leaf || !b->leaf) {
        return false;
    }
    int count = st_elements_of(a, x);
    return count == st_elements_of(b, y) && st_element_same(&x[0], &y[0]) &&
           (count < 2 || st_element_same(&x[1], &y[1])) && a->measure.size == b->measure.size &&
           a->measure.ub == b->measure.ub;
}

/* Stores the distance from the displacement 0 of copy 0 to that of copy `copies`. */
static bool span(const struct st_signature_copies *copies, int64_t *bytes)
{
    return st_extent(copies->unit, bytes) && !__builtin_mul_overflow(*bytes, copies->count, bytes);
}

/* --- putting copies side by side -------------------------------------------------------------- */

/* Appends `next`, displaced by `at`, to `all`. Returns false if the result is not a repetition of
 * one unit. */
static bool add_copies(struct st_signature_copies *all, const struct st_signature_copies *next,
                       int64_t at)
{
    int64_t end, offset;
    if (next->count == 0) {
        return true;
    }
    if (__builtin_add_overflow(next->offset, at, &offset)) {
        return false;
    }
    if (all->count == 0) {
        *all = (struct st_signature_copies){next->unit, next->count, offset};
        return true;
    }
    return same_unit(all->unit, next->unit) && span(all, &end) &&
           !__builtin_add_overflow(all->offset, end, &end) && end == offset &&
           !__builtin_add_overflow(all->count, next->count, &all->count);
}

/* Stores `times` copies of `one`, `distance` bytes apart. */
static bool repeat_copies(struct st_signature_copies *all, const struct st_signature_copies *one,
                          int64_t times, int64_t distance)
{
    int64_t bytes;
    *all = *one;
    if (one->count == 0 || times <= 0) {
        all->count = 0;
        return true;
    }
    return (times == 1 || (span(one, &bytes) && bytes == distance)) &&
           !__builtin_mul_overflow(one->count, times, &all->count);
}

/* Stores `times` copies of a type, one extent apart. */
static bool repeat_type(struct st_signature_copies *all, const struct st_signature_copies *one,
                        const struct st_type *type, int64_t times)
{
    int64_t extent = 0;
    return (times <= 1 || st_extent(type, &extent)) && repeat_copies(all, one, times, extent);
}

/* --- constructors --------------------------------------------------------------------------------
 */

static bool of_blocks(struct st_signature_copies *all, const struct st_type *type, int64_t unit,
                      int64_t index, const struct st_signature_copies *one,
                      const struct st_type *base)
{
    struct st_signature_copies block;
    int64_t at, length = type->lengths ? type->lengths[index] : type->args[1];
    if (length <= 0 || one->count == 0) {
        return true;
    }
    return !__builtin_mul_overflow(type->offsets[index], unit, &at) &&
           repeat_type(&block, one, base, length) && add_copies(all, &block, at);
}

static bool of_vector(struct st_signature_copies *all, const struct st_type *type,
                      const struct st_signature_copies *one)
{
    struct st_signature_copies block;
    int64_t stride = type->args[2], extent = 1;
    if (type->combiner == ST_VECTOR && type->args[0] > 1 &&
        (!st_extent(type->base, &extent) || __builtin_mul_overflow(stride, extent, &stride))) {
        return false;
    }
    return repeat_type(&block, one, type->base, type->args[1]) &&
           repeat_copies(all, &block, type->args[0], stride);
}

/* Stores the distance between the indices of a dimension if it is constant; the dimension must have
 * two or more. In a distributed dimension the distance is 1 within a block and more between blocks:
 * if the last index is where equal steps lead, all steps are equal. */
static bool even_step(const struct st_type *type, int64_t dimension, int64_t count, int64_t *step)
{
    int64_t first = st_dimension_index(type, dimension, 0);
    int64_t last = st_dimension_index(type, dimension, count - 1), all;
    *step = st_dimension_index(type, dimension, 1) - first;
    return !__builtin_mul_overflow(*step, count - 1, &all) && last - first == all;
}

/* Handles a subarray or darray, fastest dimension first. */
static bool of_array(struct st_signature_copies *all, const struct st_type *type,
                     const struct st_signature_copies *one)
{
    int64_t extent;
    *all = *one;
    if (!st_extent(type->base, &extent)) {
        return false;
    }
    for (int64_t stage = type->entries; stage-- > 0 && all->count;) {
        int64_t d = st_dimension(type, stage), at, step = 1;
        int64_t count = st_dimension_count(type, d);
        if (count <= 0) {
            all->count = 0;
            break;
        }
        if ((count > 1 && !even_step(type, d, count, &step)) ||
            __builtin_mul_overflow(step, extent, &step) || !repeat_copies(all, all, count, step) ||
            __builtin_mul_overflow(st_dimension_index(type, d, 0), extent, &at) ||
            __builtin_add_overflow(all->offset, at, &all->offset) ||
            __builtin_mul_overflow(extent, st_dimension_size(type, d), &extent)) {
            return false;
        }
    }
    return true;
}

/* Describes the type as copies of the unit of its bases; if `whole`, as copies of its bases
 * themselves. */
static bool of_type(const struct st_knowledge *knowledge, const struct st_type *type, bool whole,
                    struct st_signature_copies *all)
{
    struct st_signature_copies one = {.count = 0};
    int64_t unit = 1;
    *all = one;
    if (type->combiner != ST_STRUCT) {
        one = *known(knowledge, type->base);
        if (whole && one.count) {
            one = (struct st_signature_copies){st_undup(type->base), 1, 0};
        }
    }
    switch (type->combiner) {
    case ST_DUP:
    case ST_RESIZED:
        *all = one;
        return true;
    case ST_CONTIGUOUS:
        return repeat_type(all, &one, type->base, type->args[0]);
    case ST_VECTOR:
    case ST_HVECTOR:
        return of_vector(all, type, &one);
    case ST_SUBARRAY:
    case ST_DARRAY:
        return of_array(all, type, &one);
    case ST_INDEXED:
    case ST_INDEXED_BLOCK:
        if (type->entries && !st_extent(type->base, &unit)) {
            return false;
        }
        break;
    default:
        break;
    }
    for (int64_t i = 0; i < type->entries; i++) {
        const struct st_type *base = type->types ? type->types[i] : type->base;
        if (type->types) {
            one = *known(knowledge, base);
            if (whole && one.count) {
                one = (struct st_signature_copies){st_undup(base), 1, 0};
            }
        }
        if (!of_blocks(all, type, unit, i, &one, base)) {
            return false;
        }
    }
    return true;
}

static struct st_signature_copies copies_of(const struct st_knowledge *knowledge,
                                            const struct st_type *type)
{
    struct st_signature_copies copies = {type, 1, 0};
    struct st_basic_element elements[2];
    if (!st_has_parts(type)) {
        copies.count = st_elements_of(type, elements) > 0;
    } else if (!of_type(knowledge, type, false, &copies) &&
               !of_type(knowledge, type, true, &copies)) {
        copies = (struct st_signature_copies){type, 1, 0};
    }
    return copies;
}

/* --- shape -------------------------------------------------------------------------------------
 */

struct st_chunks {
    int64_t chunk, chunks, remainder;
};

/* Adds `times` times `count` units. Returns false if the chunks differ in length, or if a shorter
 * chunk is not the last. */
static bool add_chunks(struct st_chunks *all, int64_t count, int64_t times)
{
    if (count == 0 || times <= 0) {
        return true;
    }
    if (all->chunks == 0) {
        *all = (struct st_chunks){count, times, 0};
        return true;
    }
    if (all->remainder || count > all->chunk || (count < all->chunk && times > 1)) {
        return false;
    }
    if (count == all->chunk) {
        all->chunks += times;
    } else {
        all->remainder = count;
    }
    return true;
}

/* Returns how many units a type is; -1 if it is not a number of units. */
static int64_t units_of(const struct st_knowledge *knowledge, const struct st_type *type,
                        const struct st_type *unit)
{
    const struct st_signature_copies *copies = known(knowledge, type);
    if (st_undup(type) == unit) {
        return 1;
    }
    return copies->count == 0 || same_unit(copies->unit, unit) ? copies->count : -1;
}

/* Adds `length` times the type, as one chunk. */
static bool add_block(const struct st_knowledge *knowledge, const struct st_type *unit,
                      const struct st_type *type, int64_t length, int64_t times,
                      struct st_chunks *all)
{
    int64_t count = units_of(knowledge, type, unit);
    return count >= 0 && !__builtin_mul_overflow(count, length < 0 ? 0 : length, &count) &&
           add_chunks(all, count, times);
}

/* Finds the chunks of all constructors but struct: each block is a chunk. */
static bool chunks_of_blocks(const struct st_knowledge *knowledge, const struct st_type *unit,
                             const struct st_type *type, struct st_chunks *all)
{
    switch (type->combiner) {
    case ST_CONTIGUOUS:
        return add_block(knowledge, unit, type->base, 1, type->args[0], all);
    case ST_VECTOR:
    case ST_HVECTOR:
        return add_block(knowledge, unit, type->base, type->args[1], type->args[0], all);
    case ST_INDEXED:
    case ST_HINDEXED:
    case ST_INDEXED_BLOCK:
    case ST_HINDEXED_BLOCK:
        for (int64_t i = 0; i < type->entries; i++) {
            int64_t length = type->lengths ? type->lengths[i] : type->args[1];
            if (!add_block(knowledge, unit, type->base, length, 1, all)) {
                return false;
            }
        }
        return true;
    default:
        return false;
    }
}

/* Finds the chunks of a struct. Each copy of a member is a chunk; but if the first member has one
 * copy and is itself made of chunks, its chunks are taken. */
static bool chunks_of_struct(const struct st_knowledge *knowledge, const struct st_type *unit,
                             const struct st_type *type, struct st_chunks *all)
{
    for (int64_t i = 0; i < type->entries; i++) {
        const struct st_type *member = st_undup(type->types[i]);
        struct st_chunks inner = {0};
        if (type->lengths[i] == 1 && all->chunks == 0 && member != unit &&
            chunks_of_blocks(knowledge, unit, member, &inner) && inner.chunk > 1 &&
            inner.chunks > 1) {
            *all = inner;
        } else if (!add_block(knowledge, unit, member, 1, type->lengths[i], all)) {
            return false;
        }
    }
    return true;
}

static void shape_of(const struct st_knowledge *knowledge, const struct st_type *type,
                     struct st_contiguous *out)
{
    struct st_chunks chunks = {0};
    while (type != out->unit && (type->combiner == ST_DUP || type->combiner == ST_RESIZED)) {
        type = type->base; /* its type map is the same */
    }
    if (type == out->unit) {
        out->shape = ST_SHAPE_UNIT;
    } else if (type->combiner == ST_STRUCT
                   ? !chunks_of_struct(knowledge, out->unit, type, &chunks)
                   : !chunks_of_blocks(knowledge, out->unit, type, &chunks)) {
        out->shape = ST_SHAPE_OTHER;
    } else if ((chunks.chunk == 1 || chunks.chunks == 1) && !chunks.remainder) {
        out->shape = ST_SHAPE_PLAIN;
    } else {
        out->shape = chunks.remainder ? ST_SHAPE_REMAINDER : ST_SHAPE_CHUNKS;
        out->chunk = chunks.chunk;
        out->chunks = chunks.chunks;
        out->remainder = chunks.remainder;
        out->bigmpi = chunks.chunk == INT32_MAX;
    }
}

static bool none_known(const struct st_type *type, const void *context)
{
    (void)type;
    (void)context;
    return false;
}

enum st_error st_contiguous(const struct st_type *type, struct st_contiguous *out)
{
    struct st_knowledge knowledge = {0};
    *out = (struct st_contiguous){.unit = NULL};
    bool fits = st_type_set_below(&knowledge.types, type, none_known, NULL);
    knowledge.copies = fits ? calloc(knowledge.types.count, sizeof(*knowledge.copies)) : NULL;
    fits = knowledge.copies;
    for (size_t i = 0; fits && i < knowledge.types.count; i++) {
        knowledge.copies[i] = copies_of(&knowledge, knowledge.types.types[i]);
    }
    if (fits && known(&knowledge, type)->count) {
        struct st_signature_copies copies = *known(&knowledge, type);
        const struct st_type *unit = copies.unit;
        int64_t extent, bytes;
        out->unit = unit;
        out->count = copies.count;
        out->offset = copies.offset;
        out->gapless = unit->leaf && unit->measure.unknown == 0 &&
                       unit->measure.size == unit->measure.true_ub &&
                       unit->measure.size == unit->measure.ub;
        out->repeats = st_extent(type, &extent) && span(&copies, &bytes) && extent == bytes;
        shape_of(&knowledge, type, out);
    }
    free(knowledge.copies);
    st_type_set_deinit(&knowledge.types);
    return fits ? ST_OK : ST_NO_MEMORY;
}
