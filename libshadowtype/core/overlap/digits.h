/*
 * Where nested strided blocks meet, as one question about numbers: is there a sum
 *
 *     low <= digit[0] * stride[0] + digit[1] * stride[1] + ... <= high,   0 <= digit[k] < count[k]
 *
 *     struct st_digit digits[] = {{.count = 512, .stride = 4096}, {.count = 3, .stride = 24}};
 *     if (st_digits_find(digits, 2, 8210, 8217, &effort) == ST_YES) {
 *         ... digits[0].digit * 4096 + digits[1].digit * 24 ...       // 2 and 1: 8216
 *     }
 *
 * Two nested strided blocks overlap when it holds for the levels of both, those of one counted
 * backwards (pairs.h).
 *
 * What is exact without a search: strides that divide one another, in whatever part (digit by
 * digit), and any two strides (euclid.h). With three or more that do not divide, the digits of one
 * level are tried, of the level that leaves the fewest, and of these only the digits whose
 * remainder modulo the others' divisor can fit. Each try is a step of the effort.
 */
#ifndef ST_CORE_OVERLAP_DIGITS_H
#define ST_CORE_OVERLAP_DIGITS_H

#include <stddef.h>
#include <stdint.h>

#include "core/layout/effort.h"

/* Sums of some numbers of 64 bits. */
typedef __int128 st_wide;

struct st_digit {
    uint64_t count, stride; /* both > 0 */
    uint64_t digit;         /* the answer */
};

/* ST_YES: a digit of each level is filled in. The sum of all (count - 1) * stride must be less than
 * 2^127. Memory is taken only where digits must be tried, or for more than a dozen levels. */
enum st_verdict st_digits_find(struct st_digit *digits, size_t count, st_wide low, st_wide high,
                               struct st_effort *effort);

#endif
