/* Between a program of random calls and the group of checks that sees them, quick_group.c. */
#ifndef TESTS_CHECKS_QUICK_H
#define TESTS_CHECKS_QUICK_H

#include <stdint.h>

/* The last call that the group has seen: whether there was one, and its parameters with a finding. */
extern struct quick {
    unsigned seen;
    unsigned found;
} quick;

/* Random numbers, from a seed on. */
static uint64_t state;

static inline unsigned draw(unsigned below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(state >> 33) % below;
}

static inline int one_in(unsigned many)
{
    return draw(many) == 0;
}

#endif
