/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/model/combiners.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    const char *arguments[ST_COMBINER_ARGUMENTS], *arrays[ST_COMBINER_ARRAYS];
} rows[ST_COMBINER_END] = {
#define ROW(number, name, base, a0, a1, a2, ...) [number] = {#name, {a0, a1, a2}, {__VA_ARGS__}},
    ST_COMBINERS(ROW)
#undef ROW
};

const char *st_combiner_name(unsigned combiner)
{
    return combiner < ST_COMBINER_END ? rows[combiner].name : NULL;
}

const char *st_combiner_argument(unsigned combiner, int argument)
{
    return combiner < ST_COMBINER_END ? rows[combiner].arguments[argument] : NULL;
}

const char *st_combiner_array(unsigned combiner, int array)
{
    return combiner < ST_COMBINER_END ? rows[combiner].arrays[array] : NULL;
}

/* Returns true if `own`, with or without its unit "_bytes", is `name`. */
static bool is_name(const char *own, const char *name)
{
    size_t length = strlen(name);
    return own && strncmp(own, name, length) == 0 &&
           (!own[length] || strcmp(own + length, "_bytes") == 0);
}

int st_combiner_find_argument(unsigned combiner, const char *name)
{
    for (int i = 0; i < ST_COMBINER_ARGUMENTS; i++) {
        if (is_name(st_combiner_argument(combiner, i), name)) {
            return i;
        }
    }
    return -1;
}

int st_combiner_find_array(unsigned combiner, const char *name)
{
    for (int i = 0; i < ST_COMBINER_ARRAYS; i++) {
        if (is_name(st_combiner_array(combiner, i), name)) {
            return i;
        }
    }
    return -1;
}
