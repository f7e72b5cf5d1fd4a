/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include <stdlib.h>
#include <string.h>

void st_text_deinit(struct st_text *text)
{
    free(text->data);
    *text = (struct st_text){0};
}

static bool reserve_text(struct st_text *text, size_t more)
{
    if (text->failed) {
        return false;
    }
    if (text->capacity - text->length < more) {
        size_t capacity = text->capacity ? text->capacity * 2 : 256;
        while (capacity - text->length < more) {
            capacity *= 2;
        }
        char *data = realloc(text->data, capacity);
        if (!data) {
            text->failed = true;
            return false;
        }
        text->data = data;
        text->capacity = capacity;
    }
    return true;
}

void st_text_append(struct st_text *text, const char *data, size_t length)
{
    if (length && reserve_text(text, length)) {
        memcpy(text->data + text->length, data, length);
        text->length += length;
    }
}

void st_text_puts(struct st_text *text, const char *string)
{
    st_text_append(text, string, strlen(string));
}

void st_text_spaces(struct st_text *text, size_t count)
{
    if (reserve_text(text, count)) {
        memset(text->data + text->length, ' ', count);
        text->length += count;
    }
}

void st_text_decimal(struct st_text *text, unsigned long long number, bool negative)
{
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    if (negative) {
        digits[--at] = '-';
    }
    st_text_append(text, digits + at, sizeof digits - at);
}

void st_text_indent(struct st_text *text, size_t from, uint64_t level)
{
    for (size_t at = from; level && at < text->length && !text->failed; at++) {
        if (text->data[at] == '\n') {
            size_t spaces = 2 * (size_t)level;
            size_t tail = text->length - at - 1;
            st_text_spaces(text, spaces);
            if (!text->failed) {
                memmove(text->data + at + 1 + spaces, text->data + at + 1, tail);
                memset(text->data + at + 1, ' ', spaces);
            }
            at += spaces;
        }
    }
}
