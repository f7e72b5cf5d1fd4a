/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/quick.h"

#include <limits.h>

/* Returns how many of the handles find their place taken. */
static int count_crowded(const uint64_t *handles, uint32_t count, uint64_t multiplier)
{
    uint64_t taken[(1 << ST_LOG2_QUICK) / 64] = {0};
    int crowded = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = st_quick_place_by(handles[i], multiplier);
        crowded += (int)(taken[place / 64] >> place % 64 & 1);
        taken[place / 64] |= UINT64_C(1) << place % 64;
    }
    return crowded;
}

uint64_t st_quick_spread(const uint64_t *handles, uint32_t count)
{
    enum { TRIES = 200 }; /* for 70 handles one multiplier in ten is such a one */
    uint64_t multiplier = UINT64_C(0x9E3779B97F4A7C15), best = multiplier;
    int least = INT_MAX;
    for (int i = 0; i < TRIES && least > 0; i++) {
        int crowded = count_crowded(handles, count, multiplier);
        if (crowded < least) {
            least = crowded;
            best = multiplier;
        }
        multiplier = multiplier * 5 + 2; /* stays odd */
    }
    return best;
}
