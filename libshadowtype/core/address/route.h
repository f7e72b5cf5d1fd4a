/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The route from a root to a node of the expanded type-tree: an element address (the paper's IV.C)
 * as numbers. The node may be a basic element or an inner node.
 *
 *     struct st_place root = st_place_of(type, address);
 *     struct st_indexes indexes;
 *     struct st_route route;
 *     st_indexes_init(&indexes);
 *     st_route_init(&route, &root);
 *     if (!st_route_at(&route, &indexes, ST_SENT_ELEMENTS, 1000000000000, &rest)) {
 *         route.place.address, route.steps[0].index, ...
 *     }
 *     st_route_deinit(&route);
 *     st_indexes_deinit(&indexes);
 *
 * This module goes from a number in what MPI sends to a node and back. address.h goes from a text
 * to a node and back, locate.h from a byte of memory to nodes, typemap.h from each element to the
 * next. No function visits all children of a node; each costs O(depth · log of the widest list). A
 * route is as long as the tree is deep. It is allocated on the heap.
 */
#ifndef ST_CORE_ADDRESS_ROUTE_H
#define ST_CORE_ADDRESS_ROUTE_H

#include "core/address/index.h"

/* Bytes from the root's address. `value` is modulo 2^64, like an address. `laps` counts how often
 * it left 64 bits, upwards minus downwards; if `laps` is 0, `value` is the displacement. */
struct st_displacement {
    int64_t value;
    int32_t laps;
};

struct st_step {
    struct st_place place;
    struct st_displacement displacement; /* of this place */
    int64_t index;                       /* the child that the route takes */
};

struct st_route {
    struct st_place place;               /* the node; place.address is that of its displacement 0 */
    struct st_displacement displacement; /* of the node */
    int member;                          /* in a leaf that is a pair: 0 .first, 1 .second; -1:
                                            all of it */
    struct st_step *steps;               /* from the root on */
    size_t depth, capacity;
};

void st_route_init(struct st_route *route, const struct st_place *root);
void st_route_deinit(struct st_route *route);

/* Goes back to the root, or to another root. */
void st_route_restart(struct st_route *route, const struct st_place *root);

/* Goes down to a child. Returns ST_OUT_OF_RANGE, ST_OVERFLOW (of this step alone), or ST_NO_MEMORY;
 * the node is then unchanged. */
enum st_error st_route_down(struct st_route *route, int64_t index);
/* Goes up to the node above. Returns false if this is the root. */
bool st_route_up(struct st_route *route);

/* Goes to the leaf that holds number `at` of what MPI sends from the root, counted from 0 in
 * `unit`. In a pair it goes to the member that holds the byte. Stores in *rest the number within
 * the leaf (0 for elements). Returns:
 *   ST_INSIDE_UNKNOWN  the route is at a type whose inside is not known; *rest is the number within
 *   it
 *   ST_OUT_OF_RANGE    less is sent; the node is then undefined
 *   ST_OVERFLOW, ST_NO_MEMORY */
enum st_error st_route_at(struct st_route *route, struct st_indexes *indexes, enum st_unit unit,
                          int64_t at, int64_t *rest);

/* Returns the number of the node's first element or byte in what MPI sends from the root. */
struct st_amount st_route_number(const struct st_route *route, struct st_indexes *indexes,
                                 enum st_unit unit);

/* Goes to the first leaf below this node that has data, or to a node whose inside is not known,
 * whichever comes first. Returns ST_OUT_OF_RANGE if there is neither; ST_OVERFLOW, ST_NO_MEMORY. */
enum st_error st_route_first(struct st_route *route, struct st_indexes *indexes);
/* Goes to the next such leaf or node after this one, in the order of the type map. Amortised O(1)
 * if the stages above have two children or more. */
enum st_error st_route_next(struct st_route *route, struct st_indexes *indexes);

/* Returns the bytes of memory low..high-1, counted from the node's own address; for a pair's
 * member, its bytes only. */
struct st_bounds st_route_bounds(const struct st_route *route);
/* Returns the elements or bytes that MPI sends of the node; for a pair's member, its bytes. */
struct st_amount st_route_amount(const struct st_route *route, enum st_unit unit);

#endif
