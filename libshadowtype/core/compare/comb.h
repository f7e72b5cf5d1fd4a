/*
 * The type map as combs: a comb is one basic type at one displacement, repeated over nested levels
 * of (count, stride). However many elements a type sends, as many combs are told as its tree has
 * basic types, one more for each entry of a struct or an indexed type.
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
 * Each comb's elements are in the order of the type map; of two combs they may be interleaved there
 * (a vector of structs), and what stands between two combs is not said. Strides are of any
 * sign, or 0.
 */
#ifndef ST_CORE_COMPARE_COMB_H
#define ST_CORE_COMPARE_COMB_H

#include "core/compare/nest.h"
#include "core/model/place.h"

/* What is nested deeper is passed on as several combs. */
#define ST_COMB_LEVELS 16

struct st_comb {
    const struct st_type *leaf; /* a basic type; or, if !leaf->leaf, one whose inside is unknown */
    struct st_nest at;          /* bytes from the buffer's address; outermost level first */
};

struct st_comb_frame;

struct st_combs {
    struct st_comb_frame *stack;
    size_t depth, capacity;
    struct st_nest_level level[ST_COMB_LEVELS]; /* of the place that is walked */
    uint64_t steps;                             /* places visited so far: what the walk has cost */
};

/* `count` repetitions of `type`, which must live as long as the walk. Needs no deinit if it fails
 * (ST_NO_MEMORY). */
enum st_error st_combs_init(struct st_combs *combs, const struct st_type *type, int64_t count);
void st_combs_deinit(struct st_combs *combs);

/* The next comb; *more false: there was none. At most `most` places are visited: past that *more is
 * true and comb->leaf NULL. ST_OVERFLOW, ST_NO_MEMORY. */
enum st_error st_combs_next(struct st_combs *combs, uint64_t most, struct st_comb *comb,
                            bool *more);

#endif
