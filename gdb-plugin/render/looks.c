/* SPDX-License-Identifier: BSD-3-Clause */
#include "looks.h"

/* gdb would read a whole array to count its repeats. We stop here; the text then says "...". */
#define MOST_REPEATS INT64_C(1048576)
/* The most numbers that one rendering compares: those of nested equal lists multiply. */
#define MOST_LOOKS (UINT64_C(1) << 22)
/* A place that is rendered only to count repeats takes the time of so many numbers. */
#define LOOKS_OF_A_PLACE 32
/* So many equal numbers are counted even then. */
#define LEAST_REPEATS 64
/* The longest text of nested lists, and more for each of `print elements`. */
#define MOST_TEXT (UINT64_C(1) << 18)
#define TEXT_OF_AN_ELEMENT 64

bool st_looks_tired(const struct st_looks *looks, const struct st_render_options *options,
                    const struct st_text *text)
{
    uint64_t elements = options->elements;
    if (elements == UINT64_MAX) {
        return false;
    }
    bool is_long =
        elements < UINT32_MAX && text->length > MOST_TEXT + TEXT_OF_AN_ELEMENT * elements;
    return looks->looks >= MOST_LOOKS || is_long;
}

int64_t st_looks_most_repeats(const struct st_looks *looks, const struct st_render_options *options)
{
    uint64_t left = looks->looks < MOST_LOOKS ? MOST_LOOKS - looks->looks : 0;
    if (options->elements == UINT64_MAX || left > (uint64_t)MOST_REPEATS) {
        return MOST_REPEATS;
    }
    return left > LEAST_REPEATS ? (int64_t)left : LEAST_REPEATS;
}

void st_looks_add_places(struct st_looks *looks, uint64_t steps)
{
    looks->looks += (looks->steps - steps) * LOOKS_OF_A_PLACE;
}
