/* What every unit test of the runtime includes: cmocka, and the header that it forgets. */
#ifndef TESTS_UNIT_RUNTIME_UNIT_H
#define TESTS_UNIT_RUNTIME_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* xorshift: the same numbers everywhere. */
static inline uint32_t random_below(uint32_t limit)
{
    static uint64_t state = UINT64_C(0x9E3779B97F4A7C15);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % limit;
}

#endif
