#include "blocklist.h"

#include <stdio.h>
#include <stdlib.h>

static void put(struct blocklist *list, struct strided block)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 16;
        list->blocks = realloc(list->blocks, list->capacity * sizeof *list->blocks);
        if (!list->blocks) {
            fputs("blocklist: out of memory\n", stderr);
            exit(2);
        }
    }
    list->blocks[list->count++] = block;
}

void blocklist_deinit(struct blocklist *list)
{
    free(list->blocks);
    *list = (struct blocklist){0};
}

static int64_t end_of(const struct strided *block)
{
    return block->begin + (block->count - 1) * block->stride + block->length;
}

static int by_begin(const void *a, const void *b)
{
    const struct strided *one = a, *other = b;
    return (one->begin > other->begin) - (one->begin < other->begin);
}

/* Sorts, and joins plain blocks that touch. */
static void compact(struct blocklist *list)
{
    size_t last = 0;
    qsort(list->blocks, list->count, sizeof *list->blocks, by_begin);
    for (size_t i = 1; i < list->count; i++) {
        struct strided *before = &list->blocks[last], *block = &list->blocks[i];
        if (before->count == 1 && block->count == 1 && block->begin <= end_of(before)) {
            int64_t end = end_of(block) > end_of(before) ? end_of(block) : end_of(before);
            before->length = end - before->begin;
        } else {
            list->blocks[++last] = *block;
        }
    }
    list->count = list->count ? last + 1 : 0;
}

/* `count` copies of a base's list. A base that is one plain block becomes one strided block
 * (VIII.C). */
static void copies(struct blocklist *list, const struct blocklist *base, int64_t at, int64_t count,
                   int64_t stride, enum blocklist_kind kind)
{
    if (kind == BLOCKLIST_STRIDED && base->count == 1 && base->blocks[0].count == 1 && count > 1 &&
        stride > base->blocks[0].length) {
        struct strided block = base->blocks[0];
        block.begin += at;
        block.count = count;
        block.stride = stride;
        put(list, block);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        for (size_t k = 0; k < base->count; k++) {
            struct strided block = base->blocks[k];
            block.begin += at + i * stride;
            put(list, block);
        }
    }
}

static void repeat(struct blocklist *list, int64_t at, int64_t count, int64_t stride,
                   enum blocklist_kind kind)
{
    struct blocklist more = {0};
    copies(&more, list, at, count, stride, kind);
    compact(&more);
    blocklist_deinit(list);
    *list = more;
}

static void subarray(struct blocklist *list, const struct st_type *type, int64_t step,
                     enum blocklist_kind kind)
{
    for (int64_t stage = type->entries; stage-- > 0;) {
        int64_t d = st_dimension(type, stage);
        repeat(list, step * st_dimension_index(type, d, 0), st_dimension_count(type, d), step,
               kind);
        step *= st_dimension_size(type, d);
    }
}

void blocklist_of(struct blocklist *list, const struct st_type *type, enum blocklist_kind kind)
{
    int64_t extent = 0, unit = 1;
    *list = (struct blocklist){0};
    if (type->leaf) {
        put(list, (struct strided){0, type->basic.size, 1, 0});
        return;
    }
    blocklist_of(list, type->base, kind);
    st_extent(type->base, &extent);
    switch (type->combiner) {
    case ST_CONTIGUOUS:
        repeat(list, 0, type->args[0], extent, kind);
        break;
    case ST_VECTOR:
        unit = extent;
        /* fall through */
    case ST_HVECTOR:
        repeat(list, 0, type->args[1], extent, kind);
        repeat(list, 0, type->args[0], type->args[2] * unit, kind);
        break;
    case ST_SUBARRAY:
        subarray(list, type, extent, kind);
        break;
    default: { /* HINDEXED_BLOCK */
        struct blocklist more = {0};
        repeat(list, 0, type->args[1], extent, kind);
        for (int64_t i = 0; i < type->entries; i++) {
            copies(&more, list, type->offsets[i], 1, 0, kind);
        }
        compact(&more);
        blocklist_deinit(list);
        *list = more;
    }
    }
}

/* Procedure 6: a block and a strided block. */
static bool block_meets(int64_t begin, int64_t end, const struct strided *s)
{
    if (end_of(s) <= begin || s->begin >= end) {
        return false;
    }
    if (s->count == 1 || begin < s->begin) {
        return true;
    }
    int64_t i = (begin - s->begin) / s->stride;
    return begin < s->begin + i * s->stride + s->length || end > s->begin + (i + 1) * s->stride;
}

/* VIII.B: strides that are alike stay side by side for ever; else block by block, of the one with
 * fewer. */
static bool strided_meet(const struct strided *a, const struct strided *b)
{
    if (end_of(a) <= b->begin || b->begin >= INT64_MAX || end_of(b) <= a->begin) {
        return false;
    }
    if (a->count == 1) {
        return block_meets(a->begin, end_of(a), b);
    }
    if (b->count == 1) {
        return block_meets(b->begin, end_of(b), a);
    }
    if (a->stride == b->stride) {
        /* the first blocks of both that lie where both are */
        const struct strided *late = a->begin > b->begin ? a : b, *early = late == a ? b : a;
        return block_meets(late->begin, late->begin + late->length, early) ||
               block_meets(late->begin + late->stride * (late->count - 1), end_of(late), early);
    }
    const struct strided *few = a->count < b->count ? a : b, *many = few == a ? b : a;
    for (int64_t i = 0; i < few->count; i++) {
        int64_t begin = few->begin + i * few->stride;
        if (block_meets(begin, begin + few->length, many)) {
            return true;
        }
    }
    return false;
}

bool blocklists_overlap(const struct blocklist *a, int64_t a_at, const struct blocklist *b,
                        int64_t b_at)
{
    int64_t shift = b_at - a_at;
    size_t first = 0;
    for (size_t i = 0; i < a->count; i++) {
        const struct strided *block = &a->blocks[i];
        while (first < b->count && end_of(&b->blocks[first]) + shift <= block->begin) {
            first++;
        }
        for (size_t j = first; j < b->count && b->blocks[j].begin + shift < end_of(block); j++) {
            struct strided other = b->blocks[j];
            other.begin += shift;
            if (strided_meet(block, &other)) {
                return true;
            }
        }
    }
    return false;
}
