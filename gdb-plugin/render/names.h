/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program's names for the entries of a struct: {pos = {1, 2}, tag = "abc"}.
 */
#ifndef ST_RENDER_NAMES_H
#define ST_RENDER_NAMES_H

#include "render.h"

/* Returns the names that belong to the struct at this place, one for each entry; NULL: none. */
const char *const *st_names_at(const struct st_render_options *options,
                               const struct st_place *place);

/* Appends "name = ", or "[index] = " if the entry has no name. names: NULL if no entry has one. */
void st_put_label(struct st_text *text, const char *const *names, int64_t index);

#endif
