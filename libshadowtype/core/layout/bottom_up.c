/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/layout/bottom_up.h"

#include <stdlib.h>

/* A type whose bases are visited one after the other. The bases before `next` are done. */
struct st_visit {
    const struct st_type *type;
    int64_t next;
};

static const struct st_type *missing(const struct st_bottom_up *walk, struct st_visit *visit)
{
    const struct st_type *type = visit->type;
    int64_t bases = type->types ? type->entries : type->base != NULL;
    for (; visit->next < bases; visit->next++) {
        const struct st_type *base = type->types ? type->types[visit->next] : type->base;
        if (!walk->done(walk->context, base)) {
            return base;
        }
    }
    return NULL;
}

enum st_error st_bottom_up(const struct st_bottom_up *walk, const struct st_type *type)
{
    size_t depth = 1, capacity = 16;
    struct st_visit *stack = malloc(capacity * sizeof(*stack));
    enum st_error error = stack ? ST_OK : ST_NO_MEMORY;
    if (stack) {
        stack[0] = (struct st_visit){type, 0};
    }
    while (!error && depth) {
        const struct st_type *base = missing(walk, &stack[depth - 1]);
        if (!base) {
            error = walk->visit(walk->context, stack[--depth].type);
            continue;
        }
        if (depth == capacity) {
            struct st_visit *more = realloc(stack, 2 * capacity * sizeof(*stack));
            if (!more) {
                error = ST_NO_MEMORY;
                break;
            }
            stack = more;
            capacity *= 2;
        }
        stack[depth++] = (struct st_visit){base, 0};
    }
    free(stack);
    return error;
}
