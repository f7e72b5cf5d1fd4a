/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/signature/parts.h"

#include <stdlib.h>

bool st_has_parts(const struct st_type *type)
{
    return !type->leaf && !st_elided(type) && type->combiner != ST_OPAQUE;
}

int64_t st_parts(const struct st_type *type)
{
    if (!st_has_parts(type)) {
        return 0;
    }
    return type->combiner == ST_STRUCT ? type->entries : 1;
}

static bool product_of(int64_t a, int64_t b, int64_t *times)
{
    if (a <= 0 || b <= 0) {
        *times = 0;
        return true;
    }
    return !__builtin_mul_overflow(a, b, times);
}

static bool sum_of_lengths(const struct st_type *type, int64_t *times)
{
    *times = 0;
    for (int64_t i = 0; i < type->entries; i++) {
        if (type->lengths[i] > 0 && __builtin_add_overflow(*times, type->lengths[i], times)) {
            return false;
        }
    }
    return true;
}

static bool product_of_dimensions(const struct st_type *type, int64_t *times)
{
    bool fits = true;
    *times = 1;
    for (int64_t d = 0; d < type->entries; d++) {
        int64_t count = st_dimension_count(type, d);
        if (count <= 0) {
            *times = 0;
            return true;
        }
        fits = fits && product_of(*times, count, times);
    }
    return fits;
}

static bool times_of(const struct st_type *type, int64_t *times)
{
    switch (type->combiner) {
    case ST_CONTIGUOUS:
        return product_of(type->args[0], 1, times);
    case ST_VECTOR:
    case ST_HVECTOR:
        return product_of(type->args[0], type->args[1], times);
    case ST_INDEXED:
    case ST_HINDEXED:
        return sum_of_lengths(type, times);
    case ST_INDEXED_BLOCK:
    case ST_HINDEXED_BLOCK:
        return product_of(type->entries, type->args[1], times);
    case ST_SUBARRAY:
    case ST_DARRAY:
        return product_of_dimensions(type, times);
    default:
        *times = 1;
        return true;
    }
}

bool st_part(const struct st_type *type, int64_t index, struct st_type_part *part)
{
    bool fits = true;
    if (type->combiner == ST_STRUCT) {
        part->base = type->types[index];
        part->times = type->lengths[index] < 0 ? 0 : type->lengths[index];
    } else {
        part->base = type->base;
        fits = times_of(type, &part->times);
    }
    if (!fits) {
        part->times = INT64_MAX;
    }
    return fits;
}

/* --- sets ------------------------------------------------------------------------------------ */

void st_type_set_deinit(struct st_type_set *set)
{
    free(set->types);
    free(set->slots);
    *set = (struct st_type_set){0};
}

static size_t slot_of(const struct st_type_set *set, const struct st_type *type)
{
    size_t slot = (size_t)(((uint64_t)(uintptr_t)type * UINT64_C(0x9E3779B97F4A7C15)) >> 32) &
                  (set->slot_count - 1);
    while (set->slots[slot] && set->types[set->slots[slot] - 1] != type) {
        slot = (slot + 1) & (set->slot_count - 1);
    }
    return slot;
}

size_t st_type_set_find(const struct st_type_set *set, const struct st_type *type)
{
    if (!set->slot_count) {
        return ST_NOT_IN_SET;
    }
    uint32_t number = set->slots[slot_of(set, type)];
    return number ? number - 1 : ST_NOT_IN_SET;
}

static bool widen_set(struct st_type_set *set)
{
    size_t capacity = set->capacity ? set->capacity * 2 : 32;
    const struct st_type **types = realloc(set->types, capacity * sizeof(*types));
    if (!types) {
        return false;
    }
    set->types = types;
    uint32_t *slots = calloc(capacity * 2, sizeof(*slots));
    if (!slots) {
        return false;
    }
    free(set->slots);
    set->slots = slots;
    set->slot_count = capacity * 2;
    set->capacity = capacity;
    for (size_t i = 0; i < set->count; i++) {
        set->slots[slot_of(set, set->types[i])] = (uint32_t)i + 1;
    }
    return true;
}

bool st_type_set_add(struct st_type_set *set, const struct st_type *type)
{
    if (set->count == set->capacity && (set->count >= UINT32_MAX / 4 || !widen_set(set))) {
        return false;
    }
    set->types[set->count] = type;
    set->slots[slot_of(set, type)] = (uint32_t)set->count + 1;
    set->count++;
    return true;
}

/* A type whose parts are visited one after the other. */
struct st_part_walk {
    const struct st_type *type;
    int64_t next;
};

struct st_part_stack {
    struct st_part_walk *pending;
    size_t count, capacity;
};

static bool push_type(struct st_part_stack *stack, const struct st_type *type)
{
    if (stack->count == stack->capacity) {
        size_t capacity = stack->capacity ? stack->capacity * 2 : 64;
        struct st_part_walk *pending = realloc(stack->pending, capacity * sizeof(*pending));
        if (!pending) {
            return false;
        }
        stack->pending = pending;
        stack->capacity = capacity;
    }
    stack->pending[stack->count++] = (struct st_part_walk){.type = type};
    return true;
}

static const struct st_type *base_of(const struct st_type *type, int64_t index)
{
    return type->combiner == ST_STRUCT ? type->types[index] : type->base;
}

bool st_type_set_below(struct st_type_set *set, const struct st_type *type,
                       bool (*known)(const struct st_type *type, const void *context),
                       const void *context)
{
    struct st_part_stack stack = {0};
    bool fits = known(type, context) || push_type(&stack, type);
    while (fits && stack.count) {
        struct st_part_walk *top = &stack.pending[stack.count - 1];
        if (top->next == st_parts(top->type)) {
            fits = st_type_set_add(set, top->type);
            stack.count--;
            continue;
        }
        const struct st_type *base = base_of(top->type, top->next++);
        if (st_type_set_find(set, base) == ST_NOT_IN_SET && !known(base, context)) {
            fits = push_type(&stack, base);
        }
    }
    free(stack.pending);
    return fits;
}
