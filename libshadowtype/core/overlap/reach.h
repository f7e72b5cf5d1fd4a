/*
 * Whether a buffer stays in the blocks of memory that it lies in.
 *
 *     struct st_reach reach;
 *     struct st_areas areas = {.at = ask, .context = heap};
 *     if (st_reach_outside(type, address, count, 0, &areas, &effort, &reach) == ST_YES) {
 *         ... the element along reach.path, at reach.element, lies outside of reach.area ...
 *     }
 *     st_reach_deinit(&reach);
 *
 * Which block a byte has to lie in is not written in a type map. MPI-4.0, 5.1.12 lets displacements
 * lead from one variable to another only by absolute addresses; programs do it by relative ones as
 * well. So it is taken like this:
 *
 * - What a count, a block length, a stride or a subarray repeats stays in the block where the first
 *   one lies: all of it must, however the type is nested. (One exception: steps in bytes, of an
 *   hvector or of a resized extent, that are as long as the whole block and lead into another one.)
 * - Blocks that a struct or an (h)indexed(_block) type places, one by one, may each lie in a block of
 *   memory of their own.
 * - Of indexed and indexed_block, which count in elements, one that lies in no known block at all
 *   counts with the first one.
 * - Where the first one lies in no known block nothing is said.
 *
 * Nothing that is repeated is unrolled: the first and the last one tell of all. Blocks that are
 * placed are looked at one by one, where their type does not lie in one block of memory as a whole.
 */
#ifndef ST_CORE_OVERLAP_REACH_H
#define ST_CORE_OVERLAP_REACH_H

#include "core/overlap/elements.h"

/* The bytes from..to-1. */
struct st_area {
    uint64_t from, to;
};

/* Which blocks of memory there are. */
struct st_areas {
    /* The one that has the byte at `address`; false: none is known. */
    bool (*at)(void *context, uint64_t address, struct st_area *area);
    void *context;
};

struct st_reach {
    struct st_area area; /* where it should lie */
    uint64_t low, high;  /* what is repeated lies in the bytes low..high-1 */
    /* The first element outside, in the order of the type map; a path from the repetition on. */
    uint64_t element;
    struct st_path path;
};

/* `count` elements of the type from `address` on. `shift` is what an element at address a counts
 * with, a + shift, where it lies in no known block; 0: with none. ST_NO: nothing lies outside, or
 * nothing that is known. ST_UNDECIDED: more blocks than steps, no memory, or bytes beyond 64 bits.
 * Thread-safe as far as areas->at is. */
enum st_verdict st_reach_outside(const struct st_type *type, uint64_t address, int64_t count,
                                 int64_t shift, const struct st_areas *areas,
                                 struct st_effort *effort, struct st_reach *reach);
void st_reach_deinit(struct st_reach *reach);

#endif
