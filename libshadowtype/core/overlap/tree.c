/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/tree.h"

static int height(const struct st_tree_node *node)
{
    return node ? node->height : 0;
}

/* Returns a positive number if the right subtree is higher. */
static int lean_of(const struct st_tree_node *node)
{
    return height(node->child[1]) - height(node->child[0]);
}

/* Updates the height. Returns false if it did not change. */
static bool renew_node(struct st_tree_node *node)
{
    int left = height(node->child[0]), right = height(node->child[1]), before = node->height;
    node->height = 1 + (left > right ? left : right);
    return node->height != before;
}

/* Replaces `old` by `node` (may be NULL) in its parent. */
static void replace_node(struct st_tree *tree, const struct st_tree_node *old,
                         struct st_tree_node *parent, struct st_tree_node *node)
{
    if (!parent) {
        tree->root = node;
    } else {
        parent->child[parent->child[1] == old] = node;
    }
    if (node) {
        node->parent = parent;
    }
}

/* Rotates: the child on the other side moves up, `node` moves down to `side`. */
static struct st_tree_node *rotate_node(struct st_tree *tree, struct st_tree_node *node, int side)
{
    struct st_tree_node *up = node->child[!side], *between = up->child[side];
    replace_node(tree, node, node->parent, up);
    up->child[side] = node;
    node->parent = up;
    node->child[!side] = between;
    if (between) {
        between->parent = node;
    }
    renew_node(node);
    renew_node(up);
    return up;
}

/* Rebalances from a node whose children have changed up to where no height changes any more. */
static void rebalance_node(struct st_tree *tree, struct st_tree_node *node)
{
    while (node) {
        bool changed = renew_node(node);
        int side = lean_of(node) > 0;
        if (lean_of(node) > 1 || lean_of(node) < -1) {
            struct st_tree_node *high = node->child[side];
            if (lean_of(high) == (side ? -1 : 1)) {
                rotate_node(tree, high, side);
            }
            node = rotate_node(tree, node, !side);
            changed = true;
        }
        if (!changed) {
            return;
        }
        node = node->parent;
    }
}

void st_tree_insert(struct st_tree *tree, struct st_tree_node *node)
{
    struct st_tree_node *parent = NULL, **link = &tree->root;
    while (*link) {
        parent = *link;
        link = &parent->child[!tree->before(node, parent)];
    }
    *node = (struct st_tree_node){.parent = parent};
    *link = node;
    rebalance_node(tree, node);
}

void st_tree_remove(struct st_tree *tree, struct st_tree_node *node)
{
    struct st_tree_node *from;
    if (node->child[0] && node->child[1]) {
        /* the next node, which has no left child, takes its place */
        struct st_tree_node *next = st_tree_next(node);
        from = next->parent == node ? next : next->parent;
        replace_node(tree, next, next->parent, next->child[1]);
        for (int side = 0; side < 2; side++) {
            next->child[side] = node->child[side];
            if (next->child[side]) {
                next->child[side]->parent = next;
            }
        }
        replace_node(tree, node, node->parent, next);
        next->height = node->height;
    } else {
        from = node->parent;
        replace_node(tree, node, node->parent, node->child[node->child[1] != NULL]);
    }
    rebalance_node(tree, from);
}

struct st_tree_node *st_tree_first(const struct st_tree *tree)
{
    struct st_tree_node *node = tree->root;
    while (node && node->child[0]) {
        node = node->child[0];
    }
    return node;
}

/* Returns the neighbour on a side: the nearest node of that subtree, or the first ancestor on that
 * side. */
static struct st_tree_node *neighbour(const struct st_tree_node *node, int side)
{
    struct st_tree_node *at = node->child[side];
    if (at) {
        while (at->child[!side]) {
            at = at->child[!side];
        }
        return at;
    }
    while (node->parent && node->parent->child[side] == node) {
        node = node->parent;
    }
    return node->parent;
}

struct st_tree_node *st_tree_next(const struct st_tree_node *node)
{
    return neighbour(node, 1);
}

struct st_tree_node *st_tree_previous(const struct st_tree_node *node)
{
    return neighbour(node, 0);
}
