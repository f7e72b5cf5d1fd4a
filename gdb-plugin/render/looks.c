/* SPDX-License-Identifier: BSD-3-Clause */
#include "looks.h"

/* gdb would read a whole array to count its repeats. We stop here; the text then says "...". */
#define MOST_REPEATS INT64_C(1048576)
/* The most numbers that one rendering compares: those of nested equal lists multiply. */
#define MOST_LOOKS (UINT64_C(1) << 22)
/* A place that is rendered only to count repeats takes the time of so many numbers. */
#define LOOKS_OF_A_PLACE 32
/* gdb takes the time of so many numbers for each question, for each letter of a text, and for each other element. */
#define LOOKS_OF_A_QUESTION 2048
#define LOOKS_OF_A_LETTER 1024
#define LOOKS_OF_AN_ELEMENT 48
/* So many equal numbers are counted even then. */
#define LEAST_REPEATS 64
/* The longest text of nested lists, and more for each of `print elements`. */
#define MOST_TEXT (UINT64_C(1) << 18)
#define TEXT_OF_AN_ELEMENT 64
/* A frontend asks for a thousand brief texts at a time. */
#define MOST_BRIEF_LOOKS (UINT64_C(1) << 18)
#define MOST_BRIEF_TEXT (UINT64_C(1) << 12)

static uint64_t most_looks(const struct st_render_options *options)
{
    return options->brief ? MOST_BRIEF_LOOKS : MOST_LOOKS;
}

static uint64_t looks_left(const struct st_looks *looks, const struct st_render_options *options)
{
    uint64_t most = most_looks(options);
    return looks->looks < most ? most - looks->looks : 0;
}

bool st_looks_tired(const struct st_looks *looks, const struct st_render_options *options,
                    const struct st_text *text)
{
    uint64_t elements = options->elements;
    if (elements == UINT64_MAX) {
        return false;
    }
    uint64_t most = options->brief ? MOST_BRIEF_TEXT : MOST_TEXT + TEXT_OF_AN_ELEMENT * elements;
    bool is_long = elements < UINT32_MAX && text->length > most;
    return looks->looks >= most_looks(options) || is_long;
}

int64_t st_looks_most_repeats(const struct st_looks *looks, const struct st_render_options *options)
{
    uint64_t left = looks_left(looks, options);
    if (options->elements == UINT64_MAX || left > (uint64_t)MOST_REPEATS) {
        return MOST_REPEATS;
    }
    return left > LEAST_REPEATS ? (int64_t)left : LEAST_REPEATS;
}

static uint64_t looks_of_an_element(const struct st_basic *basic)
{
    bool text = basic->class_ == ST_CLASS_CHAR || basic->class_ == ST_CLASS_WCHAR;
    return text ? LOOKS_OF_A_LETTER : LOOKS_OF_AN_ELEMENT;
}

void st_looks_add_question(struct st_looks *looks, const struct st_basic *basic, int64_t count)
{
    looks->looks += LOOKS_OF_A_QUESTION + (uint64_t)count * looks_of_an_element(basic);
}

int64_t st_looks_most_elements(const struct st_looks *looks,
                               const struct st_render_options *options,
                               const struct st_basic *basic)
{
    uint64_t left = looks_left(looks, options);
    if (options->elements >= UINT32_MAX) {
        return INT64_MAX;
    }
    uint64_t most = left / looks_of_an_element(basic);
    return (int64_t)(most > options->elements ? most : options->elements + 1);
}

void st_looks_add_places(struct st_looks *looks, uint64_t steps)
{
    looks->looks += (looks->steps - steps) * LOOKS_OF_A_PLACE;
}
