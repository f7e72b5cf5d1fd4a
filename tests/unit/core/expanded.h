/*
 * The expanded type-tree of a small type, unrolled node by node: what element addresses, positions
 * and bytes are compared with. Its leaves are the oracle's type map (expanded_check()), and all
 * else is counted from them.
 */
#ifndef TESTS_EXPANDED_H
#define TESTS_EXPANDED_H

#include "oracle.h"
#include "core/model/place.h"

struct node {
    struct st_place place;
    int64_t at;  /* bytes from the root's address */
    size_t path; /* index of its first step in expanded.steps */
    size_t depth;
    int64_t number, byte;    /* elements and bytes sent before it */
    int64_t elements, bytes; /* in it */
    int64_t low, high;       /* its data in memory, from the root's address; both 0: none */
};

struct expanded {
    struct node *nodes; /* parents before children, in order */
    size_t count, capacity;
    size_t *leaves; /* the node of each element sent */
    size_t leaf_capacity;
    int64_t *steps; /* the indices of all nodes' ways */
    size_t step_count, step_capacity;
};

void expanded_init(struct expanded *expanded, const struct st_place *root);
void expanded_deinit(struct expanded *expanded);

/* Fails the test unless the leaves are `copies` of the type map, an extent apart. */
void expanded_check(const struct expanded *expanded, const struct map *map, int64_t copies);

/* Whether a leaf has data at this byte: a pair's gap is none. *member: of a pair. */
bool expanded_holds(const struct node *leaf, int64_t byte, int *member);

#endif
