/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache: the layout of each type that was asked for, in a hash table by the address of the
 * type. */
#include "core/layout/layout_make.h"

#include <stdlib.h>

void st_layouts_init(struct st_layouts *layouts)
{
    *layouts = (struct st_layouts){0};
}

void st_layouts_deinit(struct st_layouts *layouts)
{
    for (size_t i = 0; i < layouts->capacity; i++) {
        if (layouts->known[i].type) {
            st_layout_release(layouts->known[i].layout);
        }
    }
    free(layouts->known);
    *layouts = (struct st_layouts){0};
}

static size_t home(const struct st_layouts *layouts, const struct st_type *type)
{
    uint64_t mixed = (uint64_t)(uintptr_t)type * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 32) & (layouts->capacity - 1);
}

/* Returns the slot of a type, or the free slot for it. There is always a free one. */
static struct st_known *slot(const struct st_layouts *layouts, const struct st_type *type)
{
    size_t i = home(layouts, type);
    while (layouts->known[i].type && layouts->known[i].type != type) {
        i = (i + 1) & (layouts->capacity - 1);
    }
    return &layouts->known[i];
}

struct st_known *st_layouts_known(const struct st_layouts *layouts, const struct st_type *type)
{
    struct st_known *known = layouts->capacity ? slot(layouts, type) : NULL;
    return known && known->type ? known : NULL;
}

enum { FEWEST = 8 }; /* slots: most types have few below them */

/* At most half of the slots are in use. */
static bool grow_slots(struct st_layouts *layouts)
{
    if (layouts->count * 2 < layouts->capacity) {
        return true;
    }
    struct st_layouts more = {.capacity = layouts->capacity ? layouts->capacity * 2 : FEWEST,
                              .count = layouts->count};
    more.known = calloc(more.capacity, sizeof(*more.known));
    if (!more.known) {
        return false;
    }
    for (size_t i = 0; i < layouts->capacity; i++) {
        if (layouts->known[i].type) {
            *slot(&more, layouts->known[i].type) = layouts->known[i];
        }
    }
    free(layouts->known);
    *layouts = more;
    return true;
}

bool st_layouts_keep(struct st_layouts *layouts, const struct st_type *type,
                     const struct st_layout *layout)
{
    if (!grow_slots(layouts)) {
        st_layout_release(layout);
        return false;
    }
    *slot(layouts, type) = (struct st_known){.type = type, .layout = layout};
    layouts->count++;
    return true;
}

void st_layouts_forget(struct st_layouts *layouts, const struct st_type *type)
{
    struct st_known *known = st_layouts_known(layouts, type);
    if (!known) {
        return;
    }
    st_layout_release(known->layout);
    layouts->count--;
    /* close the gap: move each entry here that a probe from its home would look for here */
    size_t mask = layouts->capacity - 1, gap = (size_t)(known - layouts->known);
    for (size_t i = (gap + 1) & mask; layouts->known[i].type; i = (i + 1) & mask) {
        size_t wanted = home(layouts, layouts->known[i].type);
        if (((i - wanted) & mask) >= ((i - gap) & mask)) {
            layouts->known[gap] = layouts->known[i];
            gap = i;
        }
    }
    layouts->known[gap] = (struct st_known){0};
}
