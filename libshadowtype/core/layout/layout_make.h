/*
 * Making layouts (layout.h) from layouts: what the constructors of types come down to. Internal to
 * the core.
 *
 *     struct st_layout *row = st_layout_repeat(element, 512, 8);
 *     struct st_layout *plane = st_layout_repeat(row, 512, 8 * 512 * 512);
 *     st_layout_release(row);
 *
 * Each function returns a reference of the caller's; NULL: no memory (or, where an effort is given,
 * interrupted). A doubt of what is put in is a doubt of what comes out.
 */
#ifndef ST_CORE_LAYOUT_LAYOUT_MAKE_H
#define ST_CORE_LAYOUT_LAYOUT_MAKE_H

#include "core/layout/layout.h"

/* One without bytes yet, with room for `levels` levels. */
struct st_layout *st_layout_new(size_t levels);

/* No bytes (doubt NONE), or nothing known. */
struct st_layout *st_layout_nothing(enum st_doubt doubt);

/* `length` bytes from 0 on. */
struct st_layout *st_layout_block(uint64_t length);

/* `count` copies, `stride` apart; the first is `of` itself. */
struct st_layout *st_layout_repeat(const struct st_layout *of, int64_t count, int64_t stride);

struct st_layout *st_layout_shift(const struct st_layout *of, int64_t by);

/* The same with its first byte at `low`, from where on it must fit in 64 bits. */
struct st_layout *st_layout_moved(const struct st_layout *of, int64_t low);

/* `count` copies of `of`, `stride` apart, all displaced by `at`. */
struct st_placed {
    int64_t at, count, stride;
    const struct st_layout *of;
};

/* All of them together. */
struct st_layout *st_layout_union(const struct st_placed *placed, size_t count,
                                  struct st_effort *effort);

/* The layout of runs (one or more, counted from displacement `low`, in any order, overlapping or
 * not), which it takes: to be free()d, whatever comes out. */
struct st_layout *st_layout_of_runs(struct st_run *runs, size_t count, int64_t low);

/* Numbers that stand `width` bytes apart, inside of runs or items. */
struct st_number_column {
    const char *first;
    size_t width;
};

/* The levels whose digits, counted, give `count` ascending numbers, from the first on: how many,
 * ST_MOST_LEVELS at the most; 0: they are not regular. */
size_t st_progressions(struct st_number_column column, size_t count, struct st_level *levels);

/* `of`, which is released (NULL: NULL), on all levels, with its first byte at `low`. */
struct st_layout *st_layout_on_levels(struct st_layout *of, const struct st_level *levels,
                                      size_t count, int64_t low);

/* Makes the tree over the ends of a list's items. */
bool st_list_plant(struct st_list *list);

/* Sorts runs by their begin. */
void st_runs_sort(struct st_run *runs, size_t count);

/* Remainders modulo 32 (struct st_layout) of what is displaced by `by`. */
uint32_t st_residues_turned(uint32_t residues, uint64_t by);

/* What is placed as an item, with its first byte at 0, and the displacement of that byte. A solid
 * layout whose copies touch becomes a block. Not ST_DOUBT_NONE: it leaves 64 bits, or is not known;
 * item->count 0: no bytes. */
enum st_doubt st_item_of(const struct st_placed *placed, struct st_item *item, int64_t *low);

/* The bounds of `count` copies of a layout. Returns false if they leave 64 bits. */
bool st_copies_bounds(const struct st_layout *of, uint64_t count, int64_t stride, int64_t *low,
                      uint64_t *span);

/* a * b, or UINT64_MAX if that is more than 64 bits hold. */
uint64_t st_parts_product(uint64_t a, uint64_t b);

/* Whether two items are blocks, not necessarily of one length, on the same levels. */
bool st_item_on_levels_of(const struct st_item *a, const struct st_item *b);

/* Unfolds an item into runs, unsorted, st_item_parts() at the most; `*made` counts them on. They
 * are disjoint if none of the layouts in it names a byte twice. False: interrupted, or no
 * memory. */
bool st_item_unfold(const struct st_item *item, struct st_run *runs, size_t *made,
                    struct st_effort *effort);

/* The cache's record of a type. */
enum st_known_state { ST_NOT_KNOWN, ST_KNOWN_NO, ST_KNOWN_YES };

struct st_known {
    const struct st_type *type; /* NULL: a free slot */
    const struct st_layout *layout;
    enum st_known_state own;  /* whether the type names a byte twice (self_overlap.h) */
    enum st_known_state many; /* whether some count of it does, and the smallest */
    int64_t own_at, many_at, many_count;
};

/* The record, or NULL: st_layout_of() was not asked. Valid until the cache is asked for a type. */
struct st_known *st_layouts_known(const struct st_layouts *layouts, const struct st_type *type);

/* Keeps the layout of a type that has no record yet; takes the caller's reference. Returns false,
 * and releases the layout, if there is no memory. */
bool st_layouts_keep(struct st_layouts *layouts, const struct st_type *type,
                     const struct st_layout *layout);

/* The dimensions of a subarray or darray from each stage on (place.h, ST_STAGE_DIMENSION):
 * stages[s] is what stands at such a place; NULL where nothing does. All are to be released, after
 * a failure too. */
enum st_error st_layout_stages(const struct st_layouts *layouts, const struct st_type *type,
                               struct st_effort *effort, const struct st_layout **stages);

/* The layout that a type's constructor makes from those of its bases, which `layouts` has. What
 * `watch` is told (may be NULL) is each step of it, before it is done; what it returns other than
 * ST_OK ends the work. */
struct st_watch {
    enum st_error (*repeated)(struct st_watch *watch, const struct st_layout *of, int64_t count,
                              int64_t stride);
    enum st_error (*united)(struct st_watch *watch, const struct st_placed *placed, size_t count);
    /* what was made so far goes to displacement `by` */
    void (*shifted)(struct st_watch *watch, int64_t by);
};

enum st_error st_layout_make(const struct st_layouts *layouts, const struct st_type *type,
                             struct st_watch *watch, struct st_effort *effort,
                             struct st_layout **layout);

#endif
