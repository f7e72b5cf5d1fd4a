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
 * A strided block is (offset, block length, [(count, stride), ...]): the bytes
 *
 *     low + z[0] * stride[0] + z[1] * stride[1] + ... + b,  0 <= z[k] < count[k],  0 <= b < length
 *
 * One stands for a plane, a sub-array, a comb, for any regular type at any size. It is normal:
 * strides are positive and ascend, a level that is not wider than the block is melted into it, and
 * two levels that together are one are merged. What is irregular (indexed, struct) has a list in
 * the place of the block: sorted runs of bytes, or sorted items, each of them count times a layout
 * of its own, with an implicit tree over their ends, the paper's bounding boxes (VIII.D). A list
 * that is regular in truth becomes levels.
 *
 * A layout is a set: a byte that the type map names twice is in it once, and neither order nor
 * basic types are kept. What is lost with it is asked of the type: whether it names a byte twice
 * (self_overlap.h), and which elements a byte belongs to (elements.h). The bytes of a pair type are
 * those of its members, without the gap between them.
 *
 * All numbers are bytes. Displacements must fit in 64 bits, and so must the distance from the first
 * to the last byte (less than 2^63); where they don't, or a type is OPAQUE, `doubt` says so and
 * nothing else is known.
 *
 * Layouts are immutable and shared: one whose type is used in a million others stands once. The
 * cache owns one for each type it was asked for. Neither the cache nor references to layouts are
 * thread-safe; reading a layout is.
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

/* `count` copies of a layout, `stride` apart, the first byte of all at `at` of the list. A block:
 * `of` NULL, `count` bytes, stride 1. */
struct st_item {
    uint64_t at, count, stride;
    const struct st_layout *of;
};

/* Either runs, sorted, with gaps between them; or items, sorted by `at`. At least two. */
struct st_list {
    uint32_t references;
    size_t count;
    struct st_run *runs;
    struct st_item *items;
    uint64_t *ends; /* items: a tree of the greatest ends, see st_list_next() */
    uint64_t span;
    uint64_t parts; /* as in struct st_layout */
};

/* Alignments that basic types can ask for: 2, 4, 8, 16, 32. */
enum { ST_ALIGNMENTS = 5 };

/* More levels than any type can have that names no byte twice: each at least doubles its bytes. */
enum { ST_MOST_LEVELS = 64 };

struct st_layout {
    uint32_t references;
    enum st_doubt doubt;  /* not NONE: nothing but this is known */
    int64_t low;          /* displacement of the first byte */
    uint64_t span;        /* from the first byte to behind the last, < 2^63; 0: no bytes */
    uint64_t parts;       /* blocks that it unfolds to, UINT64_MAX: that many or more. They are the
                           * contiguous pieces if none touches or overlaps another */
    struct st_list *list; /* what is repeated; NULL: one block */
    uint64_t length;      /* of that block or list */
    /* For each alignment 2 << i, the remainders modulo 32 of the displacements of the basic types
     * that ask for it, as bits. */
    uint32_t residues[ST_ALIGNMENTS];
    uint32_t level_count;
    struct st_level levels[]; /* ascending strides */
};

struct st_known; /* what is known about one type */

struct st_layouts {
    struct st_known *known; /* open addressing, by the type's address */
    size_t capacity, count;
};

void st_layouts_init(struct st_layouts *layouts);
void st_layouts_deinit(struct st_layouts *layouts);

/* The layout of a type; those of all types below it are computed as well, and kept. It is the
 * cache's, until the type is forgotten; st_layout_ref() keeps it. ST_NO_MEMORY, or ST_INTERRUPTED
 * (by effort->interrupted; no steps are counted: the work is bounded by the size of the type). */
enum st_error st_layout_of(struct st_layouts *layouts, const struct st_type *type,
                           struct st_effort *effort, const struct st_layout **layout);

/* A type goes away. Those built on it keep what they need of it. */
void st_layouts_forget(struct st_layouts *layouts, const struct st_type *type);

const struct st_layout *st_layout_ref(const struct st_layout *layout);
void st_layout_release(const struct st_layout *layout); /* may be NULL */

static inline bool st_layout_empty(const struct st_layout *layout)
{
    return layout->span == 0;
}

/* Whether it is one block without a gap. */
static inline bool st_layout_solid(const struct st_layout *layout)
{
    return !layout->list && layout->level_count == 0;
}

/* The bytes that an item spans. */
uint64_t st_item_span(const struct st_item *item);

/* The blocks that it unfolds to; UINT64_MAX: that many or more. */
uint64_t st_item_parts(const struct st_item *item);

/* The first item or run, from `index` on, that ends behind `low` (both in the list's bytes); count
 * if there is none. O(log n). */
size_t st_list_next(const struct st_list *list, size_t index, uint64_t low);

/* How many items or runs begin before `high`. O(log n). */
size_t st_list_before(const struct st_list *list, uint64_t high);

#endif
