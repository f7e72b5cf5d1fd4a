/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/layout/ascending.h"

#include <stdlib.h>

#include "core/layout/bottom_up.h"

/* A summary of a type map: its first and its last displacement, and where it goes back. */
struct st_displacements {
    int64_t elements;
    int64_t first, last; /* displacements, bytes */
    int64_t back;        /* the first element that is before its predecessor in memory; 0: there
                            is none */
    bool unknown;        /* none of the above is known */
};

struct st_ascending_entry {
    const struct st_type *type; /* NULL: the slot is free */
    struct st_displacements sequence;
};

/* A hash table by the address of the type. At most half of the slots are in use. */
struct st_entries {
    struct st_ascending_entry *slots;
    size_t size, used;
};

/* Returns the slot of a type, or the free slot for it. */
static struct st_ascending_entry *slot(const struct st_entries *entries, const struct st_type *type)
{
    uint64_t mixed = (uint64_t)(uintptr_t)type * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(mixed >> 32) & (entries->size - 1);
    while (entries->slots[i].type && entries->slots[i].type != type) {
        i = (i + 1) & (entries->size - 1);
    }
    return &entries->slots[i];
}

static bool grow_entries(struct st_entries *entries)
{
    if (entries->used * 2 < entries->size) {
        return true;
    }
    struct st_entries more = {.size = entries->size ? entries->size * 2 : 64,
                              .used = entries->used};
    more.slots = calloc(more.size, sizeof(*more.slots));
    if (!more.slots) {
        return false;
    }
    for (size_t i = 0; i < entries->size; i++) {
        if (entries->slots[i].type) {
            *slot(&more, entries->slots[i].type) = entries->slots[i];
        }
    }
    free(entries->slots);
    *entries = more;
    return true;
}

/* --- type maps, side by side ------------------------------------------------------------------ */

static void forget_sequence(struct st_displacements *sequence)
{
    *sequence = (struct st_displacements){.unknown = true};
}

/* Appends `after`, displaced by `at`. */
static void append_sequence(struct st_displacements *sequence, const struct st_displacements *after,
                            int64_t at)
{
    int64_t first, last, elements;
    if (sequence->unknown || (!after->unknown && !after->elements)) {
        return;
    }
    if (after->unknown || __builtin_add_overflow(after->first, at, &first) ||
        __builtin_add_overflow(after->last, at, &last) ||
        __builtin_add_overflow(sequence->elements, after->elements, &elements)) {
        forget_sequence(sequence);
        return;
    }
    if (!sequence->elements) {
        sequence->first = first;
    }
    if (!sequence->back) {
        if (sequence->elements && first < sequence->last) {
            sequence->back = sequence->elements;
        } else if (after->back) {
            sequence->back = sequence->elements + after->back;
        }
    }
    sequence->last = last;
    sequence->elements = elements;
}

/* Repeats the sequence `count` times, `stride` bytes apart. */
static void repeat_sequence(struct st_displacements *sequence, int64_t count, int64_t stride)
{
    struct st_displacements one = *sequence;
    int64_t reach;
    if (count <= 0) {
        *sequence = (struct st_displacements){0};
    }
    if (count <= 1 || (!one.unknown && !one.elements)) {
        return;
    }
    append_sequence(sequence, &one, stride);
    if (!sequence->unknown && (__builtin_mul_overflow(count - 1, stride, &reach) ||
                               __builtin_add_overflow(one.last, reach, &sequence->last) ||
                               __builtin_mul_overflow(one.elements, count, &sequence->elements))) {
        forget_sequence(sequence);
    }
}

static void shift_sequence(struct st_displacements *sequence, int64_t index, int64_t step)
{
    struct st_displacements one = *sequence;
    int64_t by;
    if (__builtin_mul_overflow(index, step, &by)) {
        if (one.unknown || one.elements) {
            forget_sequence(sequence);
        }
        return;
    }
    *sequence = (struct st_displacements){0};
    append_sequence(sequence, &one, by);
}

/* --- constructors ----------------------------------------------------------------------------- */

static void make_vector(struct st_displacements *sequence, const struct st_type *type)
{
    bool contiguous = type->combiner == ST_CONTIGUOUS;
    int64_t count = contiguous ? 1 : type->args[0], stride = contiguous ? 0 : type->args[2];
    int64_t length = contiguous ? type->args[0] : type->args[1], extent = 0;
    bool known = st_extent(type->base, &extent);
    bool needed = length > 1 || (count > 1 && type->combiner == ST_VECTOR);
    if ((needed && !known) ||
        (type->combiner == ST_VECTOR && __builtin_mul_overflow(stride, extent, &stride))) {
        if (count > 0 && length > 0) {
            forget_sequence(sequence);
            return;
        }
    }
    repeat_sequence(sequence, length, extent);
    repeat_sequence(sequence, count, stride);
}

static void make_entries(struct st_displacements *sequence, const struct st_entries *entries,
                         const struct st_type *type)
{
    bool in_extents = type->combiner == ST_INDEXED || type->combiner == ST_INDEXED_BLOCK;
    *sequence = (struct st_displacements){0};
    for (int64_t i = 0; i < type->entries; i++) {
        const struct st_type *base = type->types ? type->types[i] : type->base;
        struct st_displacements block = slot(entries, base)->sequence;
        int64_t count = type->lengths ? type->lengths[i] : type->args[1], extent = 0;
        bool known = st_extent(base, &extent);
        if (count <= 0) {
            continue;
        }
        if (!known && (count > 1 || in_extents)) {
            forget_sequence(&block);
        }
        repeat_sequence(&block, count, extent);
        shift_sequence(&block, type->offsets[i], in_extents ? extent : 1);
        append_sequence(sequence, &block, 0);
    }
}

/* Lays out a cyclic dimension: the blocks of this process. */
static void make_cyclic(struct st_displacements *sequence, const struct st_type *type, int64_t d,
                        int64_t step)
{
    int64_t count = st_dimension_count(type, d), block = st_dimension_block(type, d);
    int64_t first = st_dimension_index(type, d, 0), round;
    struct st_displacements rest = *sequence;
    if (__builtin_mul_overflow(st_dimension_index(type, d, block) - first, step, &round)) {
        forget_sequence(sequence);
        return;
    }
    repeat_sequence(&rest, count % block, step);
    shift_sequence(&rest, st_dimension_index(type, d, count / block * block), step);
    repeat_sequence(sequence, block, step);
    repeat_sequence(sequence, count / block, round);
    shift_sequence(sequence, first, step);
    append_sequence(sequence, &rest, 0);
}

static void make_array(struct st_displacements *sequence, const struct st_type *type)
{
    int64_t step = 0;
    bool known = st_extent(type->base, &step);
    for (int64_t d = 0; d < type->entries; d++) {
        if (st_dimension_count(type, d) <= 0) {
            *sequence = (struct st_displacements){0};
            return;
        }
    }
    for (int64_t stage = type->entries; stage-- > 0;) {
        int64_t d = st_dimension(type, stage), count = st_dimension_count(type, d);
        int64_t first = st_dimension_index(type, d, 0);
        if (!known && (count > 1 || first)) {
            forget_sequence(sequence);
        } else if (st_dimension_block(type, d) >= count) {
            repeat_sequence(sequence, count, step);
            shift_sequence(sequence, first, step);
        } else {
            make_cyclic(sequence, type, d, step);
        }
        known = known && !__builtin_mul_overflow(step, st_dimension_size(type, d), &step);
    }
}

static enum st_error visit_type(void *context, const struct st_type *type)
{
    struct st_entries *entries = context;
    struct st_displacements sequence = {0};
    if (!grow_entries(entries)) {
        return ST_NO_MEMORY;
    }
    if (st_elided(type)) {
        forget_sequence(&sequence);
    } else if (type->leaf) {
        sequence.elements = type->basic.size > 0;
    } else if (type->base) {
        sequence = slot(entries, type->base)->sequence;
    }
    switch (type->leaf || st_elided(type) ? ST_NAMED : type->combiner) {
    case ST_NAMED:
    case ST_DUP:
    case ST_RESIZED:
        break;
    case ST_CONTIGUOUS:
    case ST_VECTOR:
    case ST_HVECTOR:
        make_vector(&sequence, type);
        break;
    case ST_SUBARRAY:
    case ST_DARRAY:
        make_array(&sequence, type);
        break;
    case ST_OPAQUE:
        forget_sequence(&sequence);
        break;
    default:
        make_entries(&sequence, entries, type);
        break;
    }
    *slot(entries, type) = (struct st_ascending_entry){type, sequence};
    entries->used++;
    return ST_OK;
}

static bool done(const void *context, const struct st_type *type)
{
    const struct st_entries *entries = context;
    return entries->size && slot(entries, type)->type;
}

enum st_verdict st_ascending(const struct st_type *type, int64_t *element)
{
    struct st_entries entries = {0};
    const struct st_bottom_up walk = {.done = done, .visit = visit_type, .context = &entries};
    struct st_displacements sequence = {.unknown = true};
    if (!st_bottom_up(&walk, type)) {
        sequence = slot(&entries, type)->sequence;
    }
    free(entries.slots);
    if (sequence.unknown) {
        return ST_UNDECIDED;
    }
    *element = sequence.back;
    return sequence.back ? ST_NO : ST_YES;
}
