/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes layouts (layout.h) from layouts: the operations that the constructors of types need.
 * Internal to the core.
 *
 *     struct st_layout *row = st_layout_repeat(element, 512, 8);
 *     struct st_layout *plane = st_layout_repeat(row, 512, 8 * 512 * 512);
 *     st_layout_release(row);
 *
 * Each function returns a reference that the caller must release; NULL if there is no memory (or,
 * if it takes an effort, if it was interrupted). If an input has a doubt, the result has it.
 */
#ifndef ST_CORE_LAYOUT_LAYOUT_MAKE_H
#define ST_CORE_LAYOUT_LAYOUT_MAKE_H

#include "core/layout/layout.h"

/* Returns a layout without bytes, with room for `levels` levels. */
struct st_layout *st_layout_new(size_t levels);

/* Returns a layout without bytes (doubt NONE), or one of which nothing is known. */
struct st_layout *st_layout_nothing(enum st_doubt doubt);

/* Returns a layout of `length` bytes from displacement 0 on. */
struct st_layout *st_layout_block(uint64_t length);

/* Returns `count` copies, `stride` bytes apart; the first copy is `of` itself. */
struct st_layout *st_layout_repeat(const struct st_layout *of, int64_t count, int64_t stride);

struct st_layout *st_layout_shift(const struct st_layout *of, int64_t by);

/* Returns a copy whose first byte is at `low`. The copy must fit in 64 bits. */
struct st_layout *st_layout_moved(const struct st_layout *of, int64_t low);

/* `count` copies of `of`, `stride` bytes apart, all displaced by `at`. */
struct st_placed {
    int64_t at, count, stride;
    const struct st_layout *of;
};

/* Returns the union of all of them. */
struct st_layout *st_layout_union(const struct st_placed *placed, size_t count,
                                  struct st_effort *effort);

/* Returns the layout of some runs: one or more, counted from displacement `low`, in any order,
 * overlapping or not. Takes ownership of `runs`, which must be free()able, also if it fails. */
struct st_layout *st_layout_of_runs(struct st_run *runs, size_t count, int64_t low);

/* A column of 64-bit numbers, `width` bytes apart: members of runs or of items. */
struct st_number_column {
    const char *first;
    size_t width;
};

/* Finds the levels that describe `count` ascending numbers: number i is the first one plus the sum
 * over all levels of digit * stride. Returns how many levels there are, at most ST_MOST_LEVELS; 0
 * if the numbers are not regular. */
size_t st_progressions(struct st_number_column column, size_t count, struct st_level *levels);

/* Returns `of` repeated on all levels, with its first byte at `low`. Releases `of`; NULL gives
 * NULL. */
struct st_layout *st_layout_on_levels(struct st_layout *of, const struct st_level *levels,
                                      size_t count, int64_t low);

/* Makes the tree over the ends of a list's items. Returns false if there is no memory. */
bool st_list_plant(struct st_list *list);

/* Sorts runs by their first byte. */
void st_runs_sort(struct st_run *runs, size_t count);

/* Returns remainders modulo 32 (struct st_layout) after a displacement by `by`. */
uint32_t st_residues_turned(uint32_t residues, uint64_t by);

/* Makes an item of `placed`, with its first byte at 0, and stores the displacement of that byte in
 * *low. A solid layout whose copies touch becomes a block. item->count is 0 if there are no bytes.
 * Returns a doubt if a displacement does not fit in 64 bits, or is not known. */
enum st_doubt st_item_of(const struct st_placed *placed, struct st_item *item, int64_t *low);

/* Computes the bounds of `count` copies of a layout. Returns false if they do not fit in 64 bits. */
bool st_copies_bounds(const struct st_layout *of, uint64_t count, int64_t stride, int64_t *low,
                      uint64_t *span);

/* Returns a * b, or UINT64_MAX if the product does not fit in 64 bits. */
uint64_t st_parts_product(uint64_t a, uint64_t b);

/* Returns true if both items are blocks on the same levels; their lengths may differ. */
bool st_item_on_levels_of(const struct st_item *a, const struct st_item *b);

/* Unfolds an item into unsorted runs, at most st_item_parts(), and adds their number to *made. They
 * are disjoint if none of the layouts in the item names a byte twice. Returns false if interrupted,
 * or if there is no memory. */
bool st_item_unfold(const struct st_item *item, struct st_run *runs, size_t *made,
                    struct st_effort *effort);

/* The cache's record of a type: its layout, and the answers of self_overlap.h. */
enum st_known_state { ST_NOT_KNOWN, ST_KNOWN_NO, ST_KNOWN_YES };

struct st_known {
    const struct st_type *type; /* NULL: the slot is free */
    const struct st_layout *layout;
    enum st_known_state own;  /* whether the type names a byte twice (self_overlap.h) */
    enum st_known_state many; /* whether some count of it does; many_count is the smallest such
                                 count */
    int64_t own_at, many_at, many_count;
};

/* Returns the record; NULL if st_layout_of() was not called for the type. Valid until the next
 * st_layout_of(). */
struct st_known *st_layouts_known(const struct st_layouts *layouts, const struct st_type *type);

/* Caches the layout of a type that has no record yet. Takes the caller's reference. Returns false,
 * and releases the layout, if there is no memory. */
bool st_layouts_keep(struct st_layouts *layouts, const struct st_type *type,
                     const struct st_layout *layout);

/* Computes the layout of each stage of a subarray or darray (place.h, ST_STAGE_DIMENSION):
 * stages[s] is the layout of the dimensions from s on; NULL if such a place has no data. The caller
 * must release all of them, after a failure too. */
enum st_error st_layout_stages(const struct st_layouts *layouts, const struct st_type *type,
                               struct st_effort *effort, const struct st_layout **stages);

/* Makes the layout of a type from those of its bases, which must be in `layouts`. `watch` (may be
 * NULL) is called before each step. The work ends if it does not return ST_OK. */
struct st_watch {
    enum st_error (*repeated)(struct st_watch *watch, const struct st_layout *of, int64_t count,
                              int64_t stride);
    enum st_error (*united)(struct st_watch *watch, const struct st_placed *placed, size_t count);
    /* all that was made so far is displaced by `by` */
    void (*shifted)(struct st_watch *watch, int64_t by);
};

enum st_error st_layout_make(const struct st_layouts *layouts, const struct st_type *type,
                             struct st_watch *watch, struct st_effort *effort,
                             struct st_layout **layout);

#endif
