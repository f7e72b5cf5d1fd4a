/* Shared by the files of element addresses (address*.c), and by nobody else. */
#ifndef ST_CORE_ADDRESS_ADDRESS_INTERNAL_H
#define ST_CORE_ADDRESS_ADDRESS_INTERNAL_H

#include "core/address/address.h"

/* A part of an element address. */
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
    size_t at, length; /* of the whole token; of ST_TOKEN_NAME, without parentheses and blanks */
    int64_t number;    /* or the member: 0, 1 */
};

static inline bool st_is_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

static inline char st_upper(char letter)
{
    return (char)(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
}

/* The part at *at, which moves behind it. ST_TOKEN_END: only blanks are left. */
struct st_token st_next_token(const char *text, size_t length, size_t *at);

/* Whether a part of a text is a name: upper and lower case are the same. */
bool st_same_name(const char *text, size_t length, const char *name);

#endif
