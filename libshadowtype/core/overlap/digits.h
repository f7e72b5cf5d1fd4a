/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether nested strided blocks meet. In numbers: is there a sum
 *
 *     low <= digit[0] * stride[0] + digit[1] * stride[1] + ... <= high,   0 <= digit[k] < count[k]
 *
 *     struct st_digit digits[] = {{.count = 512, .stride = 4096}, {.count = 3, .stride = 24}};
 *     if (st_digits_find(digits, 2, 8210, 8217, &effort) == ST_YES) {
 *         ... digits[0].digit * 4096 + digits[1].digit * 24 ...       // 2 and 1: 8216
 *     }
 *
 * Two nested strided blocks overlap if there is such a sum for the levels of both, with the digits
 * of one counted backwards (pairs.h).
 *
 * These cases are solved exactly without a search: strides that divide one another (digit by
 * digit), and any two strides (euclid.h). With three or more strides that do not divide one
 * another, the digits of one level are tried: of the level with the fewest candidates, and only the
 * digits whose remainder modulo the others' common divisor can fit. Each try is a step of the
 * effort.
 */
#ifndef ST_CORE_OVERLAP_DIGITS_H
#define ST_CORE_OVERLAP_DIGITS_H

#include <stddef.h>
#include <stdint.h>

#include "core/layout/effort.h"

/* Holds sums of a few 64-bit numbers. */
typedef __int128 st_wide;

struct st_digit {
    uint64_t count, stride; /* both > 0 */
    uint64_t digit;         /* the result */
};

/* Returns ST_YES if there is such a sum, and stores a digit of each level. The sum of all (count -
 * 1) * stride must be less than 2^127. Memory is allocated only if digits must be tried, or for
 * more than a dozen levels. */
enum st_verdict st_digits_find(struct st_digit *digits, size_t count, st_wide low, st_wide high,
                               struct st_effort *effort);

#endif
