/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of element addresses (address*.c) only. */
#ifndef ST_CORE_ADDRESS_ADDRESS_INTERNAL_H
#define ST_CORE_ADDRESS_ADDRESS_INTERNAL_H

#include "core/address/address.h"

/* One part of an element address. */
struct st_token {
    enum st_token_kind {
        ST_TOKEN_END,
        ST_TOKEN_REPETITION,
        ST_TOKEN_INDEX,
        ST_TOKEN_NAME,
        ST_TOKEN_MEMBER,
        ST_TOKEN_TOO_LARGE, /* a repetition or an index */
        ST_TOKEN_WRONG
    } kind;
    size_t at, length; /* of the whole token; for ST_TOKEN_NAME, without parentheses and blanks */
    int64_t number;    /* of a repetition or an index; or the number of the member: 0, 1 */
};

static inline bool st_is_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

static inline char st_upper(char letter)
{
    return (char)(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
}

/* Returns the part at *at, and moves *at after it. ST_TOKEN_END: only blanks are left. */
struct st_token st_next_token(const char *text, size_t length, size_t *at);

/* Returns true if a part of a text is `name`, in upper or lower case. */
bool st_same_name(const char *text, size_t length, const char *name);

#endif
