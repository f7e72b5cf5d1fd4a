/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the bytes that two buffers share: the sum over all pairs of blocks that meet; a formula if
 * one level is left. */
#include <stdlib.h>

#include "core/layout/layout_make.h"
#include "core/overlap/overlap_internal.h"
#include "core/overlap/pairs.h"

/* Two blocks, by their lengths and the displacement between them. */
struct st_blocks {
    st_wide shift, x, y;
};

static st_wide shared(const struct st_blocks *blocks, st_wide displaced)
{
    st_wide from = blocks->shift + displaced, to = from + blocks->x;
    from = from < 0 ? 0 : from;
    to = to < blocks->y ? to : blocks->y;
    return to > from ? to - from : 0;
}

typedef unsigned __int128 modular; /* sums modulo 2^128; only the final result must fit */

/* n * (n - 1) / 2 and n * (n - 1) * (2 * n - 1) / 6, modulo 2^128, n < 2^64 */
static modular sum_of(uint64_t n)
{
    return n % 2 ? (modular)n * ((n - 1) / 2) : (modular)(n / 2) * (n - 1);
}

static modular sum_of_squares(uint64_t n)
{
    modular pairs = n ? sum_of(n) : 0, odd = 2 * (modular)n - 1;
    return pairs % 3 == 0 ? pairs / 3 * odd : pairs * (odd / 3);
}

/* Returns the sum, over n values from z on, of pairs of digits times shared bytes. Within such a
 * range both are linear in z. */
static modular sum_between(const struct st_joint *level, const struct st_blocks *blocks, uint64_t z,
                           uint64_t n)
{
    st_wide at = (st_wide)(z - level->from) * level->stride;
    modular p = st_joint_pairs(level, z), r = (modular)shared(blocks, at);
    if (n == 1) {
        return p * r;
    }
    modular q = (modular)st_joint_pairs(level, z + 1) - p;
    modular s = (modular)shared(blocks, at + level->stride) - r;
    return p * r * n + (p * s + q * r) * sum_of(n) + q * s * sum_of_squares(n);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* Splits the digits z where one of the two is not linear, and adds up the ranges. */
static modular sum_over(const struct st_joint *level, const struct st_blocks *blocks)
{
    const st_wide bends[] = {-blocks->x, 0, blocks->y - blocks->x, blocks->y};
    uint64_t stop = level->from + level->count, corners[16] = {level->from, stop};
    size_t count = 2;
    for (size_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        st_wide z = (bends[i] - blocks->shift) / level->stride;
        for (st_wide near = z - 1; near <= z + 1; near++) {
            if (near > 0 && near < level->count) {
                corners[count++] = level->from + (uint64_t)near;
            }
        }
    }
    uint64_t least = level->nx < level->ny ? level->nx : level->ny;
    uint64_t most = level->nx < level->ny ? level->ny : level->nx;
    if (level->nx && least > level->from && least - 1 < stop) {
        corners[count++] = least - 1;
    }
    if (level->nx && most > level->from && most - 1 < stop) {
        corners[count++] = most - 1;
    }
    qsort(corners, count, sizeof *corners, by_value);
    modular sum = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        uint64_t from = corners[i] < level->from ? level->from : corners[i];
        if (corners[i + 1] > from) {
            sum += sum_between(level, blocks, from, corners[i + 1] - from);
        }
    }
    return sum;
}

struct st_tally {
    modular bytes;
};

static enum st_verdict add_pair(struct st_pairs *pairs, struct st_pair *pair)
{
    struct st_tally *tally = pairs->context;
    struct st_blocks blocks = {pair->shift, pair->x.length, pair->y.length};
    tally->bytes += pair->weight * (pair->count ? sum_over(&pair->levels[0], &blocks)
                                                : (modular)shared(&blocks, 0));
    return ST_NO;
}

static bool count_bytes(const struct st_buffer *a, const struct st_buffer *b, st_wide shift,
                        struct st_effort *effort, uint64_t *bytes)
{
    struct st_tally tally = {0};
    struct st_pairs pairs = {
        .effort = effort, .visit = add_pair, .one_level = true, .context = &tally};
    if (st_pairs_run(&pairs, &a->item, &b->item, shift, NULL) != ST_NO) {
        return false;
    }
    *bytes = (uint64_t)tally.bytes;
    return true;
}

bool st_overlap_bytes(const struct st_buffer *a, const struct st_buffer *b,
                      struct st_effort *effort, uint64_t *bytes)
{
    const struct st_buffer *sides[2] = {a, b};
    struct st_buffer unfolded[2];
    const struct st_layout *layouts[2] = {NULL, NULL};
    st_wide shift;
    bool counted = true;
    *bytes = 0;
    if ((!a->doubt && !a->span) || (!b->doubt && !b->span)) {
        return true;
    }
    if (a->doubt || b->doubt) {
        return false;
    }
    if (!st_buffer_shift(a, b, &shift)) {
        return true;
    }
    for (int i = 0; i < 2 && counted; i++) {
        if (!sides[i]->disjoint) {
            counted = st_buffer_unfold(sides[i], &unfolded[i], &layouts[i], effort);
            sides[i] = &unfolded[i];
        }
    }
    counted = counted && count_bytes(sides[0], sides[1], shift, effort, bytes);
    st_layout_release(layouts[0]);
    st_layout_release(layouts[1]);
    return counted;
}
