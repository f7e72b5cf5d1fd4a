/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the child of a place that holds an element or a byte: by division if all children are
 * alike, by search in an index (index.h) if they are not. It never visits them one by one.
 *
 *     int64_t child, rest;
 *     if (!st_child_holding(&indexes, &place, ST_SENT_ELEMENTS, 1000000, &child, &rest)) {
 *         ... element `rest` of that child ...
 *     }
 */
#ifndef ST_CORE_ADDRESS_CHILDREN_H
#define ST_CORE_ADDRESS_CHILDREN_H

#include "core/address/index.h"

/* Returns true if the children differ only in their displacements. */
bool st_children_alike(const struct st_place *place);

/* Stores how many elements or bytes MPI sends of the place before child `index` (0..count). Returns
 * ST_NO_MEMORY, or the error of the amount: ST_OVERFLOW, ST_INSIDE_UNKNOWN. */
enum st_error st_child_before(struct st_indexes *indexes, const struct st_place *place,
                              enum st_unit unit, int64_t index, int64_t *before);

/* Stores the child that holds number `at` of the place, and the number within the child in *rest. A
 * child of unknown amount holds all numbers that are not before it. Returns ST_OUT_OF_RANGE if the
 * place ends before `at`; ST_NO_MEMORY. */
enum st_error st_child_holding(struct st_indexes *indexes, const struct st_place *place,
                               enum st_unit unit, int64_t at, int64_t *child, int64_t *rest);

/* Stores the first child, from `from` on, that has elements, or may have some. Returns
 * ST_OUT_OF_RANGE if there is none; ST_NO_MEMORY. */
enum st_error st_child_with_data(struct st_indexes *indexes, const struct st_place *place,
                                 int64_t from, int64_t *child);

#endif
