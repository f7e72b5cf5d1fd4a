/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of a buffer viewed through a datatype, in the form in which gdb would write a value of
 * that shape.
 *
 * The shape is the expanded type-tree (core/model/place.h): one pair of braces per stage (without
 * `stages`, only per stage that has not just one child), the entries of a struct with their indices.
 * `fortran` writes parentheses. `print elements`, `print repeats` and `print max-depth` cut lists, fold
 * repeats and limit nesting like in gdb itself, so that a buffer of 10^12 elements costs only what is
 * shown of it. This module writes numbers in the natural format; the caller's
 * format_run (that is, gdb itself) writes all else.
 */
#ifndef ST_RENDER_RENDER_H
#define ST_RENDER_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/error.h"
#include "core/model/memory.h"
#include "core/model/place.h"
#include "text.h"

#define ST_RENDER_STACK 1536

/* The program's names for the entries of a struct, at each place of `type` in an array of the
 * program: origin + i0 * stride0 + i1 * stride1 + ..., with i < count (negative: without end). */
struct st_entry_names {
    uint32_t type; /* its ordinal */
    uint64_t origin;
    const struct st_names_level {
        int64_t count, stride;
    } *levels;
    size_t level_count;
    const char *const *names; /* one for each entry; NULL: none, its index is shown */
};

struct st_render_options {
    uint64_t elements;  /* `print elements`; UINT64_MAX: unlimited */
    uint64_t repeats;   /* `print repeats`; UINT64_MAX: unlimited */
    uint64_t max_depth; /* `print max-depth`; a level takes ST_RENDER_STACK bytes of stack */
    bool pretty;        /* print pretty */
    bool array;         /* print array */
    bool array_indexes; /* print array-indexes */
    bool stages;        /* also show stages of one child (fold.h) */
    bool fortran;       /* parentheses in the place of braces: (1, 2), ( a = 1, b = 2 ); an array's
                           indices begin at 1 */
    bool brief;         /* ends lists after some thousand letters */
    bool natural;       /* no format letter: this module writes numbers */
    const struct st_entry_names *names;
    size_t names_count;
    /* Appends the text of `count` packed elements: a list in braces, or, if not is_array (count 1),
     * a bare value. If it returns false, the rendering fails with ST_INTERRUPTED. */
    bool (*format_run)(void *context, struct st_text *text, const struct st_basic *basic,
                       const void *data, int64_t count, bool is_array);
    /* Called now and then in long loops. If it returns true, the rendering ends with
     * ST_INTERRUPTED. */
    bool (*interrupted)(void *context);
    void *context;
};

/* The data that could not be read: address and length as in the fault, and the child indices that
 * lead to the element from the root place, outermost first. */
#define ST_MOST_INDICES 64
struct st_render_failure {
    struct st_fault fault;
    int64_t indices[ST_MOST_INDICES];
    size_t index_count; /* deeper ones are left out */
};

/* Appends the text of the buffer. After a failure the text has what came before it. */
enum st_error st_render(struct st_text *text, const struct st_place *place,
                        struct st_memory *memory, const struct st_render_options *options,
                        struct st_render_failure *failure);

/* Packs the children start..stop-1 of a run (st_place_run), or a leaf itself (0, 1), one after the
 * other into `data`. *bad is the first address that cannot be read. */
enum st_error st_gather(const struct st_place *place, struct st_memory *memory, int64_t start,
                        int64_t stop, void *data, struct st_fault *fault);

#endif
