/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether ranks call collectives of several communicators in a circle: each in an order in which it waits for the next
 * one (MPI-4.0, 6.14).
 *
 *     struct st_order_calls sequences[] = {{turns of rank 0, 3, 0}, {turns of rank 1, 2, 1}};
 *     st_circles_find(sequences, 2, found, context);
 *
 * All calls are run through as MPI would if each one waited for all its ranks: a call is over once all ranks that are known to make it have
 * come to it. Ranks that stay behind are in a circle. A rank that is not known to make a call is not waited for. So communicators that merely overlap
 * are in no circle, whatever their ranks.
 */
#ifndef ST_CORE_AGREE_CIRCLE_H
#define ST_CORE_AGREE_CIRCLE_H

#include <stdbool.h>

#include "core/agree/orders.h"

/* What a rank has left (orders.h). */
struct st_order_calls {
    const struct st_order_turn *turns; /* oldest first, of all its threads */
    size_t count;
    uint32_t rank;
};

/* A rank in the circle: it calls `first` before `then`, and so waits in it for the rank of the step after it, which has called
 * its own `first` before that. */
struct st_circle_step {
    uint32_t rank;
    const struct st_order_turn *first; /* where it has turned to the communicator of the call */
    uint64_t first_number;             /* of the call */
    const struct st_order_turn *then;
    uint64_t then_number;
};

enum { ST_MOST_STEPS = 16 };
struct st_circle {
    struct st_circle_step steps[ST_MOST_STEPS];
    size_t count;
};

/* Calls `found` with each circle; a circle is left by passing over a call. Longer ones than ST_MOST_STEPS are left out.
 * Returns false if there is no memory. */
bool st_circles_find(const struct st_order_calls *ranks, size_t count,
                     void (*found)(const struct st_circle *circle, void *context), void *context);

#endif
