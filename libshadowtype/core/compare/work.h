/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A limit for the work on one question, in steps of some hundred nanoseconds. Beyond it the answer
 * is "undecided", never a guess.
 */
#ifndef ST_CORE_COMPARE_WORK_H
#define ST_CORE_COMPARE_WORK_H

#include <stdbool.h>
#include <stdint.h>

/* Takes `amount` from what is left. Returns false if it was not enough; nothing is left then. */
static inline bool st_spend(uint64_t *work, uint64_t amount)
{
    bool enough = amount <= *work;
    *work = enough ? *work - amount : 0;
    return enough;
}

#endif
