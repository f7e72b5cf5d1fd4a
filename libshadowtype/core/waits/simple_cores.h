/* SPDX-License-Identifier: BSD-3-Clause */
/* The cores of a graph (graph.h) in which each dead node waits for one dead node. Most jobs that hang are like that, and
 * it takes a third of the time. */
#ifndef ST_CORE_WAITS_SIMPLE_CORES_H
#define ST_CORE_WAITS_SIMPLE_CORES_H

#include "core/waits/graph.h"

/* Gives each core its number, by size; those of one size stay in their order. `sizes` is by core. Sets numbers[core], and
 * dead->sizes by number. Returns false where memory ends. */
bool st_cores_sort(const uint32_t *sizes, size_t count, uint32_t *numbers, struct st_dead *dead);

/* Finds the cores, and sets dead->core and dead->below, which are ST_NO_CORE of all nodes before. `targets` has room for
 * a number of each node, which mean nothing after it.
 * *is_done: false: the graph is not so simple, and nothing was found. Returns false where memory ends. */
bool st_cores_find_simple(const struct st_waits *waits, uint32_t *targets, struct st_dead *dead,
                          bool *is_done);

#endif
