/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/layout/effort.h"

enum { ASK_EVERY = 1 << 14 };

const char *st_doubt_text(enum st_doubt doubt)
{
    static const char *const texts[] = {
#define X(name, text) text,
        ST_DOUBTS(X)
#undef X
    };
    return texts[doubt];
}

bool st_effort_goes_on(struct st_effort *effort, uint64_t steps)
{
    if (effort->doubt == ST_DOUBT_INTERRUPTED) {
        return false;
    }
    if (steps < ASK_EVERY - effort->unasked) {
        effort->unasked += (uint32_t)steps;
        return true;
    }
    effort->unasked = 0;
    if (effort->interrupted && effort->interrupted(effort->context)) {
        effort->steps = 0;
        effort->doubt = ST_DOUBT_INTERRUPTED;
        return false;
    }
    return true;
}

bool st_effort_spend(struct st_effort *effort, uint64_t steps)
{
    if (effort->steps < steps) {
        effort->steps = 0;
        if (effort->doubt != ST_DOUBT_INTERRUPTED) {
            effort->doubt = ST_DOUBT_STEPS;
        }
        return false;
    }
    effort->steps -= steps;
    return st_effort_goes_on(effort, steps);
}
