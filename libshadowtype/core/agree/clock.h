/*
 * What one rank of a node knows of the others: a vector clock (L. Lamport 1978; C. Fidge 1988), and where each rank
 * leaves its own for those who learn of it.
 *
 * A rank counts ticks. Its clock has a number for each rank: it knows all that the rank did before that tick. A
 * synchronisation carries no clock, but (rank, tick): the other one finds in the rank's history what its clock was then.
 *
 *     st_clock_publish(&history, &mine);                          // at a tick
 *     if (st_clock_at(other_history, tick, count, &its))          // what it knew then, or later
 *         changed = st_clock_join(&mine, &its, count);
 *
 * What is too old stands there no more: a later clock takes its place, which knows more. Who knows too much misses
 * a conflict; nothing is ever taken for one.
 */
#ifndef ST_CORE_AGREE_CLOCK_H
#define ST_CORE_AGREE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The ranks of a node whose clocks are kept, and the clocks of one rank. */
enum { ST_CLOCK_RANKS = 128, ST_CLOCKS_KEPT = 512 };

/* Of a rank of which all is known, whatever it does. */
#define ST_TICK_ALL UINT32_MAX

struct st_clock {
    uint32_t ticks[ST_CLOCK_RANKS];
};

/* One writer, any readers; all 0 is one without clocks. */
struct st_clock_history {
    uint32_t last; /* the last tick that was published; 0: none */
    uint32_t spare;
    struct st_clock_slot {
        uint32_t tick; /* stored last, 0 while the rest changes */
        struct st_clock clock;
    } slots[ST_CLOCKS_KEPT];
};

/* Leaves the clock that rank `own` has at its tick clock->ticks[own]. */
void st_clock_publish(struct st_clock_history *history, const struct st_clock *clock, uint32_t own,
                      uint32_t count);

/* Finds what the history's rank knew at a tick, or at a later one. Returns false if that is not to be had. */
bool st_clock_at(const struct st_clock_history *history, uint32_t tick, uint32_t count,
                 struct st_clock *clock);

/* The clock knows what the other one knows, too. Returns true if that is more than it knew. */
bool st_clock_join(struct st_clock *clock, const struct st_clock *other, uint32_t count);

#endif
