/*
 * Which child of a place holds what: by division where all children are alike, by search in an
 * index (index.h) where they are not, never one by one.
 *
 *     int64_t child, rest;
 *     if (!st_child_holding(&indexes, &place, ST_SENT_ELEMENTS, 1000000, &child, &rest)) {
 *         ... element `rest` of that child ...
 *     }
 */
#ifndef ST_CORE_ADDRESS_CHILDREN_H
#define ST_CORE_ADDRESS_CHILDREN_H

#include "core/address/index.h"

/* Whether the children differ only in where they stand. */
bool st_children_alike(const struct st_place *place);

/* How much stands before child `index` (0..count) in what MPI sends of the place. ST_NO_MEMORY, or
 * the error of the amount: ST_OVERFLOW, ST_INSIDE_UNKNOWN. */
enum st_error st_child_before(struct st_indexes *indexes, const struct st_place *place,
                              enum st_unit unit, int64_t index, int64_t *before);

/* The child that holds number `at` of the place, and `rest`, its number there. If the place ends
 * before: ST_OUT_OF_RANGE. A child whose amount is not known holds all that is not before it.
 * ST_NO_MEMORY. */
enum st_error st_child_holding(struct st_indexes *indexes, const struct st_place *place,
                               enum st_unit unit, int64_t at, int64_t *child, int64_t *rest);

/* The first child from `from` on that has elements, or may have some. ST_OUT_OF_RANGE: none.
 * ST_NO_MEMORY. */
enum st_error st_child_with_data(struct st_indexes *indexes, const struct st_place *place,
                                 int64_t from, int64_t *child);

#endif
