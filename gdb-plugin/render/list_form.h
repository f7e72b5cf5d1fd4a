/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What gdb writes around and between the items of a list: {1, 2...}, in Fortran (1, 2, ...); with
 * `print array' a line for each item.
 */
#ifndef ST_RENDER_LIST_FORM_H
#define ST_RENDER_LIST_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "render.h"

void st_list_open(struct st_text *text, const struct st_render_options *options);
void st_list_close(struct st_text *text, const struct st_render_options *options);

/* Appends a list with this content, "..." or "": {...}. */
void st_list_short(struct st_text *text, const struct st_render_options *options,
                   const char *content);

/* Appends what precedes an item of a list at nesting depth `level`: a comma unless it is the first one. */
void st_list_separate(struct st_text *text, const struct st_render_options *options, bool first,
                      uint64_t level);

/* `print array-indexes`: [0] = , in Fortran (1) = . */
void st_list_index(struct st_text *text, const struct st_render_options *options, int64_t index);

/* Appends " <repeats 12 times>" to an item. */
void st_list_repeats(struct st_text *text, int64_t repeats);

/* Appends the sign that a list goes on. */
void st_list_rest(struct st_text *text, const struct st_render_options *options);

/* Closes a list at nesting depth `level`; cut: it goes on. */
void st_list_end(struct st_text *text, const struct st_render_options *options, bool cut,
                 uint64_t level);

#endif
