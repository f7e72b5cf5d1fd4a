/* SPDX-License-Identifier: BSD-3-Clause */
#include "skip.h"

#include <fnmatch.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../options.h"
#include "../say.h"
#include "../words.h"

/* Enough for a few nested wrappers; a report has room for five such sites. */
#define KEPT "8"

static struct words patterns;
static size_t shown = SIZE_MAX; /* how many addresses of a site are shown */

static void require_patterns(const char *typed, const char *value)
{
    size_t length = strlen(value);
    if (length == 0 || value[0] == ',' || value[length - 1] == ',' || strstr(value, ",,") != NULL) {
        fail(STATUS_USAGE, "'%s=%s': a pattern is empty", typed, value);
    }
}

void skip_take(const char *value)
{
    static const char *taken; /* options before this one, which do not add to the variable */
    require_patterns("--skip-frames", value);
    taken = taken != NULL ? text_of("%s,%s", taken, value) : value;
    setenv(SKIP_FRAMES_VARIABLE, taken, 1);
}

bool skip_is_wanted(void)
{
    return patterns.count != 0;
}

void skip_prepare(bool callers_asked)
{
    const char *value = getenv(SKIP_FRAMES_VARIABLE);
    if (value == NULL || value[0] == '\0') {
        return;
    }
    require_patterns(SKIP_FRAMES_VARIABLE, value);
    while (*value != '\0') {
        size_t length = strcspn(value, ",");
        words_add(&patterns, text_of("%.*s", (int)length, value));
        value += length + (value[length] == ',');
    }
    if (!callers_asked) {
        setenv(CALLERS_VARIABLE, KEPT, 1);
        shown = 1;
    }
}

static bool is_wrapper(const struct place *place)
{
    for (size_t i = 0; place->function != NULL && i < patterns.count; i++) {
        if (fnmatch(patterns.list[i], place->function, 0) == 0) {
            return true;
        }
    }
    return false;
}

/* One address has several frames if functions are inlined. */
static bool same_address(const struct st_frame *a, const struct st_frame *b)
{
    return a->module != NULL && a->module == b->module && a->offset == b->offset;
}

/* Returns true if all frames of the program are wrappers. The caller of main() is the C library. */
static bool are_all_wrappers(const struct stack_writer *site)
{
    for (size_t i = 0; i < site->count; i++) {
        const char *function = site->places[i].function;
        if (!is_wrapper(&site->places[i])) {
            return false;
        }
        if (strcmp(function, "main") == 0) {
            break;
        }
    }
    return true;
}

void skip_frames(struct stack_writer *site)
{
    if (!skip_is_wanted()) {
        return;
    }
    const bool all = are_all_wrappers(site);
    size_t addresses = 0, taken = 0;
    for (size_t i = 0; i < site->count; i++) {
        if (!all && is_wrapper(&site->places[i])) {
            continue;
        }
        if (taken == 0 || !same_address(&site->frames[taken - 1], &site->frames[i])) {
            addresses++;
        }
        if (addresses > shown) {
            break;
        }
        site->frames[taken] = site->frames[i];
        site->places[taken++] = site->places[i];
    }
    site->count = taken;
}
