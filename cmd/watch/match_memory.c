/* SPDX-License-Identifier: BSD-3-Clause */
#include "match_memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../say.h"
#include "core/agree/segment.h"

#define LEAST_TEXT "288K"
#define MOST_TEXT "1G"
static const uint64_t least = UINT64_C(288) << 10, most = UINT64_C(1) << 30;
_Static_assert(288 << 10 == ST_MESSAGE_BYTES << ST_LOG2_MESSAGES_LEAST, "LEAST_TEXT");
_Static_assert(ST_MESSAGE_BYTES << ST_LOG2_MESSAGES_MOST <= 1 << 30, "MOST_TEXT");

/* Returns false if the text is no such number, or out of range. */
static bool read_size(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno != 0 || number > most) {
        return false;
    }
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    *bytes = number << (unit != NULL ? 10 * (unit - units + 1) : 0);
    return (*end == '\0' || (unit != NULL && end[1] == '\0')) && *bytes >= least && *bytes <= most;
}

void match_memory_take(const char *typed, const char *value)
{
    uint64_t bytes;
    if (!read_size(value, &bytes)) {
        fail(STATUS_USAGE, "'%s=%s': it is a size, " LEAST_TEXT " to " MOST_TEXT ", such as 256M",
             typed, value);
    }
    setenv(MATCH_MEMORY_VARIABLE, value, 1);
}

uint32_t match_memory_log2(void)
{
    const char *value = getenv(MATCH_MEMORY_VARIABLE);
    uint64_t bytes;
    uint32_t log2 = ST_LOG2_MESSAGES_LEAST;
    if (value == NULL || !read_size(value, &bytes)) {
        return ST_LOG2_MESSAGES;
    }
    while (log2 < ST_LOG2_MESSAGES_MOST && (uint64_t)ST_MESSAGE_BYTES << (log2 + 1) <= bytes) {
        log2++;
    }
    return log2;
}
