/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/on_error.h"

#include <string.h>

static const char *const words[] = {
#define ST_ON_ERROR_WORD(name, word) word,
    ST_ON_ERROR_LIST(ST_ON_ERROR_WORD)
#undef ST_ON_ERROR_WORD
};

enum st_on_error st_on_error_find(const char *word)
{
    enum st_on_error what = ST_ON_ERROR_REPORT;
    while (what < ST_ON_ERROR_COUNT && strcmp(words[what], word) != 0) {
        what++;
    }
    return what;
}

const char *st_on_error_word(enum st_on_error what)
{
    return words[what];
}

unsigned st_max_debuggers(const char *text)
{
    unsigned number = 0;
    for (; *text >= '0' && *text <= '9' && number <= ST_MOST_DEBUGGERS; text++) {
        number = number * 10 + (unsigned)(*text - '0');
    }
    return *text == '\0' && number <= ST_MOST_DEBUGGERS ? number : 0;
}
