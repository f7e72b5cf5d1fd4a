/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The type map as combs: a comb is one basic type at one displacement, repeated over nested levels
 * of (count, stride). The number of combs does not depend on the number of elements: there is one
 * for each basic type of the tree, times the entries of a struct or an indexed type.
 *
 *     struct st_combs combs;
 *     struct st_comb comb;
 *     bool more;
 *     st_combs_init(&combs, type, count);
 *     while (!(error = st_combs_next(&combs, UINT64_MAX, &comb, &more)) &&
 *            more) {
 *         ... comb.leaf at comb.at.start, comb.at.level[0].count times ...
 *     }
 *     st_combs_deinit(&combs);
 *
 * The elements of a comb are in the order of the type map. Those of two combs may interleave there
 * (a vector of structs). Strides may be negative or 0.
 */
#ifndef ST_CORE_COMPARE_COMB_H
#define ST_CORE_COMPARE_COMB_H

#include "core/compare/nest.h"
#include "core/model/place.h"

/* Deeper nesting gives several combs. */
#define ST_COMB_LEVELS 16

struct st_comb {
    const struct st_type *leaf; /* a basic type; if !leaf->leaf, a type whose inside is unknown */
    struct st_nest at;          /* bytes from the buffer's address */
};

struct st_comb_frame;

struct st_combs {
    struct st_comb_frame *stack;
    size_t depth, capacity;
    struct st_nest_level level[ST_COMB_LEVELS]; /* of the current place */
    uint64_t steps;                             /* places visited so far: the cost of the walk */
};

/* Starts with `count` repetitions of `type`, which must live as long as the walk. If it fails
 * (ST_NO_MEMORY) no deinit is needed. */
enum st_error st_combs_init(struct st_combs *combs, const struct st_type *type, int64_t count);
void st_combs_deinit(struct st_combs *combs);

/* Stores the next comb; *more is false if there is none. At most `most` places are visited; if that
 * is not enough, *more is true and comb->leaf NULL. Returns ST_OVERFLOW, ST_NO_MEMORY. */
enum st_error st_combs_next(struct st_combs *combs, uint64_t most, struct st_comb *comb,
                            bool *more);

#endif
