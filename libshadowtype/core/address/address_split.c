/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/address/address_internal.h"

#include <string.h>

static bool is_letter(char letter)
{
    return st_upper(letter) >= 'A' && st_upper(letter) <= 'Z';
}

/* Returns where the bracket opens that is closed before `end`; SIZE_MAX if nowhere. */
static size_t opening(const char *text, size_t end)
{
    char closing = text[end - 1], open = closing == ']' ? '[' : closing == '}' ? '{' : '(';
    size_t depth = 0;
    for (size_t i = end; i-- > 0;) {
        depth += text[i] == closing;
        depth -= text[i] == open;
        if (depth == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Returns the token that ends at `end`, and stores where it begins. */
static struct st_token token_before(const char *text, size_t end, size_t *start)
{
    static const struct st_token none = {.kind = ST_TOKEN_WRONG};
    *start = end;
    if (text[end - 1] == ']' || text[end - 1] == '}' || text[end - 1] == ')') {
        *start = opening(text, end);
    } else {
        while (*start > 0 && is_letter(text[*start - 1])) {
            --*start;
        }
        *start = *start ? *start - 1 : SIZE_MAX; /* the dot */
    }
    if (*start >= end) {
        return none;
    }
    size_t at = *start;
    struct st_token token = st_next_token(text, end, &at);
    bool whole = at == end && (token.kind != ST_TOKEN_NAME || is_letter(text[token.at]));
    return whole ? token : none;
}

static bool is_combiner(const char *text, size_t length)
{
    for (unsigned combiner = ST_NAMED; combiner < ST_COMBINER_END; combiner++) {
        if (st_same_name(text, length, st_combiner_name(combiner))) {
            return true;
        }
    }
    return false;
}

/* Returns where the quoted text at the beginning ends; 0 if there is none. */
static size_t quoted(const char *text, size_t length)
{
    if (length == 0 || (text[0] != '"' && text[0] != '\'')) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if (text[i] == text[0]) {
            return i + 1;
        }
        i += text[i] == '\\';
    }
    return 0;
}

size_t st_address_splits(const char *text, size_t length, size_t splits[ST_ADDRESS_SPLITS])
{
    size_t quote = quoted(text, length), count = 0, sure = 0, end = length, start;
    enum st_token_kind after = ST_TOKEN_END;
    for (;;) {
        while (end > 0 && st_is_blank(text[end - 1])) {
            end--;
        }
        if (end == 0) {
            break;
        }
        if (end == quote) {
            splits[0] = end;
            return 1;
        }
        if (count == ST_ADDRESS_SPLITS) {
            memmove(splits, splits + 1, --count * sizeof(*splits));
            sure -= sure > 0;
        }
        splits[count++] = end;
        struct st_token token = token_before(text, end, &start);
        if (token.kind == ST_TOKEN_WRONG || after == ST_TOKEN_REPETITION ||
            (token.kind == ST_TOKEN_NAME && after == ST_TOKEN_NAME) ||
            (token.kind == ST_TOKEN_MEMBER && after != ST_TOKEN_END)) {
            break;
        }
        if (token.kind == ST_TOKEN_NAME && is_combiner(text + token.at, token.length)) {
            sure = count; /* shorter prefixes end before the combiner's name */
        }
        after = token.kind;
        end = start;
    }
    /* those that end before a combiner's name come first */
    size_t longer[ST_ADDRESS_SPLITS];
    memcpy(longer, splits, sure * sizeof(*splits));
    memmove(splits, splits + sure, (count - sure) * sizeof(*splits));
    memcpy(splits + count - sure, longer, sure * sizeof(*splits));
    return count;
}
