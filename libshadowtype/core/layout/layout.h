/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Layouts: the set of bytes that a datatype describes, as nested strided blocks (the paper's VIII).
 *
 *     struct st_layouts layouts;
 *     st_layouts_init(&layouts);
 *     const struct st_layout *layout;
 *     if (st_layout_of(&layouts, type, &effort, &layout)) { ... no memory, or interrupted ... }
 *     if (layout->doubt == ST_DOUBT_NONE && layout->span) {
 *         ... layout->low .. layout->low + layout->span: the true bounds ...
 *     }
 *     st_layouts_deinit(&layouts);
 *
 * A strided block is (offset, block length, [(count, stride), ...]). It contains the bytes
 *
 *     low + z[0] * stride[0] + z[1] * stride[1] + ... + b,  0 <= z[k] < count[k],  0 <= b < length
 *
 * One strided block describes a plane, a sub-array, a comb, or any regular type of any size. It is
 * in normal form: strides are positive and ascend; a level that is not wider than the block is
 * merged into the block; two levels that form one are merged. An irregular type (indexed, struct)
 * has a list in the place of the block: sorted runs of bytes, or sorted items. An item is `count`
 * copies of another layout. An implicit tree over the ends of the items is the paper's tree of
 * bounding boxes (VIII.D). A list that turns out to be regular becomes levels.
 *
 * A layout is a set: a byte that the type map names twice is in it once, and neither order nor
 * basic types are kept. Other modules answer these questions from the type: whether it names a byte
 * twice (self_overlap.h), and which elements a byte belongs to (elements.h). The bytes of a pair
 * type are those of its members, without the gap between them.
 *
 * All numbers are bytes. Displacements must fit in 64 bits, and so must the distance from the first
 * to the last byte (less than 2^63). If they do not, or if a type is OPAQUE, `doubt` says so and
 * nothing else is known.
 *
 * Layouts are immutable and shared: the layout of a type that is used in a million others exists
 * once. The cache owns one for each type it was asked for. Neither the cache nor references to
 * layouts are thread-safe; reading a layout is.
 */
#ifndef ST_CORE_LAYOUT_LAYOUT_H
#define ST_CORE_LAYOUT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/layout/effort.h"
#include "core/model/error.h"
#include "core/model/type.h"

struct st_layout;

struct st_level {
    uint64_t count; /* >= 2 */
    uint64_t stride;
};

/* The bytes from..to-1, counted from the first byte of the list. */
struct st_run {
    uint64_t from, to;
};

/* `count` copies of a layout, `stride` bytes apart. `at` is the first byte of the first copy,
 * counted from the first byte of the list. An item with `of` NULL is a block of `count` bytes,
 * stride 1. */
struct st_item {
    uint64_t at, count, stride;
    const struct st_layout *of;
};

/* At least two members: either runs, sorted, with gaps between them, or items, sorted by `at`. */
struct st_list {
    uint32_t references;
    size_t count;
    struct st_run *runs;
    struct st_item *items;
    uint64_t *ends; /* of items: a tree of their greatest ends, see st_list_next() */
    uint64_t span;
    uint64_t parts; /* as in struct st_layout */
};

/* The alignments that basic types may require: 2, 4, 8, 16, 32. */
enum { ST_ALIGNMENTS = 5 };

/* No type that names each byte only once has more levels: each level at least doubles its bytes. */
enum { ST_MOST_LEVELS = 64 };

struct st_layout {
    uint32_t references;
    enum st_doubt doubt;  /* if not NONE, nothing else is known */
    int64_t low;          /* displacement of the first byte */
    uint64_t span;        /* from the first byte to after the last, < 2^63; 0: there are no
                             bytes */
    uint64_t parts;       /* number of blocks when unfolded, UINT64_MAX: that many or more. They
                             are the contiguous pieces if none touches or overlaps another */
    struct st_list *list; /* the list that is repeated; NULL: one block is */
    uint64_t length;      /* of that block or list */
    /* For each alignment 2 << i: a bit set of the remainders, modulo 32, of the displacements of
     * the basic types that require it. */
    uint32_t residues[ST_ALIGNMENTS];
    uint32_t level_count;
    struct st_level levels[]; /* in order of their strides */
};

struct st_known; /* what is known about one type */

struct st_layouts {
    struct st_known *known; /* open addressing, by the type's address */
    size_t capacity, count;
};

void st_layouts_init(struct st_layouts *layouts);
void st_layouts_deinit(struct st_layouts *layouts);

/* Stores the layout of a type. The layouts of all types below are computed and cached as well. The
 * cache owns it until the type is forgotten; st_layout_ref() keeps it longer. Returns ST_NO_MEMORY,
 * or ST_INTERRUPTED (by effort->interrupted). No steps are counted, because the size of the type
 * bounds the work. */
enum st_error st_layout_of(struct st_layouts *layouts, const struct st_type *type,
                           struct st_effort *effort, const struct st_layout **layout);

/* Removes a type from the cache. Types built on it keep the parts of its layout that they need. */
void st_layouts_forget(struct st_layouts *layouts, const struct st_type *type);

const struct st_layout *st_layout_ref(const struct st_layout *layout);
void st_layout_release(const struct st_layout *layout); /* may be NULL */

static inline bool st_layout_empty(const struct st_layout *layout)
{
    return layout->span == 0;
}

/* Returns true if it is one block without a gap. */
static inline bool st_layout_solid(const struct st_layout *layout)
{
    return !layout->list && layout->level_count == 0;
}

/* Returns the distance from the first byte of an item to after its last. */
uint64_t st_item_span(const struct st_item *item);

/* Returns the number of blocks of an item when unfolded; UINT64_MAX: that many or more. */
uint64_t st_item_parts(const struct st_item *item);

/* Returns the first item or run, from `index` on, that ends after `low`; list->count if there is
 * none. `low` is counted from the first byte of the list. O(log n). */
size_t st_list_next(const struct st_list *list, size_t index, uint64_t low);

/* Returns how many items or runs begin before `high`. O(log n). */
size_t st_list_before(const struct st_list *list, uint64_t high);

#endif
