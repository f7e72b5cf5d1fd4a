/* SPDX-License-Identifier: BSD-3-Clause */
#include "choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../options.h"
#include "../say.h"

enum { MOST_SECONDS = 1000000 };

static void take_timeout(struct hang_choice *choice, const char *value)
{
    char *end;
    errno = 0;
    long seconds = strtol(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || seconds > MOST_SECONDS) {
        fail(STATUS_USAGE, "'--timeout=%s': it is a number of seconds, 0 (never) to %d", value,
             MOST_SECONDS);
    }
    choice->has_timeout = true;
    choice->timeout = seconds;
}

static void take_on_hang(struct hang_choice *choice, const char *value)
{
    static const struct {
        const char *name;
        enum on_hang on_hang;
    } names[] = {{"report", ON_HANG_REPORT},
                 {"end", ON_HANG_END},
                 {"gdb", ON_HANG_GDB},
                 {"wait", ON_HANG_WAIT}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(value, names[i].name) == 0) {
            choice->on_hang = names[i].on_hang;
            return;
        }
    }
    fail(STATUS_USAGE, "'--on-hang=%s': it is report, end, gdb or wait", value);
}

bool hang_choice_take(struct hang_choice *choice, char *const **words)
{
    const char *value;
    if (option_take(words, "timeout", &value)) {
        take_timeout(choice, value);
    } else if (option_take(words, "on-hang", &value)) {
        take_on_hang(choice, value);
    } else {
        return false;
    }
    return true;
}

enum on_hang hang_choice_follows(const struct hang_choice *choice, bool fails)
{
    if (choice->on_hang != ON_HANG_UNSAID) {
        return choice->on_hang;
    }
    return fails ? ON_HANG_END : ON_HANG_REPORT;
}

long hang_choice_timeout(const struct hang_choice *choice)
{
    return choice->has_timeout ? choice->timeout : TIMEOUT_SECONDS;
}
