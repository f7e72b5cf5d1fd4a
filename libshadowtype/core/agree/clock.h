/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one rank of a node knows of the others: a vector clock (L. Lamport 1978; C. Fidge 1988), and
 * a history in which each rank publishes its clocks.
 *
 * A rank counts ticks. Its clock has a number for each rank: it knows all that the rank did before
 * that tick. A synchronisation does not carry a clock, but (rank, tick): the other rank looks up in
 * the rank's history what its clock was then.
 *
 *     st_clock_publish(&history, &mine);                          // at a tick
 *     if (st_clock_at(other_history, tick, count, &its))          // what it knew then, or later
 *         changed = st_clock_join(&mine, &its, count);
 *
 * Clocks that are too old are not in the history any more: a later clock, which knows more, is used
 * instead. A rank that knows too much misses a conflict, but never reports a false one.
 */
#ifndef ST_CORE_AGREE_CLOCK_H
#define ST_CORE_AGREE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The number of ranks of a node whose clocks are kept, and of clocks of one rank. */
enum { ST_CLOCK_RANKS = 128, ST_CLOCKS_KEPT = 512 };

/* For a rank of which everything is known, whatever it does. */
#define ST_TICK_ALL UINT32_MAX

struct st_clock {
    uint32_t ticks[ST_CLOCK_RANKS];
};

/* One writer, any number of readers; all 0: no clocks yet. */
struct st_clock_history {
    uint32_t last; /* the last tick that was published; 0: none */
    uint32_t spare;
    struct st_clock_slot {
        uint32_t tick; /* stored last, 0 while the rest changes */
        struct st_clock clock;
    } slots[ST_CLOCKS_KEPT];
};

/* Publishes the clock of rank `own` for its tick clock->ticks[own]. */
void st_clock_publish(struct st_clock_history *history, const struct st_clock *clock, uint32_t own,
                      uint32_t count);

/* Finds what the rank knew at a tick, or at a later one. Returns false if that is not available. */
bool st_clock_at(const struct st_clock_history *history, uint32_t tick, uint32_t count,
                 struct st_clock *clock);

/* Adds to the clock what the other one knows. Returns true if that was more than it knew. */
bool st_clock_join(struct st_clock *clock, const struct st_clock *other, uint32_t count);

#endif
