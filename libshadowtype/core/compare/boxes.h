/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inside of st_cover() (cover.h): the dimensions of an array as digits, sets of strides as
 * boxes of digits (boxes.c), and the sweep over the boxes (sweep.c).
 */
#ifndef ST_CORE_COMPARE_BOXES_H
#define ST_CORE_COMPARE_BOXES_H

#include "core/compare/fields.h"
#include "core/compare/strides.h"
#include "core/compare/work.h"

#define ST_DIGITS 24

/* Dimension `dim` has `length` indices, `stride` elements apart. This digit of the index has the
 * values 0 to radix - 1, each worth `unit` indices. */
struct st_index_digit {
    uint32_t dim;
    int64_t length, stride;
    int64_t unit, radix;
};

/* From `first` to before `end`. */
struct st_index_span {
    int64_t first, end;
};

struct st_boxes {
    struct st_index_digit digit[ST_DIGITS]; /* outermost first */
    uint32_t digits;
    struct st_index_span *spans; /* of each box, one span per digit */
    size_t count, capacity;
    size_t void_count; /* the first boxes are values that are no index: of length 10, in steps of
                          4, 10 and 11 */
    uint64_t *work;
};

/* Chooses the digits, and adds the boxes of the sets. */
enum st_error st_boxes_init(struct st_boxes *boxes, const int64_t *shape, uint32_t dims,
                            const struct st_strides *sets, size_t count, uint64_t *work);
void st_boxes_deinit(struct st_boxes *boxes);

/* Disjoint boxes that fill the whole array: those that are covered, and those that are not. */
struct st_parts {
    struct st_index_span *spans;
    bool *in;
    size_t count, capacity;
    int64_t more; /* elements in two or more boxes */
};

enum st_error st_boxes_sweep(const struct st_boxes *boxes, struct st_parts *parts);
void st_parts_deinit(struct st_parts *parts);

#endif
