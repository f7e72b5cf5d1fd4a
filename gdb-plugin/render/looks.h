/* SPDX-License-Identifier: BSD-3-Clause */
/* How much one rendering looks at, and writes, so that it ends within some hundredths of a second: rows of
 * a million equal numbers are not read as a whole only to count them. */
#ifndef ST_LOOKS_H
#define ST_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "render.h"

struct st_looks {
    uint64_t steps; /* places and numbers */
    uint64_t looks; /* numbers that were compared only to count repeats */
};

/* Returns true if every list shall now end with "..."; never so with `print elements unlimited`. */
bool st_looks_tired(const struct st_looks *looks, const struct st_render_options *options,
                    const struct st_text *text);

/* Returns how many equal numbers are counted at most now, where `print repeats` folds them. */
int64_t st_looks_most_repeats(const struct st_looks *looks,
                              const struct st_render_options *options);

/* Adds what gdb took to write `count` elements. */
void st_looks_add_question(struct st_looks *looks, const struct st_basic *basic, int64_t count);

/* Returns how many elements of one list gdb is given at most now. */
int64_t st_looks_most_elements(const struct st_looks *looks,
                               const struct st_render_options *options,
                               const struct st_basic *basic);

/* Adds the places that were rendered since `steps` only to count repeats. */
void st_looks_add_places(struct st_looks *looks, uint64_t steps);

#endif
