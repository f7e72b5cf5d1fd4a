/* SPDX-License-Identifier: BSD-3-Clause */
/* From types to layouts: what each constructor describes (MPI-4.0, 5.1). */
#include "core/layout/layout_make.h"

#include <stdlib.h>
#include <string.h>

#include "core/layout/bottom_up.h"

/* A layout under construction. After a failure (error, or a doubt in `layout`) further steps change
 * nothing. */
struct st_making {
    const struct st_type *type;
    struct st_layout *layout;
    struct st_watch *watch;
    struct st_effort *effort;
    const struct st_layout **stages; /* of st_layout_stages() */
    enum st_error error;
};

static enum st_error failure(const struct st_making *making)
{
    return making->effort->doubt == ST_DOUBT_INTERRUPTED ? ST_INTERRUPTED : ST_NO_MEMORY;
}

/* Replaces the layout by `layout`, the result of a step. */
static void take_layout(struct st_making *making, struct st_layout *layout)
{
    st_layout_release(making->layout);
    making->layout = layout;
    if (!layout && !making->error) {
        making->error = failure(making);
    }
}

static bool going(const struct st_making *making)
{
    return !making->error && !making->layout->doubt;
}

static void doubt(struct st_making *making, enum st_doubt why)
{
    if (going(making)) {
        take_layout(making, st_layout_nothing(why));
    }
}

static void repeat_layout(struct st_making *making, int64_t count, int64_t stride)
{
    if (!going(making)) {
        return;
    }
    if (making->watch && count > 1 && !st_layout_empty(making->layout)) {
        making->error = making->watch->repeated(making->watch, making->layout, count, stride);
    }
    if (!making->error) {
        take_layout(making, st_layout_repeat(making->layout, count, stride));
    }
}

/* Shifts the layout by index * step. */
static void shift_placed(struct st_making *making, int64_t index, int64_t step)
{
    int64_t by;
    if (!going(making) || st_layout_empty(making->layout)) {
        return;
    }
    if (__builtin_mul_overflow(index, step, &by)) {
        doubt(making, ST_DOUBT_OVERFLOW);
        return;
    }
    if (making->watch) {
        making->watch->shifted(making->watch, by);
    }
    take_layout(making, st_layout_shift(making->layout, by));
}

static void unite_placed(struct st_making *making, const struct st_placed *placed, size_t count)
{
    if (making->error) {
        return;
    }
    if (making->watch) {
        making->error = making->watch->united(making->watch, placed, count);
    }
    if (!making->error) {
        take_layout(making, st_layout_union(placed, count, making->effort));
    }
}

/* Returns the alignment that C gives a type of this class, a power of two; 1 if it is not known. */
static int64_t alignment(enum st_class class_, int64_t size)
{
    switch (class_) {
    case ST_CLASS_RAW:
    case ST_CLASS_BYTE:
    case ST_CLASS_PACKED:
    case ST_CLASS_MARKER:
        return 1;
    case ST_CLASS_COMPLEX:
        return size / 2;
    default:
        return size;
    }
}

/* Makes the layout of a basic type. Pair types have their members; MPI_LB and MPI_UB have size 0. */
static void make_leaf(struct st_making *making)
{
    const struct st_basic *basic = &making->type->basic;
    int64_t align = alignment(basic->class_, basic->size);
    if (making->type->measure.unknown & ST_UNKNOWN_TRUE_BOUNDS || basic->size < 0) {
        doubt(making, ST_DOUBT_OPAQUE);
        return;
    }
    if (basic->class_ == ST_CLASS_PAIR) {
        struct st_run *runs = malloc(2 * sizeof(*runs));
        align = 1;
        for (int i = 0; runs && i < 2; i++) {
            int64_t of = alignment(basic->members[i].class_, basic->members[i].size);
            align = of > align ? of : align;
            runs[i].from = basic->members[i].offset;
            runs[i].to = runs[i].from + basic->members[i].size;
        }
        take_layout(making, runs ? st_layout_of_runs(runs, 2, 0) : NULL);
    } else {
        take_layout(making, st_layout_block((uint64_t)basic->size));
    }
    for (int i = 0; !making->error && i < ST_ALIGNMENTS; i++) {
        making->layout->residues[i] = align == INT64_C(2) << i ? 1 : 0;
    }
}

/* Makes `count` blocks of `length` bases; contiguous is one block. */
static void make_vector(struct st_making *making, int64_t count, int64_t length, int64_t stride)
{
    const struct st_type *type = making->type;
    int64_t extent;
    if (count <= 0 || length <= 0) {
        take_layout(making, st_layout_nothing(ST_DOUBT_NONE));
        return;
    }
    if (st_layout_empty(making->layout)) {
        return;
    }
    bool known = st_extent(type->base, &extent);
    if (!known && (length > 1 || (count > 1 && type->combiner == ST_VECTOR))) {
        doubt(making, ST_DOUBT_OVERFLOW);
        return;
    }
    repeat_layout(making, length, known ? extent : 0);
    if (count > 1 && type->combiner == ST_VECTOR &&
        __builtin_mul_overflow(stride, extent, &stride)) {
        doubt(making, ST_DOUBT_OVERFLOW);
        return;
    }
    repeat_layout(making, count, stride);
}

/* Makes entry i of (h)indexed(_block) and struct. Returns false if its displacement does not fit in
 * 64 bits. */
static bool entry(const struct st_layouts *layouts, const struct st_type *type, int64_t i,
                  struct st_placed *placed)
{
    const struct st_type *base = type->types ? type->types[i] : type->base;
    int64_t extent = 0, unit = 1;
    *placed = (struct st_placed){.at = type->offsets[i],
                                 .count = type->lengths ? type->lengths[i] : type->args[1],
                                 .of = st_layouts_known(layouts, base)->layout};
    bool known = st_extent(base, &extent);
    placed->stride = extent;
    if (type->combiner == ST_INDEXED || type->combiner == ST_INDEXED_BLOCK) {
        unit = extent;
        known = known || placed->count <= 0;
    } else {
        known = known || placed->count <= 1;
    }
    return (known && !__builtin_mul_overflow(placed->at, unit, &placed->at)) ||
           placed->count <= 0 || (!placed->of->doubt && st_layout_empty(placed->of));
}

static void make_entries(struct st_making *making, const struct st_layouts *layouts)
{
    size_t count = (size_t)making->type->entries;
    struct st_placed *placed = malloc((count ? count : 1) * sizeof(*placed));
    if (!placed) {
        making->error = ST_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (!entry(layouts, making->type, (int64_t)i, &placed[i])) {
            doubt(making, ST_DOUBT_OVERFLOW);
        }
    }
    if (going(making)) {
        unite_placed(making, placed, count);
    }
    free(placed);
}

/* Makes a block-cyclic dimension: full blocks in all rounds, and the rest in the last one. */
static void make_cyclic(struct st_making *making, int64_t d, int64_t step)
{
    const struct st_type *type = making->type;
    int64_t count = st_dimension_count(type, d), block = st_dimension_block(type, d);
    int64_t rounds = count / block, first = st_dimension_index(type, d, 0);
    struct st_placed parts[2] = {{.count = 1}, {.count = count % block ? 1 : 0}};
    int64_t round = st_dimension_index(type, d, block) - first;
    if (__builtin_mul_overflow(round, step, &round) ||
        __builtin_mul_overflow(first, step, &parts[0].at) ||
        (parts[1].count &&
         __builtin_mul_overflow(st_dimension_index(type, d, rounds * block), step, &parts[1].at))) {
        doubt(making, ST_DOUBT_OVERFLOW);
        return;
    }
    struct st_layout *rest = st_layout_repeat(making->layout, count % block, step);
    repeat_layout(making, block, step);
    repeat_layout(making, rounds, round);
    struct st_layout *full = making->layout;
    making->layout = NULL;
    if (rest && full) {
        parts[0].of = full;
        parts[1].of = rest;
        if (making->watch) {
            making->watch->shifted(making->watch, parts[0].at);
        }
        unite_placed(making, parts, 2);
    } else if (!making->error) {
        making->error = failure(making);
    }
    st_layout_release(rest);
    st_layout_release(full);
}

/* Makes a subarray or darray: dimension by dimension, the fastest first. */
static void make_array(struct st_making *making)
{
    const struct st_type *type = making->type;
    int64_t step = 0;
    bool known = st_extent(type->base, &step);
    for (int64_t stage = 0; stage < type->entries; stage++) {
        if (st_dimension_count(type, st_dimension(type, stage)) <= 0) {
            take_layout(making, st_layout_nothing(ST_DOUBT_NONE));
            return;
        }
    }
    for (int64_t stage = type->entries; stage-- > 0 && going(making);) {
        int64_t d = st_dimension(type, stage);
        int64_t count = st_dimension_count(type, d), first = st_dimension_index(type, d, 0);
        if (st_layout_empty(making->layout)) {
            return;
        }
        if (!known && (count > 1 || first)) {
            doubt(making, ST_DOUBT_OVERFLOW);
        } else if (st_dimension_block(type, d) >= count) {
            repeat_layout(making, count, step);
            shift_placed(making, first, step);
        } else {
            make_cyclic(making, d, step);
        }
        known = known && !__builtin_mul_overflow(step, st_dimension_size(type, d), &step);
        if (making->stages && making->layout) {
            making->stages[stage] = st_layout_ref(making->layout);
        }
    }
}

enum st_error st_layout_stages(const struct st_layouts *layouts, const struct st_type *type,
                               struct st_effort *effort, const struct st_layout **stages)
{
    const struct st_layout *base = st_layouts_known(layouts, type->base)->layout;
    struct st_making making = {.type = type,
                               .layout = (struct st_layout *)st_layout_ref(base),
                               .effort = effort,
                               .stages = stages};
    for (int64_t stage = 0; stage < type->entries; stage++) {
        stages[stage] = NULL;
    }
    make_array(&making);
    st_layout_release(making.layout);
    return making.error;
}

enum st_error st_layout_make(const struct st_layouts *layouts, const struct st_type *type,
                             struct st_watch *watch, struct st_effort *effort,
                             struct st_layout **layout)
{
    struct st_making making = {.type = type, .watch = watch, .effort = effort};
    const struct st_layout *base =
        type->base && !st_elided(type) ? st_layouts_known(layouts, type->base)->layout : NULL;
    making.layout =
        base ? (struct st_layout *)st_layout_ref(base) : st_layout_nothing(ST_DOUBT_NONE);
    if (!making.layout) {
        return ST_NO_MEMORY;
    }
    if (type->leaf) {
        make_leaf(&making);
    } else if (st_elided(type)) {
        doubt(&making, ST_DOUBT_OPAQUE);
    } else {
        switch (type->combiner) {
        case ST_CONTIGUOUS:
            make_vector(&making, 1, type->args[0], 0);
            break;
        case ST_VECTOR:
        case ST_HVECTOR:
            make_vector(&making, type->args[0], type->args[1], type->args[2]);
            break;
        case ST_SUBARRAY:
        case ST_DARRAY:
            make_array(&making);
            break;
        case ST_DUP:
        case ST_RESIZED:
            break;
        case ST_OPAQUE:
            if (type->args[0] != 0) {
                doubt(&making, ST_DOUBT_OPAQUE);
            }
            break;
        default:
            take_layout(&making, st_layout_nothing(ST_DOUBT_NONE));
            if (!making.error) {
                make_entries(&making, layouts);
            }
            break;
        }
    }
    if (making.error) {
        st_layout_release(making.layout);
        return making.error;
    }
    *layout = making.layout;
    return ST_OK;
}

/* --- a type and all below it ------------------------------------------------------------------
 */

struct st_layout_need {
    struct st_layouts *layouts;
    struct st_effort *effort;
};

static bool has_layout(const void *context, const struct st_type *type)
{
    const struct st_layout_need *need = context;
    return st_layouts_known(need->layouts, type) != NULL;
}

static enum st_error make_layout(void *context, const struct st_type *type)
{
    struct st_layout_need *need = context;
    struct st_layout *layout;
    enum st_error error = st_layout_make(need->layouts, type, NULL, need->effort, &layout);
    if (!error && !st_layouts_keep(need->layouts, type, layout)) {
        error = ST_NO_MEMORY;
    }
    return error;
}

enum st_error st_layout_of(struct st_layouts *layouts, const struct st_type *type,
                           struct st_effort *effort, const struct st_layout **layout)
{
    if (!st_layouts_known(layouts, type)) {
        struct st_layout_need need = {layouts, effort};
        struct st_bottom_up walk = {has_layout, make_layout, &need};
        enum st_error error = st_bottom_up(&walk, type);
        if (error) {
            return error;
        }
    }
    *layout = st_layouts_known(layouts, type)->layout;
    return ST_OK;
}
