/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/compare/strides.h"

#include <stdlib.h>

bool st_strides_add(struct st_strides *set, const struct st_nest *nest)
{
    size_t needed = 2 + 2 * (size_t)nest->levels;
    if (set->capacity - set->used < needed) {
        size_t capacity = set->capacity * 2 + needed;
        int64_t *wider = realloc(set->numbers, capacity * sizeof(*wider));
        if (!wider) {
            return false;
        }
        set->numbers = wider;
        set->capacity = capacity;
    }
    int64_t elements = 1;
    bool overflow = false;
    set->numbers[set->used++] = nest->start;
    set->numbers[set->used++] = nest->levels;
    for (uint32_t i = 0; i < nest->levels; i++) {
        set->numbers[set->used++] = nest->level[i].count;
        set->numbers[set->used++] = nest->level[i].stride;
        overflow |= __builtin_mul_overflow(elements, nest->level[i].count, &elements);
    }
    if (overflow || __builtin_add_overflow(set->elements, elements, &set->elements)) {
        set->elements = INT64_MAX;
    }
    return true;
}

bool st_strides_next(const struct st_strides *set, size_t *at, struct st_nest *nest)
{
    if (*at >= set->used) {
        return false;
    }
    nest->start = set->numbers[(*at)++];
    nest->levels = (uint32_t)set->numbers[(*at)++];
    for (uint32_t i = 0; i < nest->levels; i++) {
        nest->level[i].count = set->numbers[(*at)++];
        nest->level[i].stride = set->numbers[(*at)++];
    }
    return true;
}

void st_strides_free(struct st_strides *set)
{
    free(set->numbers);
    *set = (struct st_strides){0};
}
