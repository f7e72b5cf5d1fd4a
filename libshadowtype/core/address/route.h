/*
 * The route from a root to a node of the expanded type-tree: an element address (the paper's IV.C)
 * as numbers. Inner nodes are as good as basic elements.
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
 * From a number in what MPI sends to a node and back; address.h goes from a text to a node and
 * back, locate.h from a byte of memory to nodes, typemap.h from each element to the next. No
 * function looks at all children of a node; each costs O(depth · log of the widest list). A route
 * is as long as the tree is deep, and lies in the heap.
 */
#ifndef ST_CORE_ADDRESS_ROUTE_H
#define ST_CORE_ADDRESS_ROUTE_H

#include "core/address/index.h"

/* Bytes from the root's address. `value` is modulo 2^64, as addresses are, and is the displacement
 * unless it has left 64 bits: so many times more upwards than downwards. */
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
    struct st_place place; /* the node; place.address is where its displacement 0 stands */
    struct st_displacement displacement; /* of the node */
    int member;                          /* of a pair's leaf: 0 .first, 1 .second; -1: all of it */
    struct st_step *steps;               /* from the root on */
    size_t depth, capacity;
};

void st_route_init(struct st_route *route, const struct st_place *root);
void st_route_deinit(struct st_route *route);

/* Goes to the root again, or to another one. */
void st_route_restart(struct st_route *route, const struct st_place *root);

/* To a child. ST_OUT_OF_RANGE, ST_OVERFLOW (of the step alone), ST_NO_MEMORY: the node stays. */
enum st_error st_route_down(struct st_route *route, int64_t index);
/* To the node above. False: this is the root. */
bool st_route_up(struct st_route *route);

/* To the leaf that holds number `at` of what MPI sends from the root, counted from 0 in `unit`;
 * `rest` is the number within it (0 for elements), or within the type where it stops because its
 * inside is not known (ST_INSIDE_UNKNOWN). Of a pair it goes to the member that holds the byte.
 * ST_OUT_OF_RANGE: less is sent; the node is then any. ST_OVERFLOW, ST_NO_MEMORY. */
enum st_error st_route_at(struct st_route *route, struct st_indexes *indexes, enum st_unit unit,
                          int64_t at, int64_t *rest);

/* The number of the node's first element or byte in what MPI sends from the root. */
struct st_amount st_route_number(const struct st_route *route, struct st_indexes *indexes,
                                 enum st_unit unit);

/* To the first leaf below this node that has data; or to a node whose inside is not known, if that
 * comes first. ST_OUT_OF_RANGE if there is none. ST_OVERFLOW, ST_NO_MEMORY. */
enum st_error st_route_first(struct st_route *route, struct st_indexes *indexes);
/* To the next one after this node, in the order of the type map: amortised O(1) where the stages
 * above have two children or more. */
enum st_error st_route_next(struct st_route *route, struct st_indexes *indexes);

/* Bytes of memory: low..high-1 from the node's own address, a pair's member alone. */
struct st_bounds st_route_bounds(const struct st_route *route);
/* Elements or bytes that MPI sends of the node: of a pair's member, its bytes. */
struct st_amount st_route_amount(const struct st_route *route, enum st_unit unit);

#endif
