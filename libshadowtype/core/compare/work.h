/*
 * A bound on what may be spent on one question, in steps of some hundred nanoseconds. What is past
 * it is said to be undecided, never guessed.
 */
#ifndef ST_CORE_COMPARE_WORK_H
#define ST_CORE_COMPARE_WORK_H

#include <stdbool.h>
#include <stdint.h>

/* Takes `amount` from what is left; false: that was too much, and nothing is left. */
static inline bool st_spend(uint64_t *work, uint64_t amount)
{
    bool enough = amount <= *work;
    *work = enough ? *work - amount : 0;
    return enough;
}

#endif
