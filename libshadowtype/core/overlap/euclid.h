/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arithmetic of two combs: the first tooth of one that meets a tooth of the other.
 *
 *     uint64_t x;
 *     // teeth at 7, 7 + 24, 7 + 48, ...: the first within the first 8 of every 100 bytes
 *     if (st_first_hit(24, 7, 100, 0, 7, 999, &x)) ...            // x is 0
 *
 * The question "which is the smallest x for which a multiple is in a range of remainders" leads to
 * a smaller question of the same kind: with a < m, the number of times that a * x wraps at m is
 * itself the smallest multiple of m mod a in a range of remainders modulo a. So the pair (a, m)
 * becomes (m mod a, a), as in Euclid's algorithm, and O(log m) divisions decide.
 */
#ifndef ST_CORE_OVERLAP_EUCLID_H
#define ST_CORE_OVERLAP_EUCLID_H

#include <stdbool.h>
#include <stdint.h>

uint64_t st_gcd(uint64_t a, uint64_t b);

/* Finds the smallest x in 0..most with low <= (a * x + b) mod m <= high, without overflow. Needs m
 * > 0 and low <= high < m. Returns false if there is none. */
bool st_first_hit(uint64_t a, uint64_t b, uint64_t m, uint64_t low, uint64_t high, uint64_t most,
                  uint64_t *x);

#endif
