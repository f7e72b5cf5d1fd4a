/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/active_tree.h"

#include <stdlib.h>
#include <string.h>

/* The most entries of a node; a node with FEW entries is joined with a neighbour, if both together have at most
 * MOST_JOINED. That is tried once in STEP removals, so two neighbours have more than MOST_JOINED - 2 * (STEP - 1)
 * entries together. */
enum { FAN = 24, FEW = FAN / 2, MOST_JOINED = FAN / 4 * 3, STEP = 4 };

/* No tree gets so deep: two neighbours have 12 entries or more together, and there are at most 2^64
 * entries. */
enum { MOST_DEPTH = 24 };

/* Bounds, sorted by `first`: of the buffers in a leaf, of the subtrees in an inner node. */
struct st_active_node {
    struct st_active_node *parent;
    size_t count;
    bool leaf;
    struct st_active_entry {
        uint64_t first, last; /* `last` is the greatest one of the subtree */
        union {
            struct st_active_node *node;
            struct st_active *active;
        } child;
    } entry[FAN];
};

typedef struct st_active_node st_active_node_t;

/* --- nodes ---------------------------------------------------------------------------------------
 */

/* Returns how many entries begin before `first`, or at it. The loop has no branch on the compared
 * values, because the place of a buffer cannot be predicted. But buffers are often inserted and
 * removed in order: so one end of the node is compared first. */
static size_t count_before(const st_active_node_t *node, uint64_t first)
{
    size_t position = 0;
    if (node->entry[0].first >= first) {
        return 0;
    }
    for (size_t i = 0; i < node->count; i++) {
        position += node->entry[i].first < first;
    }
    return position;
}

static size_t until(const st_active_node_t *node, uint64_t first)
{
    size_t position = 0;
    if (node->count && node->entry[node->count - 1].first <= first) {
        return node->count;
    }
    for (size_t i = 0; i < node->count; i++) {
        position += node->entry[i].first <= first;
    }
    return position;
}

static size_t index_of(const st_active_node_t *parent, const st_active_node_t *node)
{
    size_t i = 0;
    while (parent->entry[i].child.node != node) {
        i++;
    }
    return i;
}

static uint64_t greatest(const st_active_node_t *node)
{
    uint64_t last = 0;
    for (size_t i = 0; i < node->count; i++) {
        last = node->entry[i].last > last ? node->entry[i].last : last;
    }
    return last;
}

/* Moves the entries of a node from i on up or down by one. */
static void open_gap(st_active_node_t *node, size_t i)
{
    size_t behind = node->count++ - i;
    if (behind) {
        memmove(node->entry + i + 1, node->entry + i, behind * sizeof *node->entry);
    }
}

static void close_gap(st_active_node_t *node, size_t i)
{
    size_t behind = node->count - i - 1;
    node->count--;
    if (behind < FAN) {
        memmove(node->entry + i, node->entry + i + 1, behind * sizeof *node->entry);
    }
}

/* Moves the entries from i on to the end of another node. */
static void hand_over(st_active_node_t *from, size_t i, st_active_node_t *to)
{
    size_t count = from->count - i;
    memcpy(to->entry + to->count, from->entry + i, count * sizeof *to->entry);
    for (size_t k = to->count; k < to->count + count; k++) {
        if (to->leaf) {
            to->entry[k].child.active->where.leaf = to;
        } else {
            to->entry[k].child.node->parent = to;
        }
    }
    from->count = i;
    to->count += count;
}

static void tell_bounds(st_active_node_t *parent, size_t i)
{
    parent->entry[i].first = parent->entry[i].child.node->entry[0].first;
    parent->entry[i].last = greatest(parent->entry[i].child.node);
}

/* --- inserting ----------------------------------------------------------------------------------- */

static st_active_node_t *node_new(struct st_active_tree *tree, st_active_node_t *parent, bool leaf)
{
    st_active_node_t *node = tree->spare ? tree->spare : malloc(sizeof *node);
    tree->spare = NULL;
    if (node) {
        node->parent = parent;
        node->count = 0;
        node->leaf = leaf;
    }
    return node;
}

/* Splits child i of a node, which has room for another, to insert an entry that begins at `first`.
 * Entries that come in order fill their nodes completely. */
static bool split_child(struct st_active_tree *tree, st_active_node_t *parent, size_t i,
                        uint64_t first)
{
    st_active_node_t *low = parent->entry[i].child.node;
    st_active_node_t *high = node_new(tree, parent, low->leaf);
    if (!high) {
        return false;
    }
    hand_over(low, first >= low->entry[FAN - 1].first ? FAN - 1 : FAN / 2, high);
    open_gap(parent, i + 1);
    parent->entry[i + 1].child.node = high;
    tell_bounds(parent, i);
    tell_bounds(parent, i + 1);
    return true;
}

/* Adds a new root above the root. */
static bool raise_root(struct st_active_tree *tree)
{
    st_active_node_t *root = node_new(tree, NULL, false);
    if (!root) {
        return false;
    }
    root->count = 1;
    root->entry[0].child.node = tree->root;
    tree->root->parent = root;
    tell_bounds(root, 0);
    tree->root = root;
    return true;
}

/* Returns the leaf for an entry, with room for it; NULL if there is no memory. Splits full nodes on
 * the way down, and widens the bounds above to include the entry. */
static st_active_node_t *leaf_for(struct st_active_tree *tree, uint64_t first, uint64_t last)
{
    st_active_node_t *node = tree->root;
    if (!node) {
        tree->root = node_new(tree, NULL, true);
        return tree->root;
    }
    if (node->count == FAN) {
        if (!raise_root(tree)) {
            return NULL;
        }
        node = tree->root;
    }
    while (!node->leaf) {
        size_t i = until(node, first);
        i -= i > 0;
        if (node->entry[i].child.node->count == FAN) {
            if (!split_child(tree, node, i, first)) {
                return NULL;
            }
            i += node->entry[i + 1].first <= first;
        }
        node->entry[i].first = first < node->entry[i].first ? first : node->entry[i].first;
        node->entry[i].last = last > node->entry[i].last ? last : node->entry[i].last;
        node = node->entry[i].child.node;
    }
    return node;
}

bool st_active_tree_put(struct st_active_tree *tree, struct st_active *active, uint64_t first,
                        uint64_t last)
{
    st_active_node_t *leaf = leaf_for(tree, first, last);
    if (!leaf) {
        return false;
    }
    size_t i = until(leaf, first);
    open_gap(leaf, i);
    leaf->entry[i].first = first;
    leaf->entry[i].last = last;
    leaf->entry[i].child.active = active;
    active->where.leaf = leaf;
    active->in.tree = tree;
    tree->count++;
    return true;
}

/* --- removing ------------------------------------------------------------------------------------ */

/* Joins a node that has few entries with its neighbour. Returns false if the neighbour has too
 * many. */
static bool joined(st_active_node_t *parent, size_t i)
{
    size_t low = i + 1 < parent->count ? i : i - 1;
    if (parent->count == 1 ||
        parent->entry[low].child.node->count + parent->entry[low + 1].child.node->count >
            MOST_JOINED) {
        return false;
    }
    st_active_node_t *gone = parent->entry[low + 1].child.node;
    hand_over(gone, 0, parent->entry[low].child.node);
    close_gap(parent, low + 1);
    free(gone);
    tell_bounds(parent, low);
    return true;
}

/* Updates the nodes above after an entry was removed, as far as they change. */
static void mend_node(struct st_active_tree *tree, st_active_node_t *node)
{
    st_active_node_t *parent;
    for (; (parent = node->parent) != NULL; node = parent) {
        size_t i = index_of(parent, node);
        if (node->count == 0) {
            close_gap(parent, i);
            free(node);
        } else if (node->count > FEW || !joined(parent, i)) {
            uint64_t first = parent->entry[i].first, last = parent->entry[i].last;
            tell_bounds(parent, i);
            if (parent->entry[i].first == first && parent->entry[i].last == last) {
                return;
            }
        }
    }
    while (tree->root && tree->root->count <= 1 && (!tree->root->leaf || tree->root->count == 0)) {
        st_active_node_t *root = tree->root;
        tree->root = root->count ? root->entry[0].child.node : NULL;
        free(tree->spare);
        tree->spare = root;
        if (tree->root) {
            tree->root->parent = NULL;
        }
    }
}

/* Returns the place of an entry. Buffers are often removed in order, at one end of the node. */
static size_t place_of(const st_active_node_t *leaf, const struct st_active *active, uint64_t first)
{
    if (leaf->entry[leaf->count - 1].child.active == active) {
        return leaf->count - 1;
    }
    size_t i = count_before(leaf, first);
    while (leaf->entry[i].child.active != active) {
        i++;
    }
    return i;
}

void st_active_tree_take(struct st_active_tree *tree, st_active_node_t *leaf,
                         const struct st_active *active, uint64_t first)
{
    close_gap(leaf, place_of(leaf, active, first));
    tree->count--;
    /* Until then the bounds above may be too wide: that costs a search some time, no more. */
    if (leaf->count <= FEW && leaf->count % STEP == 0) {
        mend_node(tree, leaf);
    }
}

/* Goes down by first children, and frees each node on the way back. */
void st_active_tree_free(struct st_active_tree *tree)
{
    st_active_node_t *node = tree->root;
    free(tree->spare);
    while (node) {
        if (!node->leaf && node->count) {
            node = node->entry[--node->count].child.node;
        } else {
            st_active_node_t *parent = node->parent;
            free(node);
            node = parent;
        }
    }
}

/* --- searching ----------------------------------------------------------------------------------- */

struct st_active *st_active_tree_nearest(const struct st_active_tree *tree, uint64_t first,
                                         uint64_t last)
{
    const st_active_node_t *node = tree->root;
    while (node && !node->leaf) {
        size_t i = until(node, first);
        node = node->entry[i - (i > 0)].child.node;
    }
    size_t i = node ? until(node, first) : 0;
    if (i > 0 && node->entry[i - 1].last >= first) {
        return node->entry[i - 1].child.active;
    }
    return node && i < node->count && node->entry[i].first <= last ? node->entry[i].child.active
                                                                   : NULL;
}

bool st_active_tree_within(const struct st_active_tree *tree, uint64_t low, uint64_t high,
                           st_active_visit visit, void *context)
{
    struct {
        const st_active_node_t *node;
        size_t next, stop;
    } stack[MOST_DEPTH];
    size_t depth = 0;
    if (tree->root) {
        stack[depth].node = tree->root;
        stack[depth].next = 0;
        stack[depth++].stop = until(tree->root, high);
    }
    while (depth) {
        const st_active_node_t *node = stack[depth - 1].node;
        size_t i = stack[depth - 1].next;
        while (i < stack[depth - 1].stop && node->entry[i].last < low) {
            i++;
        }
        if (i == stack[depth - 1].stop) {
            depth--;
            continue;
        }
        stack[depth - 1].next = i + 1;
        if (!node->leaf) {
            stack[depth].node = node->entry[i].child.node;
            stack[depth].next = 0;
            stack[depth].stop = until(node->entry[i].child.node, high);
            depth++;
        } else if (!visit(context, node->entry[i].child.active)) {
            return false;
        }
    }
    return true;
}
