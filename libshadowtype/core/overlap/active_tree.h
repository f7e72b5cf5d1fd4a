/*
 * The interval trees that active buffers stand in: B-trees, for nodes of a few cache lines. For active.c
 * alone; what an entry is sorted by, addresses or places in a row, is its to say.
 */
#ifndef ST_CORE_OVERLAP_ACTIVE_TREE_H
#define ST_CORE_OVERLAP_ACTIVE_TREE_H

#include "core/overlap/active.h"

/* It covers first..last there. active->where and ->in are set, and set again when its leaf is split or
 * joined. False: no memory. */
bool st_active_tree_put(struct st_active_tree *tree, struct st_active *active, uint64_t first,
                        uint64_t last);

/* `leaf` has it, where it begins at `first`. */
void st_active_tree_take(struct st_active_tree *tree, struct st_active_node *leaf,
                         const struct st_active *active, uint64_t first);

/* The nodes. */
void st_active_tree_free(struct st_active_tree *tree);

/* The neighbour of first..last, if it meets that; NULL: none does as near. */
struct st_active *st_active_tree_nearest(const struct st_active_tree *tree, uint64_t first,
                                         uint64_t last);

typedef bool (*st_active_visit)(void *context, struct st_active *active); /* true: go on */

/* Those that meet low..high, in order; false: stopped. */
bool st_active_tree_within(const struct st_active_tree *tree, uint64_t low, uint64_t high,
                           st_active_visit visit, void *context);

#endif
