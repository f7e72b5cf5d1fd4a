/*
 * Two layouts against one another: all pairs of a block of one and a block of the other that may
 * meet, without unfolding what arithmetic can tell apart. Internal to the core; overlap.h and
 * self_overlap.h ask with it.
 *
 * Two strided blocks with digits x and y meet where
 *
 *     - length of one  <  shift + sum of x[k] * stride[k] - sum of y[l] * stride[l]  <  length of
 * the other
 *
 * With the digits of y counted backwards (y' = count - 1 - y) all signs are plus, and levels of one
 * stride are one level: z = x + y' takes nx + ny - 1 values. These are the joint levels; whether
 * some z fit is the question of digits.h.
 *
 * Where a list stands in the place of a block, the search goes on with the members of the list, or
 * with the digits of a level: whichever are fewer. Either way only those are looked at that can
 * reach the other side: digits by division, members by their bounds. Two lists of runs are gone
 * through side by side.
 */
#ifndef ST_CORE_OVERLAP_PAIRS_H
#define ST_CORE_OVERLAP_PAIRS_H

#include "core/overlap/digits.h"
#include "core/layout/layout.h"

/* A joint level: digits from .. from + count - 1 are left of it. */
struct st_joint {
    uint64_t stride, from, count;
    uint64_t nx, ny; /* digits of either side; both 0: the level between the two (st_pairs_run) */
};

/* What is repeated on one side: a block, or a list. */
struct st_core {
    const struct st_list *list;
    uint64_t length;
};

struct st_pair {
    struct st_core x, y;
    st_wide shift; /* from the first byte of y to that of x, with all digits that are left at 0 */
    st_wide x_at;  /* of x, from the first byte of its side, by the digits that are not left */
    uint64_t between; /* the digit of the level between the two, if it is not left */
    uint64_t weight;  /* pairs of digits (x, y) that gave the digits z that are not left */
    struct st_joint *levels;
    size_t count;
};

struct st_pairs {
    struct st_effort *effort;
    /* Two blocks, with the levels that are left. ST_YES ends the search with that; ST_UNDECIDED is
     * the answer if no other pair says ST_YES. */
    enum st_verdict (*visit)(struct st_pairs *pairs, struct st_pair *pair);
    bool one_level; /* visit only pairs with one level left, or none */
    void *context;

    /* st_pairs_first(): a piece that both sides share, and the digit of the level between. */
    uint64_t at; /* from the first byte of x */
    uint64_t length, between;
};

/* Visits the pairs of x and y, of which only the sizes count (`at` is nothing here); `shift` is
 * from the first byte of y to that of x. With a level `between` (NULL: none) x also stands at its
 * multiples: at shift + stride, ... up to its count. ST_NO: all were visited, and none said more.
 */
enum st_verdict st_pairs_run(struct st_pairs *pairs, const struct st_item *x,
                             const struct st_item *y, st_wide shift,
                             const struct st_level *between);

/* A visit that ends at the first piece that is shared. */
enum st_verdict st_pairs_first(struct st_pairs *pairs, struct st_pair *pair);

/* The digit of x in digit z of a joint level, and how many pairs (x, y) z stands for. */
uint64_t st_joint_x(const struct st_joint *level, uint64_t z);
uint64_t st_joint_pairs(const struct st_joint *level, uint64_t z);

#endif
