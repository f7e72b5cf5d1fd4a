/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * match-race: a receive from MPI_ANY_SOURCE has got the message of one rank, and could have got
 * that of another one: nothing orders the other send after the end of the receive. The order is
 * that of clocks.h, so that it does not matter which message came first in this run.
 *
 * Each receive from any source is kept for a while, with the rank's tick when it was complete. A
 * message that is received later, by a receive that was posted later, could have been its message,
 * unless its sender knew of that tick when it sent. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_RACED_H
#define ST_RUNTIME_RANKS_RACED_H

#include <stdatomic.h>

#include "runtime/ranks/misfits.h"

extern atomic_bool st_raced_on __attribute__((visibility("hidden")));
static inline bool st_raced_is_on(void)
{
    return __builtin_expect(atomic_load_explicit(&st_raced_on, memory_order_relaxed), 0);
}

/* To be called once st_clocks_begin() has succeeded. Returns false if there is no memory. */
bool st_raced_begin(void);

/* A receive from any source has taken a message; taker->completed is the tick at its end. */
void st_raced_took(const struct st_message_end *taker, const struct st_sent_message *taken);
/* Finds an earlier receive that could have got this message, which was taken by a receive that is
 * number `posted` of those that were posted (UINT64_MAX: by none). Each call site is found once. */
bool st_raced_find(const struct st_sent_message *other, uint64_t posted, struct st_misfit *race);

#endif
