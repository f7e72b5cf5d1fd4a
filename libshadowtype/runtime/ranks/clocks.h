/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this rank knows of the others of its node (core/agree/clock.h), to find out which of two
 * one-sided calls came first. Each function of MPI that orders two ranks joins a clock here.
 *
 * If it is not known what a call orders, the rank joins too much: all that the others have done by
 * now. It then misses conflicts, but never reports a false one. The caller holds the recorder's
 * lock.
 */
#ifndef ST_RUNTIME_RANKS_CLOCKS_H
#define ST_RUNTIME_RANKS_CLOCKS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/agree/access.h"

extern atomic_bool st_clocks_on __attribute__((visibility("hidden")));
static inline bool st_clocks_are_on(void)
{
    return __builtin_expect(atomic_load_explicit(&st_clocks_on, memory_order_relaxed), 0);
}

/* To be called if the rank is one of a node's (node.h). Returns false if there is no memory, or if
 * there are too many ranks. */
bool st_clocks_begin(void);

/* Returns how many ranks have clocks. */
uint32_t st_clocks_count(void);

/* Returns this rank's tick, which others learn. Its clock is then in its history. */
uint32_t st_clocks_tick(void);
/* Starts the next tick: later actions are after all before. Returns it. */
uint32_t st_clocks_step(void);
/* Returns what this rank knows. */
const struct st_clock *st_clocks_now(void);

/* This rank has learnt of a tick of another one (by index in the table of ranks); the others: of
 * all that this rank, or each rank, has done by now. */
void st_clocks_join(uint32_t rank, uint32_t tick);
void st_clocks_join_current(uint32_t rank);
void st_clocks_join_all(void);
/* Something orders ranks that cannot be seen here: from now on nothing that involves this rank is a
 * conflict. */
void st_clocks_blind(void);

/* Stores what a rank knew at a tick, or later. */
void st_clocks_of(uint32_t rank, uint32_t tick, struct st_clock *clock);

/* A message of this rank has a place in its room, and is about to become visible there; another
 * rank has found one. */
void st_clocks_sends(uint32_t place);
void st_clocks_receives(uint32_t sender, uint32_t place);
/* This rank has received a message (st_clocks_name_message()), and not joined its sender's clock yet. */
void st_clocks_take(uint64_t message);
/* This rank knows that the other one has begun to receive a message. */
void st_clocks_join_taken(uint32_t receiver, uint64_t message);
/* Returns the name of a message. Never 0. */
uint64_t st_clocks_name_message(uint64_t channel, uint64_t number);
/* The name of the last message of this rank; 0: it is not known. */
extern uint64_t st_clocks_last_message __attribute__((visibility("hidden")));
/* Returns the sender's tick when it sent the message in that place, or a later one; 0 if not known. */
uint32_t st_clocks_sent(uint32_t sender, uint32_t place);

/* This rank enters a collective call, given by the id of its communicator and the call's number. */
void st_clocks_enter(uint64_t comm, uint32_t number);
/* This rank has left the call, and the other one had entered it before. */
void st_clocks_met(uint32_t rank, uint64_t comm, uint32_t number);

/* A tick that others find by the name of a window, by the kind of event. */
enum st_clock_mark {
    ST_MARK_RELEASED, /* a lock was released */
    ST_MARK_RELEASED_EXCLUSIVE,
    ST_MARK_COMPLETED, /* MPI_Win_complete */
    ST_MARK_UPDATED    /* an atomic access */
};
void st_clocks_mark(uint64_t window, enum st_clock_mark mark, uint32_t tick);
void st_clocks_join_mark(uint32_t rank, uint64_t window, enum st_clock_mark mark);

#endif
