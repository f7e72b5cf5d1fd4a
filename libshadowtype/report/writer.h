/*
 * Text into a caller's memory, which may be too short: nothing is written past it, and the length
 * goes on counting, so that the caller sees it.
 *
 *     char bytes[256];
 *     struct st_writer writer = {.bytes = bytes, .room = sizeof bytes};
 *     st_put(&writer, "rank ");
 *     st_put_number(&writer, 3);
 *     if (writer.length <= writer.room) ... all of it is in `bytes`, with no 0 at its end
 *
 * Allocates nothing and asks the C library for nothing that takes a lock.
 */
#ifndef ST_REPORT_WRITER_H
#define ST_REPORT_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "visible.h"

struct st_writer {
    char *bytes;
    size_t room;
    size_t length; /* more than room: the rest was left out */
};

void st_put_bytes(struct st_writer *writer, const char *bytes, size_t length);
void st_put(struct st_writer *writer, const char *text);
void st_put_number(struct st_writer *writer, int64_t number);
void st_put_hex(struct st_writer *writer, uint64_t number); /* 0x1f */

/* How many bytes of TEXT, at most MOST, are whole characters of UTF-8 or single bytes that are
 * none: where a text can be cut. */
size_t st_text_cut(const char *text, size_t most);

/* The length of the character of UTF-8 that TEXT begins with, 1 to 4; 0 if it is not one. Reads no
 * byte behind a 0. */
size_t st_text_character(const char *text);

/* The code point of such a character, of LENGTH bytes. */
uint32_t st_text_code(const char *text, size_t length);

/* TEXT, where bytes that are no UTF-8, and characters that act (visible.h), are replaced: those of
 * ASCII by a blank. A byte becomes three at most. */
void st_put_visible(struct st_writer *writer, const char *text);

/* Texts one behind the other in a caller's memory, each ended by 0. What has no room is cut.
 *
 *     char bytes[4096];
 *     struct st_texts texts = {bytes, sizeof bytes, 0};
 *     struct st_writer writer = st_texts_begin(&texts);
 *     st_put(&writer, "rank ");
 *     const char *text = st_texts_end(&texts, &writer);
 */
struct st_texts {
    char *bytes;
    size_t room; /* at least 2 */
    size_t used;
};

/* One text at a time. */
struct st_writer st_texts_begin(const struct st_texts *texts);
const char *st_texts_end(struct st_texts *texts, const struct st_writer *writer);

#endif
