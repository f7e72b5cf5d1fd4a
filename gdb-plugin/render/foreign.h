/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements that gdb writes: text, complex numbers, pairs, and all with a format letter.
 *
 * Each question to gdb takes as long as thousands of numbers, and so does each letter of a text. So the last
 * answers are kept, which makes equal rows cheap; a text's last letters, if they are equal, are counted
 * here; and what is left is charged to the rendering's looks.
 */
#ifndef ST_RENDER_FOREIGN_H
#define ST_RENDER_FOREIGN_H

#include "looks.h"

/* The last answers of gdb in one rendering. */
struct st_foreign;

/* Returns NULL if there is no memory: then nothing is kept. */
struct st_foreign *st_foreign_new(void);
void st_foreign_free(struct st_foreign *foreign);

/* What a rendering has. foreign: NULL: nothing is kept. */
struct st_foreign_context {
    struct st_text *text;
    const struct st_render_options *options;
    struct st_looks *looks;
    struct st_foreign *foreign;
};

/* Appends the text of one packed element. Returns false if gdb was interrupted. */
bool st_foreign_scalar(const struct st_foreign_context *context, const struct st_basic *basic,
                       const void *data);

/* Appends the text of a list of *count packed elements; of a long list fewer: *count. Returns false if
 * gdb was interrupted. */
bool st_foreign_list(const struct st_foreign_context *context, const struct st_basic *basic,
                     const void *data, int64_t *count);

#endif
