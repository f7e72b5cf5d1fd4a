#include "active.h"

#include <stdlib.h>
#include <string.h>

/* Entries of a node; and how few it may have before it is joined with a neighbour, if both together
 * leave room for more. */
enum { FAN = 24, FEW = FAN / 2, MOST_JOINED = FAN / 4 * 3 };

/* Deeper than a tree with as many entries as there are addresses: two neighbours have more than FEW
 * entries between them. */
enum { MOST_DEPTH = 24 };

/* Bounds and what has them: of each buffer in a leaf; of each subtree above. Sorted by `first`. */
struct st_active_node {
    struct st_active_node *parent;
    size_t count;
    bool leaf;
    uint64_t first[FAN], last[FAN]; /* last: the greatest of the subtree */
    union {
        struct st_active_node *node;
        struct st_active *active;
    } child[FAN];
};

typedef struct st_active_node st_active_node_t;

void st_actives_init(struct st_actives *actives)
{
    *actives = (struct st_actives){0};
}

/* Downward by first children, each of them freed on the way back. */
void st_actives_deinit(struct st_actives *actives)
{
    st_active_node_t *node = actives->root;
    while (node) {
        if (!node->leaf && node->count) {
            node = node->child[--node->count].node;
        } else {
            st_active_node_t *parent = node->parent;
            free(node);
            node = parent;
        }
    }
    st_actives_init(actives);
}

/* --- nodes ---------------------------------------------------------------------------------------
 */

/* How many entries begin before `first`; at `first` or before. Without a branch that depends on
 * what is compared: where a buffer lies is not to be guessed. */
static size_t before(const st_active_node_t *node, uint64_t first)
{
    size_t position = 0;
    for (size_t i = 0; i < node->count; i++) {
        position += node->first[i] < first;
    }
    return position;
}

static size_t until(const st_active_node_t *node, uint64_t first)
{
    size_t position = 0;
    for (size_t i = 0; i < node->count; i++) {
        position += node->first[i] <= first;
    }
    return position;
}

static size_t index_of(const st_active_node_t *parent, const st_active_node_t *node)
{
    size_t i = 0;
    while (parent->child[i].node != node) {
        i++;
    }
    return i;
}

static uint64_t greatest(const st_active_node_t *node)
{
    uint64_t last = 0;
    for (size_t i = 0; i < node->count; i++) {
        last = node->last[i] > last ? node->last[i] : last;
    }
    return last;
}

/* Moves entries of a node by one, from i on: up or down. */
static void open_gap(st_active_node_t *node, size_t i)
{
    size_t behind = node->count++ - i;
    memmove(node->first + i + 1, node->first + i, behind * sizeof *node->first);
    memmove(node->last + i + 1, node->last + i, behind * sizeof *node->last);
    memmove(node->child + i + 1, node->child + i, behind * sizeof *node->child);
}

static void close_gap(st_active_node_t *node, size_t i)
{
    size_t behind = --node->count - i;
    memmove(node->first + i, node->first + i + 1, behind * sizeof *node->first);
    memmove(node->last + i, node->last + i + 1, behind * sizeof *node->last);
    memmove(node->child + i, node->child + i + 1, behind * sizeof *node->child);
}

/* Moves the entries from i on behind those of another node. */
static void hand_over(st_active_node_t *from, size_t i, st_active_node_t *to)
{
    size_t count = from->count - i;
    memcpy(to->first + to->count, from->first + i, count * sizeof *to->first);
    memcpy(to->last + to->count, from->last + i, count * sizeof *to->last);
    memcpy(to->child + to->count, from->child + i, count * sizeof *to->child);
    for (size_t k = to->count; k < to->count + count; k++) {
        if (to->leaf) {
            to->child[k].active->leaf = to;
        } else {
            to->child[k].node->parent = to;
        }
    }
    from->count = i;
    to->count += count;
}

static void tell_bounds(st_active_node_t *parent, size_t i)
{
    parent->first[i] = parent->child[i].node->first[0];
    parent->last[i] = greatest(parent->child[i].node);
}

/* --- coming --------------------------------------------------------------------------------------
 */

static st_active_node_t *node_new(st_active_node_t *parent, bool leaf)
{
    st_active_node_t *node = malloc(sizeof *node);
    if (node) {
        node->parent = parent;
        node->count = 0;
        node->leaf = leaf;
    }
    return node;
}

/* Child i of a node that has room becomes two. */
static bool split(st_active_node_t *parent, size_t i)
{
    st_active_node_t *low = parent->child[i].node, *high = node_new(parent, low->leaf);
    if (!high) {
        return false;
    }
    hand_over(low, FAN / 2, high);
    open_gap(parent, i + 1);
    parent->child[i + 1].node = high;
    tell_bounds(parent, i);
    tell_bounds(parent, i + 1);
    return true;
}

/* A root above the root. */
static bool raise(struct st_actives *actives)
{
    st_active_node_t *root = node_new(NULL, false);
    if (!root) {
        return false;
    }
    root->count = 1;
    root->child[0].node = actives->root;
    actives->root->parent = root;
    tell_bounds(root, 0);
    actives->root = root;
    return true;
}

/* The leaf where an entry belongs, with room for it: full nodes are split on the way down. NULL: no
 * memory. The bounds above are widened to hold it. */
static st_active_node_t *leaf_for(struct st_actives *actives, uint64_t first, uint64_t last)
{
    st_active_node_t *node = actives->root;
    if (!node) {
        actives->root = node_new(NULL, true);
        return actives->root;
    }
    if (node->count == FAN) {
        if (!raise(actives)) {
            return NULL;
        }
        node = actives->root;
    }
    while (!node->leaf) {
        size_t i = until(node, first);
        i -= i > 0;
        if (node->child[i].node->count == FAN) {
            if (!split(node, i)) {
                return NULL;
            }
            i += node->first[i + 1] <= first;
        }
        node->first[i] = first < node->first[i] ? first : node->first[i];
        node->last[i] = last > node->last[i] ? last : node->last[i];
        node = node->child[i].node;
    }
    return node;
}

enum st_error st_actives_insert(struct st_actives *actives, struct st_active *active)
{
    const struct st_buffer *buffer = &active->buffer;
    uint64_t last = buffer->first + (buffer->span - 1);
    active->leaf = NULL;
    active->link = NULL;
    if (buffer->doubt || (buffer->span && last < buffer->first)) {
        active->next = actives->others;
        active->link = &actives->others;
        if (active->next) {
            active->next->link = &active->next;
        }
        actives->others = active;
    } else if (buffer->span) {
        st_active_node_t *leaf = leaf_for(actives, buffer->first, last);
        if (!leaf) {
            return ST_NO_MEMORY;
        }
        size_t i = until(leaf, buffer->first);
        open_gap(leaf, i);
        leaf->first[i] = buffer->first;
        leaf->last[i] = last;
        leaf->child[i].active = active;
        active->leaf = leaf;
    }
    actives->count++;
    return ST_OK;
}

/* --- going ---------------------------------------------------------------------------------------
 */

/* Joins a node that has few entries with its neighbour. False: that has too many. */
static bool joined(st_active_node_t *parent, size_t i)
{
    size_t low = i + 1 < parent->count ? i : i - 1;
    if (parent->count == 1 ||
        parent->child[low].node->count + parent->child[low + 1].node->count > MOST_JOINED) {
        return false;
    }
    st_active_node_t *gone = parent->child[low + 1].node;
    hand_over(gone, 0, parent->child[low].node);
    close_gap(parent, low + 1);
    free(gone);
    tell_bounds(parent, low);
    return true;
}

/* An entry of the node is gone: what is above it, as far as it changes. */
static void mend(struct st_actives *actives, st_active_node_t *node)
{
    st_active_node_t *parent;
    for (; (parent = node->parent) != NULL; node = parent) {
        size_t i = index_of(parent, node);
        if (node->count == 0) {
            close_gap(parent, i);
            free(node);
        } else if (node->count > FEW || !joined(parent, i)) {
            uint64_t first = parent->first[i], last = parent->last[i];
            tell_bounds(parent, i);
            if (parent->first[i] == first && parent->last[i] == last) {
                return;
            }
        }
    }
    while (actives->root && actives->root->count <= 1 &&
           (!actives->root->leaf || actives->root->count == 0)) {
        st_active_node_t *root = actives->root;
        actives->root = root->count ? root->child[0].node : NULL;
        free(root);
        if (actives->root) {
            actives->root->parent = NULL;
        }
    }
}

void st_actives_remove(struct st_actives *actives, struct st_active *active)
{
    st_active_node_t *leaf = active->leaf;
    actives->count--;
    if (active->link) {
        *active->link = active->next;
        if (active->next) {
            active->next->link = active->link;
        }
    } else if (leaf) {
        size_t i = before(leaf, active->buffer.first);
        while (leaf->child[i].active != active) {
            i++;
        }
        uint64_t last = leaf->last[i];
        close_gap(leaf, i);
        bool inside = i > 0 && i < leaf->count && leaf->last[i] >= last;
        if (!inside || leaf->count <= FEW) {
            mend(actives, leaf);
        }
    }
}

/* --- comparing -----------------------------------------------------------------------------------
 */

/* What a new buffer is compared for. */
struct st_question {
    const struct st_buffer *buffer;
    struct st_effort *effort;
    st_actives_met met;
    void *context;
};

/* False: that was enough. */
static bool compare(const struct st_question *question, struct st_active *active)
{
    struct st_shared shared = {0};
    enum st_verdict verdict =
        st_overlap(&active->buffer, question->buffer, question->effort, &shared);
    return verdict == ST_NO || question->met(question->context, active, verdict, &shared);
}

/* Those with bounds that meet low..high, in order; false: stopped. */
static bool within(const struct st_actives *actives, uint64_t low, uint64_t high,
                   const struct st_question *question)
{
    struct {
        const st_active_node_t *node;
        size_t next, stop;
    } stack[MOST_DEPTH];
    size_t depth = 0;
    if (actives->root) {
        stack[depth].node = actives->root;
        stack[depth].next = 0;
        stack[depth++].stop = until(actives->root, high);
    }
    while (depth) {
        const st_active_node_t *node = stack[depth - 1].node;
        size_t i = stack[depth - 1].next;
        while (i < stack[depth - 1].stop && node->last[i] < low) {
            i++;
        }
        if (i == stack[depth - 1].stop) {
            depth--;
            continue;
        }
        stack[depth - 1].next = i + 1;
        if (!node->leaf) {
            stack[depth].node = node->child[i].node;
            stack[depth].next = 0;
            stack[depth].stop = until(node->child[i].node, high);
            depth++;
        } else if (!compare(question, node->child[i].active)) {
            return false;
        }
    }
    return true;
}

void st_actives_overlapping(const struct st_actives *actives, const struct st_buffer *buffer,
                            struct st_effort *effort, st_actives_met met, void *context)
{
    const struct st_question question = {buffer, effort, met, context};
    uint64_t first = buffer->first, last = first + (buffer->span - 1);
    bool more;
    if (!buffer->doubt && !buffer->span) {
        return;
    }
    if (buffer->doubt) {
        more = within(actives, 0, UINT64_MAX, &question);
    } else if (last < first) { /* round the end of the address space */
        more = within(actives, 0, last, &question) && within(actives, first, UINT64_MAX, &question);
    } else {
        more = within(actives, first, last, &question);
    }
    for (struct st_active *other = actives->others; more && other; other = other->next) {
        more = compare(&question, other);
    }
}
