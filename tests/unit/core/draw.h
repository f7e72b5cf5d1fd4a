/*
 * Random types by hand, of every combiner, by what they are to try:
 *
 *     const struct st_type *type = draw(&pool, &seed, DRAW_WIDE, 3);
 *
 * DRAW_SMALL has counts like the oracle's, DRAW_WIDE enough blocks for lists, levels over lists and
 * combs, DRAW_HOSTILE counts, strides and offsets as a damaged or a malicious program has them: up
 * to 2^63 - 1, negative, powers of two and their neighbours.
 */
#ifndef TESTS_DRAW_H
#define TESTS_DRAW_H

#include "hand.h"

enum draw_kind { DRAW_SMALL, DRAW_WIDE, DRAW_HOSTILE };

/* At most `depth` constructors above the basic types. */
const struct st_type *draw(struct st_pool *pool, uint64_t *seed, enum draw_kind kind, int depth);

/* The same with this combiner on top. */
const struct st_type *draw_combiner(struct st_pool *pool, uint64_t *seed, enum draw_kind kind,
                                    int depth, enum st_combiner combiner);

/* A number as this kind has them. */
int64_t draw_number(uint64_t *seed, enum draw_kind kind);

#endif
