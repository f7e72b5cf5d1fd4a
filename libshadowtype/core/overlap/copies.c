/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/copies.h"

#include <stdlib.h>

#include "core/layout/layout_make.h"
#include "core/overlap/overlap_internal.h"
#include "core/overlap/pairs.h"
#include "core/overlap/tree.h"

/* Compares two copies, low..high steps apart. x is the copy with the higher addresses, and `at`
 * counts from its first byte. Returns ST_YES if copies at some distance share a byte, and stores
 * the distance and the byte. */
static enum st_verdict some_copy(const struct st_layout *of, uint64_t step, uint64_t low,
                                 uint64_t high, struct st_effort *effort, uint64_t *apart,
                                 uint64_t *at)
{
    struct st_pairs pairs = {.effort = effort, .visit = st_pairs_first};
    struct st_item one = {.count = 1, .of = of};
    struct st_level between = {.count = high - low + 1, .stride = step};
    enum st_verdict verdict =
        st_pairs_run(&pairs, &one, &one, (st_wide)low * step, high > low ? &between : NULL);
    if (verdict == ST_YES) {
        *apart = low + (high > low ? pairs.between : 0);
        *at = pairs.at;
    }
    return verdict;
}

/* Finds the nearest copies that share a byte. In most types no copies do; in most others near ones
 * do. So the distance is doubled until there are some, and then halved. */
static enum st_verdict nearest(const struct st_layout *of, uint64_t step, uint64_t most,
                               struct st_effort *effort, uint64_t *apart, uint64_t *at)
{
    uint64_t low = 1, high = 1;
    enum st_verdict verdict = some_copy(of, step, low, most, effort, apart, at);
    while (verdict == ST_YES && low < *apart) {
        high = high < *apart / 2 ? high * 2 : low + (*apart - low) / 2;
        enum st_verdict nearer = some_copy(of, step, low, high, effort, apart, at);
        if (nearer == ST_UNDECIDED) {
            return nearer;
        }
        if (nearer == ST_NO) {
            low = high + 1;
        } else {
            high = *apart;
        }
    }
    return verdict;
}

/* --- runs, by remainders ------------------------------------------------------------------------- */

/* A run, or its part up to a multiple of the step: its quotient and remainder by the step. If two
 * pieces share a remainder, copies overlap that are as far apart as the quotients differ. */
struct st_local_piece {
    struct st_tree_node node; /* in order of the quotients */
    uint64_t quotient, from, to;
};

static const struct st_local_piece *piece_of(const struct st_tree_node *node)
{
    return (const struct st_local_piece *)node;
}

static bool by_quotient(const struct st_tree_node *a, const struct st_tree_node *b)
{
    return piece_of(a)->quotient < piece_of(b)->quotient;
}

static int by_remainder(const void *a, const void *b)
{
    const struct st_local_piece *one = a, *other = b;
    return (one->from > other->from) - (one->from < other->from);
}

static size_t cut_runs(const struct st_list *list, uint64_t step, struct st_local_piece *pieces)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        uint64_t quotient = list->runs[i].from / step, from = list->runs[i].from % step;
        uint64_t to = from + (list->runs[i].to - list->runs[i].from);
        uint64_t end = to < step ? to : step;
        pieces[count++] = (struct st_local_piece){.quotient = quotient, .from = from, .to = end};
        if (to > step) {
            pieces[count++] = (struct st_local_piece){.quotient = quotient + 1, .to = to - step};
        }
    }
    return count;
}

struct st_nearest {
    uint64_t apart; /* 0: none found */
    uint64_t at;
};

/* Compares a piece with the neighbour that shares a remainder with it. Pieces that ended before are
 * removed. */
static void meet_piece(struct st_tree *tree, const struct st_local_piece *piece, uint64_t step,
                       bool below, struct st_nearest *nearest)
{
    for (;;) {
        struct st_tree_node *node =
            below ? st_tree_previous(&piece->node) : st_tree_next(&piece->node);
        if (!node) {
            return;
        }
        const struct st_local_piece *other = piece_of(node);
        if (other->to <= piece->from) {
            st_tree_remove(tree, node);
            continue;
        }
        uint64_t low = below ? other->quotient : piece->quotient;
        uint64_t apart = below ? piece->quotient - low : other->quotient - low;
        if (apart && (!nearest->apart || apart < nearest->apart)) {
            nearest->apart = apart;
            nearest->at = low * step + piece->from;
        }
        return;
    }
}

/* Visits the pieces in the order of their remainders, and compares each with those that it meets:
 * only its neighbours by quotient matter. Disjoint runs never share both remainder and quotient. */
static enum st_verdict by_remainders(const struct st_list *list, uint64_t step,
                                     struct st_effort *effort, uint64_t *apart, uint64_t *at)
{
    struct st_nearest nearest = {0};
    struct st_tree tree = {.before = by_quotient};
    struct st_local_piece *pieces = malloc(2 * list->count * sizeof(*pieces));
    if (!pieces) {
        return st_undecided(effort, ST_DOUBT_MEMORY);
    }
    size_t count = cut_runs(list, step, pieces);
    qsort(pieces, count, sizeof(*pieces), by_remainder);
    for (size_t i = 0; i < count && nearest.apart != 1; i++) {
        if (!st_effort_goes_on(effort, 1)) {
            free(pieces);
            return ST_UNDECIDED;
        }
        st_tree_insert(&tree, &pieces[i].node);
        meet_piece(&tree, &pieces[i], step, true, &nearest);
        meet_piece(&tree, &pieces[i], step, false, &nearest);
    }
    free(pieces);
    *apart = nearest.apart;
    *at = nearest.at;
    return nearest.apart ? ST_YES : ST_NO;
}

/* --- any layout ---------------------------------------------------------------------------------
 */

/* Returns true if a run is longer than the step, so that neighbouring copies overlap, and stores
 * where. */
static bool longer(const struct st_list *list, uint64_t step, uint64_t *at)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->runs[i].to - list->runs[i].from > step) {
            *at = list->runs[i].from;
            return true;
        }
    }
    return false;
}

static enum st_verdict of_runs(const struct st_list *list, uint64_t step, struct st_effort *effort,
                               uint64_t *apart, uint64_t *at)
{
    if (longer(list, step, at)) {
        *apart = 1;
        return ST_YES;
    }
    return by_remainders(list, step, effort, apart, at);
}

static enum st_verdict of_any(const struct st_layout *of, uint64_t step, uint64_t most,
                              struct st_effort *effort, uint64_t *apart, uint64_t *at)
{
    if (most > 2 && of->list && of->list->runs && !of->level_count) {
        enum st_verdict verdict = of_runs(of->list, step, effort, apart, at);
        return verdict == ST_YES && *apart > most ? ST_NO : verdict;
    }
    return nearest(of, step, most, effort, apart, at);
}

enum st_verdict st_copies_overlap(const struct st_layout *of, uint64_t count, int64_t stride,
                                  struct st_effort *effort, struct st_copies *copies)
{
    if (of->doubt) {
        return st_undecided(effort, of->doubt);
    }
    if (count < 2 || st_layout_empty(of)) {
        return ST_NO;
    }
    uint64_t step = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride, at = 0;
    copies->apart = 1;
    if (step == 0) {
        copies->at = of->low;
        return ST_YES;
    }
    uint64_t most = (of->span - 1) / step;
    most = most < count - 1 ? most : count - 1;
    if (most == 0) {
        return ST_NO;
    }
    uint64_t kept = effort->steps / 2;
    effort->steps -= kept;
    enum st_verdict verdict = of_any(of, step, most, effort, &copies->apart, &at);
    bool stuck = verdict == ST_UNDECIDED && effort->doubt == ST_DOUBT_STEPS;
    effort->steps += kept;
    if (stuck) {
        struct st_buffer whole = {.item = {.count = 1, .of = of}}, unfolded;
        const struct st_layout *runs = NULL;
        if (st_buffer_unfold(&whole, &unfolded, &runs, effort)) {
            verdict = of_any(runs, step, most, effort, &copies->apart, &at);
        }
        st_layout_release(runs);
    }
    if (verdict == ST_YES) {
        at += stride > 0 ? copies->apart * step : 0; /* else copy 0 has the higher addresses */
        copies->at = of->low + (int64_t)at;
    }
    return verdict;
}
