/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/writer.h"

#include <string.h>

void st_put_bytes(struct st_writer *writer, const char *bytes, size_t length)
{
    size_t left = writer->length < writer->room ? writer->room - writer->length : 0;
    size_t taken = length < left ? length : left;
    if (taken != 0) {
        memcpy(writer->bytes + writer->length, bytes, taken);
    }
    writer->length += length;
}

void st_put(struct st_writer *writer, const char *text)
{
    st_put_bytes(writer, text, strlen(text));
}

static void put_digits(struct st_writer *writer, uint64_t number, unsigned base)
{
    char digits[20];
    size_t first = sizeof digits;
    do {
        digits[--first] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    st_put_bytes(writer, digits + first, sizeof digits - first);
}

void st_put_number(struct st_writer *writer, int64_t number)
{
    if (number < 0) {
        st_put(writer, "-");
    }
    put_digits(writer, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);
}

void st_put_hex(struct st_writer *writer, uint64_t number)
{
    st_put(writer, "0x");
    put_digits(writer, number, 16);
}

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

size_t st_text_character(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] == 0) {
        return 0;
    }
    if (byte[0] < 0x80) {
        return 1;
    }
    if (byte[0] < 0xc2 || byte[0] > 0xf4 || !is_continuation(byte[1])) {
        return 0;
    }
    if (byte[0] < 0xe0) {
        return 2;
    }
    /* The second byte shows overlong forms, surrogates and characters beyond U+10FFFF. */
    if ((byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xed && byte[1] > 0x9f) ||
        (byte[0] == 0xf0 && byte[1] < 0x90) || (byte[0] == 0xf4 && byte[1] > 0x8f) ||
        !is_continuation(byte[2])) {
        return 0;
    }
    if (byte[0] < 0xf0) {
        return 3;
    }
    return is_continuation(byte[3]) ? 4 : 0;
}

uint32_t st_text_code(const char *text, size_t length)
{
    static const unsigned char head[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)text[0] & head[length];
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    }
    return code;
}

void st_put_visible(struct st_writer *writer, const char *text)
{
    while (*text != '\0') {
        size_t length = st_text_character(text);
        uint32_t code = length == 0 ? 0 : st_text_code(text, length);
        if (length != 0 && (code < 0x20 || code == 0x7f)) {
            st_put(writer, " ");
        } else if (length == 0 || st_text_acts(code)) {
            st_put(writer, ST_REPLACEMENT);
        } else {
            st_put_bytes(writer, text, length);
        }
        text += length == 0 ? 1 : length;
    }
}

size_t st_text_cut(const char *text, size_t most)
{
    size_t length = 0;
    while (text[length] != '\0') {
        size_t next = st_text_character(text + length);
        if (next == 0) {
            next = 1;
        }
        if (length + next > most) {
            break;
        }
        length += next;
    }
    return length;
}

struct st_writer st_texts_begin(const struct st_texts *texts)
{
    return (struct st_writer){.bytes = texts->bytes + texts->used,
                              .room = texts->room - texts->used - 1};
}

const char *st_texts_end(struct st_texts *texts, const struct st_writer *writer)
{
    size_t length = writer->length < writer->room ? writer->length : writer->room;
    writer->bytes[length] = 0;
    texts->used += length + 1;
    if (texts->used > texts->room - 2) {
        texts->used = texts->room - 2;
    }
    return writer->bytes;
}
