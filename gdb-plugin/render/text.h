/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing string. After a failed append `failed` stays set, and nothing more is appended. */
#ifndef ST_RENDER_TEXT_H
#define ST_RENDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct st_text {
    char *data; /* not terminated; NULL while empty */
    size_t length, capacity;
    bool failed; /* out of memory */
};

void st_text_deinit(struct st_text *text);
void st_text_append(struct st_text *text, const char *data, size_t length);
void st_text_puts(struct st_text *text, const char *string);
void st_text_spaces(struct st_text *text, size_t count);
void st_text_decimal(struct st_text *text, unsigned long long number, bool negative);

/* Indents the lines that begin after `from` by two spaces a level. */
void st_text_indent(struct st_text *text, size_t from, uint64_t level);

#endif
