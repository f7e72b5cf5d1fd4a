/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/euclid.h"

#include <stddef.h>

/* More divisions than Euclid's algorithm takes for 64-bit numbers (93, for Fibonacci numbers). */
enum { MOST_DIVISIONS = 96 };

uint64_t st_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* One division, to compute the x of (a, m) from the x of (m mod a, a). */
struct st_division {
    uint64_t quotient; /* m / a */
    uint64_t whole;    /* low / a */
};

/*
 * Computes the smallest x >= 0 with low <= a * x mod m <= high, for 0 < low <= high < m and a < m.
 *
 * If a multiple of a is in [low, high], its first one is the result. If not, a * x - m * y is in it
 * for some y >= 1. So, modulo a, (m mod a) * y is in [a - high mod a, a - low mod a]; the smallest
 * such y belongs to the smallest x. With w = (m mod a) * y / a (which is the y of that problem) and
 * v its remainder,
 *
 *     x = ceil((low + m * y) / a) = (m / a) * y + w + low / a + ceil((low mod a + v) / a)
 *
 * where the last term is 1, since 0 < low mod a + v <= a. No product needs more than 64 bits.
 */
static bool first_multiple(uint64_t a, uint64_t m, uint64_t low, uint64_t high, uint64_t *x)
{
    struct st_division divisions[MOST_DIVISIONS];
    size_t count = 0;
    uint64_t wraps = 0; /* a * x / m */
    for (;;) {
        if (a == 0) {
            return false;
        }
        uint64_t whole = low / a, rest = low % a;
        if (rest == 0 || a - rest <= high - low) {
            *x = whole + (rest != 0);
            break;
        }
        divisions[count++] = (struct st_division){m / a, whole};
        uint64_t next = m % a;
        low = a - high % a;
        high = a - rest;
        m = a;
        a = next;
    }
    while (count--) {
        uint64_t y = *x;
        *x = divisions[count].quotient * y + wraps + divisions[count].whole + 1;
        wraps = y;
    }
    return true;
}

bool st_first_hit(uint64_t a, uint64_t b, uint64_t m, uint64_t low, uint64_t high, uint64_t most,
                  uint64_t *x)
{
    a %= m;
    b %= m;
    /* low..high relative to b; if that wraps, it contains 0 */
    uint64_t from = low >= b ? low - b : low + (m - b);
    uint64_t to = high >= b ? high - b : high + (m - b);
    if (from == 0 || from > to) {
        *x = 0;
        return true;
    }
    return first_multiple(a, m, from, to, x) && *x <= most;
}
