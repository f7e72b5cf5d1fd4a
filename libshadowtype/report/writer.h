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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The length of the character of UTF-8 that TEXT begins with, 1 to 4; 0: it is none. Reads no
 * byte behind a 0. */
size_t st_text_character(const char *text);

/* The code point of such a character, of LENGTH bytes. */
uint32_t st_text_code(const char *text, size_t length);

/* True if a code point does something instead of being seen: controls of terminals (C0, DEL, C1),
 * controls of the direction of writing, ends of lines. Every output replaces or escapes these in
 * what comes from the program. */
bool st_text_acts(uint32_t code);

#endif
