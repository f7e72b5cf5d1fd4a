/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interval trees of active buffers: B-trees, so that a node is a few cache lines. Only for
 * active.c, which decides whether entries are sorted by address or by place in a row.
 */
#ifndef ST_CORE_OVERLAP_ACTIVE_TREE_H
#define ST_CORE_OVERLAP_ACTIVE_TREE_H

#include "core/overlap/active.h"

/* Inserts an entry with the bounds first..last. Sets active->where and ->in, and sets them again
 * when its leaf is split or joined. Returns false if there is no memory. */
bool st_active_tree_put(struct st_active_tree *tree, struct st_active *active, uint64_t first,
                        uint64_t last);

/* Removes an entry. `leaf` must have it, and it must begin at `first`. */
void st_active_tree_take(struct st_active_tree *tree, struct st_active_node *leaf,
                         const struct st_active *active, uint64_t first);

/* Frees the nodes. */
void st_active_tree_free(struct st_active_tree *tree);

/* Returns the neighbour of first..last in the order of the tree, if it meets first..last; else
 * NULL. */
struct st_active *st_active_tree_nearest(const struct st_active_tree *tree, uint64_t first,
                                         uint64_t last);

typedef bool (*st_active_visit)(void *context,
                                struct st_active *active); /* returns true to continue */

/* Visits the entries that meet low..high, in order. Returns false if a visit has ended it. */
bool st_active_tree_within(const struct st_active_tree *tree, uint64_t low, uint64_t high,
                           st_active_visit visit, void *context);

#endif
