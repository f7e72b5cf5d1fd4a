/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Visits all pairs of a block of one layout and a block of another that may meet, without unfolding
 * what arithmetic can separate. Internal to the core, for overlap.h and self_overlap.h.
 *
 * Two strided blocks with digits x and y meet if
 *
 *     - length of one  <  shift + sum of x[k] * stride[k] - sum of y[l] * stride[l]  <  length of the other
 *
 * With the digits of y counted backwards (y' = count - 1 - y) all signs are plus, and levels of
 * equal stride become one level: z = x + y' takes nx + ny - 1 values. These are the joint levels.
 * digits.h finds out whether some z fit.
 *
 * If a side has a list in the place of a block, the search visits the members of the list, or the
 * digits of a level, whichever are fewer. Either way it visits only those that can reach the other
 * side: it finds digits by division, members by their bounds. Two lists of runs are compared side
 * by side.
 */
#ifndef ST_CORE_OVERLAP_PAIRS_H
#define ST_CORE_OVERLAP_PAIRS_H

#include "core/overlap/digits.h"
#include "core/layout/layout.h"

/* A joint level; digits from .. from + count - 1 are left of it. */
struct st_joint {
    uint64_t stride, from, count;
    uint64_t nx, ny; /* digits of x and y; both 0: the level between the sides (st_pairs_run) */
};

/* The block or the list that one side repeats. */
struct st_core {
    const struct st_list *list;
    uint64_t length;
};

struct st_pair {
    struct st_core x, y;
    st_wide shift;    /* from the first byte of y to that of x, if all digits that are left are 0 */
    st_wide x_at;     /* displacement of x in its side, by the digits that are fixed */
    uint64_t between; /* the digit of the level between the sides, if it is fixed */
    uint64_t weight;  /* how many pairs of digits (x, y) give the fixed digits z */
    struct st_joint *levels;
    size_t count;
};

struct st_pairs {
    struct st_effort *effort;
    /* Visits two blocks, with the levels that are left. ST_YES ends the search with that answer.
     * After ST_UNDECIDED this is the answer if no other pair returns ST_YES. */
    enum st_verdict (*visit)(struct st_pairs *pairs, struct st_pair *pair);
    bool one_level; /* visit only pairs with at most one level left */
    void *context;

    /* Set by st_pairs_first(): a piece that both sides share, and the digit of the level between. */
    uint64_t at; /* from the first byte of x */
    uint64_t length, between;
};

/* Visits the pairs of x and y; `at` of the items is ignored. `shift` is the distance from the first
 * byte of y to that of x. With a level `between` (may be NULL) x is repeated at shift + stride, ...
 * as its count says. Returns ST_NO if all pairs were visited and none returned anything else. */
enum st_verdict st_pairs_run(struct st_pairs *pairs, const struct st_item *x,
                             const struct st_item *y, st_wide shift,
                             const struct st_level *between);

/* A visit that ends the search at the first shared piece. */
enum st_verdict st_pairs_first(struct st_pairs *pairs, struct st_pair *pair);

/* Of digit z of a joint level: the digit of x, and the number of pairs (x, y) that give z. */
uint64_t st_joint_x(const struct st_joint *level, uint64_t z);
uint64_t st_joint_pairs(const struct st_joint *level, uint64_t z);

#endif
