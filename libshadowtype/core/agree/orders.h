/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order in which a rank calls collectives of several communicators, for an observer: all ranks together must not
 * call them in a circle (MPI-4.0, 6.14).
 *
 *     struct st_order_room                 one in the area of each rank (segment.h): its last turns to another communicator
 *     st_order_note(room, &turn);          the rank, when a blocking call is on another communicator than the one before
 *     count = st_order_read(room, turns);  the observer: the last ones, oldest first
 *
 * A rank that stays on one communicator writes nothing. Nonblocking calls are in no order.
 */
#ifndef ST_CORE_AGREE_ORDERS_H
#define ST_CORE_AGREE_ORDERS_H

#include <stddef.h>
#include <stdint.h>

/* From this call on the thread is on this communicator, window or file. */
struct st_order_turn {
    uint64_t comm;   /* as in struct st_collective */
    uint64_t number; /* of its first call there */
    uint64_t before; /* of the last call at the turn before this one */
    uint64_t thread; /* calls of two threads have no order */
    uint32_t place;  /* where it was called, as in struct st_collective */
    uint32_t called;
};

enum { ST_ORDER_TURNS = 512 };
struct st_order_room {
    uint64_t written; /* turns, ever; stored last */
    struct st_order_turn turns[ST_ORDER_TURNS];
};

/* Only the area's rank does, one thread at a time. */
void st_order_note(struct st_order_room *room, const struct st_order_turn *turn);

/* Returns how many. What is written meanwhile is left out. */
size_t st_order_read(const struct st_order_room *room, struct st_order_turn turns[ST_ORDER_TURNS]);

/* The same. *first: how many turns the rank had written before the first one of these. */
size_t st_order_read_from(const struct st_order_room *room,
                          struct st_order_turn turns[ST_ORDER_TURNS], uint64_t *first);

#endif
