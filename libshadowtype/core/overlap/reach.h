/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether a buffer stays in the blocks of memory where it begins.
 *
 *     struct st_reach reach;
 *     struct st_areas areas = {.at = ask, .context = heap};
 *     if (st_reach_outside(type, address, count, 0, &areas, &effort, &reach) == ST_YES) {
 *         ... the element along reach.path, at reach.element, is outside of reach.area ...
 *     }
 *     st_reach_deinit(&reach);
 *
 * A type map does not say to which block of memory a byte belongs. MPI-4.0, 5.1.12 allows
 * displacements from one variable to another only as absolute addresses; but programs use relative
 * ones as well. So these rules apply:
 *
 * - All that a count, a block length, a stride or a subarray repeats must stay in the block of its
 *   first repetition, however the type is nested. (One exception: steps in bytes, of an hvector or
 *   of a resized extent, that are as long as the whole block and lead into another one.)
 * - Blocks that a struct or an (h)indexed(_block) type places may each be in another block of
 *   memory.
 * - indexed and indexed_block count in elements: their blocks that are in no known block of memory
 *   must be in that of the first one.
 * - If the first one is in no known block, nothing is reported.
 *
 * Nothing that is repeated is unrolled: the first and the last repetition are enough. Placed blocks
 * are checked one by one, unless the whole type is in one block of memory.
 */
#ifndef ST_CORE_OVERLAP_REACH_H
#define ST_CORE_OVERLAP_REACH_H

#include "core/overlap/elements.h"

/* The bytes from..to-1. */
struct st_area {
    uint64_t from, to;
};

/* The blocks of memory that are known. */
struct st_areas {
    /* Stores the block that contains the byte at `address`. Returns false if none is known. */
    bool (*at)(void *context, uint64_t address, struct st_area *area);
    void *context;
};

struct st_reach {
    struct st_area area; /* the block where it should be */
    uint64_t low, high;  /* the repetitions extend over the bytes low..high-1 */
    /* The address of the first element outside, in the order of the type map, and its path from the
     * repetition on. */
    uint64_t element;
    struct st_path path;
};

/* Checks `count` elements of the type from `address` on. An element at address a that is in no
 * known block must be in the block of a + shift; shift 0: there is no such rule. Returns ST_NO if
 * nothing is known to be outside; ST_UNDECIDED if there are more blocks than steps, no memory, or
 * bytes beyond 64 bits. Thread-safe if areas->at is. */
enum st_verdict st_reach_outside(const struct st_type *type, uint64_t address, int64_t count,
                                 int64_t shift, const struct st_areas *areas,
                                 struct st_effort *effort, struct st_reach *reach);
void st_reach_deinit(struct st_reach *reach);

#endif
