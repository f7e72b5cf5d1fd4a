/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/address/address_internal.h"

#include <string.h>

static size_t skip_blanks(const char *text, size_t length, size_t at)
{
    while (at < length && st_is_blank(text[at])) {
        at++;
    }
    return at;
}

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/* Reads a number and its closing bracket; *at is after the opening one. */
static struct st_token number_token(const char *text, size_t length, size_t *at, char closing)
{
    struct st_token token = {.kind = closing == ']' ? ST_TOKEN_INDEX : ST_TOKEN_REPETITION,
                             .at = *at - 1};
    size_t i = skip_blanks(text, length, *at);
    bool negative = i < length && text[i] == '-';
    size_t digits = i += negative;
    while (i < length && is_digit(text[i])) {
        int64_t digit = text[i++] - '0';
        if (__builtin_mul_overflow(token.number, 10, &token.number) ||
            __builtin_add_overflow(token.number, digit, &token.number)) {
            token.kind = ST_TOKEN_TOO_LARGE;
        }
    }
    bool any = i > digits;
    i = skip_blanks(text, length, i);
    if (!any || i >= length || text[i] != closing) {
        return (struct st_token){.kind = ST_TOKEN_WRONG, .at = i};
    }
    *at = i + 1;
    token.length = *at - token.at;
    token.number = negative ? -token.number : token.number;
    return token;
}

/* Reads a name; *at is after its parenthesis. It may contain pairs of parentheses. */
static struct st_token name_token(const char *text, size_t length, size_t *at)
{
    size_t start = skip_blanks(text, length, *at), end = start, open = 1;
    for (; end < length; end++) {
        open += text[end] == '(';
        open -= text[end] == ')';
        if (open == 0) {
            break;
        }
    }
    if (end == start || end == length) {
        return (struct st_token){.kind = ST_TOKEN_WRONG, .at = end};
    }
    *at = end + 1;
    while (st_is_blank(text[end - 1])) {
        end--;
    }
    return (struct st_token){.kind = ST_TOKEN_NAME, .at = start, .length = end - start};
}

static bool word_follows(const char *text, size_t length, size_t at, const char *word)
{
    return length - at >= strlen(word) && memcmp(text + at, word, strlen(word)) == 0;
}

struct st_token st_next_token(const char *text, size_t length, size_t *at)
{
    static const char *const members[] = {".first", ".second"};
    size_t start = skip_blanks(text, length, *at);
    if (start == length) {
        return (struct st_token){.kind = ST_TOKEN_END, .at = start};
    }
    *at = start + 1;
    switch (text[start]) {
    case '[':
        return number_token(text, length, at, ']');
    case '{':
        return number_token(text, length, at, '}');
    case '(':
        return name_token(text, length, at);
    default:
        break;
    }
    for (int i = 0; i < 2; i++) {
        if (word_follows(text, length, start, members[i])) {
            *at = start + strlen(members[i]);
            return (struct st_token){ST_TOKEN_MEMBER, start, *at - start, i};
        }
    }
    return (struct st_token){.kind = ST_TOKEN_WRONG, .at = start};
}

bool st_same_name(const char *text, size_t length, const char *name)
{
    for (size_t i = 0; i < length; i++) {
        if (!name[i] || st_upper(text[i]) != st_upper(name[i])) {
            return false;
        }
    }
    return !name[length];
}
