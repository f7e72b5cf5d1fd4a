/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which elements of an array are covered by nested strides, and which are not: as a few boxes,
 * whatever the array's size is.
 *
 *     // every second column of a[1000][1000]
 *     const int64_t shape[] = {1000, 1000};
 *     const struct st_nest columns = {0, 2, {{1000, 1000}, {500, 2}}};
 *     struct st_strides set = {0};
 *     st_strides_add(&set, &columns);
 *     uint64_t work = 1000000;
 *     st_cover(shape, 2, &set, 1, &work, &cover);
 *     // cover.in: one box, [0-999][0, 2, ... 998]; cover.out: one box, [0-999][1, 3, ... 999]
 *
 * Elements are numbered from 0 in the order of memory, the last dimension fastest. Each dimension
 * is split at the strides that occur, like a number into digits. So a set of strides is a box of
 * digits. The boxes are then swept digit by digit.
 */
#ifndef ST_CORE_COMPARE_COVER_H
#define ST_CORE_COMPARE_COVER_H

#include "core/compare/fields.h"
#include "core/compare/strides.h"

/* Indices first + i * step + j of one dimension, i < count, j < run. count 0: some indices from
 * first to last. */
struct st_index_range {
    int64_t first, last;
    int64_t count, step, run;
};

/* The border of an inner block of three dimensions has so many. */
#define ST_COVER_BOXES 6

/* Elements as the boxes that they fill; only the first boxes are stored. */
struct st_cover_part {
    int64_t elements;
    int64_t boxes;
    struct {
        struct st_index_range dim[ST_FIELD_DIMS];
    } box[ST_COVER_BOXES];
};

struct st_cover {
    struct st_cover_part in, out;
    int64_t more; /* elements that are covered more than once */
};

/* Computes the elements that `sets` cover together, and the rest of the array. All elements must be
 * in the array. *work is the work limit, and is counted down: ST_OUT_OF_RANGE if it does not
 * suffice. ST_NO_MEMORY. */
enum st_error st_cover(const int64_t *shape, uint32_t dims, const struct st_strides *sets,
                       size_t count, uint64_t *work, struct st_cover *cover);

#endif
