/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes text into a caller's memory, which may be too short: nothing is written beyond its end,
 * but the length is counted on, so that the caller notices.
 *
 *     char bytes[256];
 *     struct st_writer writer = {.bytes = bytes, .room = sizeof bytes};
 *     st_put(&writer, "rank ");
 *     st_put_number(&writer, 3);
 *     if (writer.length <= writer.room) ... all of it is in `bytes`, without a terminating 0 ...
 *
 * Allocates nothing, and calls no function of the C library that takes a lock.
 */
#ifndef ST_REPORT_WRITER_H
#define ST_REPORT_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "visible.h"

struct st_writer {
    char *bytes;
    size_t room;
    size_t length; /* if greater than room, the rest was left out */
};

void st_put_bytes(struct st_writer *writer, const char *bytes, size_t length);
void st_put(struct st_writer *writer, const char *text);
void st_put_number(struct st_writer *writer, int64_t number);
void st_put_hex(struct st_writer *writer, uint64_t number); /* 0x1f */

/* Returns where TEXT can be cut: the length of its first MOST bytes, or less, that ends between
 * characters. */
size_t st_text_cut(const char *text, size_t most);

/* Returns the length of the UTF-8 character at the beginning of TEXT, 1 to 4; 0 if it is invalid.
 * Reads no byte after a 0. */
size_t st_text_character(const char *text);

/* Returns the code point of such a character, of LENGTH bytes. */
uint32_t st_text_code(const char *text, size_t length);

/* Writes TEXT, with replacements for invalid UTF-8 and for characters that act (visible.h); a blank
 * for those of ASCII. One byte becomes three at most. */
void st_put_visible(struct st_writer *writer, const char *text);

/* Several texts in a caller's memory, each terminated by a 0. What does not fit is cut.
 *
 *     char bytes[4096];
 *     struct st_texts texts = {bytes, sizeof bytes, 0};
 *     struct st_writer writer = st_texts_begin(&texts);
 *     st_put(&writer, "rank ");
 *     const char *text = st_texts_end(&texts, &writer); */
struct st_texts {
    char *bytes;
    size_t room; /* at least 2 */
    size_t used;
};

/* Begins a text; only one at a time. */
struct st_writer st_texts_begin(const struct st_texts *texts);
const char *st_texts_end(struct st_texts *texts, const struct st_writer *writer);

#endif
