/*
 * Type maps by brute force: what a constructor means, element by element, straight from the
 * definitions of MPI-4.0, 5.1 (type maps), 5.1.3 (subarray), 5.1.4 (darray) and 5.1.6 to 5.1.8
 * (bounds). Slow, and without a line of the core's algebra: the two are compared.
 *
 *     struct map map = {0};
 *     uint32_t ordinal = oracle_random(&image, &seed, depth, &map);   // node and map of it
 */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "image.h"

/* One basic element: which leaf (its node's ordinal), where, how large. */
struct entry {
    uint32_t leaf;
    int64_t at, size;
};

struct map {
    struct entry *entries;
    size_t count, capacity;
    int64_t lb, ub;
    bool any; /* lb and ub mean something: something has been laid out */
};

void map_deinit(struct map *map);

/* Bytes, and the hull of the bytes, of all elements (both 0 if there is none). */
int64_t map_size(const struct map *map);
int64_t map_true_lb(const struct map *map);
int64_t map_true_ub(const struct map *map);

/* A random type of at most `depth` constructors above the basic types, as a node (after the nodes
 * it is built on) and as a map. Small: some hundred elements at most. */
uint32_t oracle_random(struct image *image, uint64_t *seed, int depth, struct map *map);

/* Draws MPI_SHORT_INT, a pair with a gap, and MPI_LB, which has no element, among the basic types.
 * An entry's size is then what it takes in memory. Off at first. */
extern bool oracle_pairs_and_markers;

/* How often each combiner has been drawn, by enum st_combiner: a test that needs all looks here. */
extern unsigned long oracle_drawn[ST_COMBINER_END];

#endif
