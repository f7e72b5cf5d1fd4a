/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A balanced search tree (AVL). Its nodes are members of the user's structures.
 *
 *     struct task { struct st_tree_node node; ... };
 *     struct st_tree tree = {.before = task_before};
 *     st_tree_insert(&tree, &task->node);
 *     for (struct st_tree_node *n = st_tree_first(&tree); n; n = st_tree_next(n)) ...
 *     st_tree_remove(&tree, &task->node);
 *
 * Equal nodes are allowed: a new one is inserted after them. Nothing is allocated, and nothing can
 * fail. All operations take O(log n). Not thread-safe.
 */
#ifndef ST_CORE_OVERLAP_TREE_H
#define ST_CORE_OVERLAP_TREE_H

#include <stdbool.h>
#include <stddef.h>

struct st_tree_node {
    struct st_tree_node *child[2], *parent;
    int height;
};

struct st_tree {
    struct st_tree_node *root;
    bool (*before)(const struct st_tree_node *a, const struct st_tree_node *b);
};

void st_tree_insert(struct st_tree *tree, struct st_tree_node *node);
/* Removes a node, which must be in the tree. */
void st_tree_remove(struct st_tree *tree, struct st_tree_node *node);

struct st_tree_node *st_tree_first(const struct st_tree *tree);
struct st_tree_node *st_tree_next(const struct st_tree_node *node);
struct st_tree_node *st_tree_previous(const struct st_tree_node *node);

#endif
