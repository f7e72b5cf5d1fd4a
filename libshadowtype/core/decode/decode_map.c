/* SPDX-License-Identifier: BSD-3-Clause */
/* Types by the ordinals of their nodes: a hash table with open addressing. */
#include "core/decode/decode_internal.h"

#include <stdlib.h>

static size_t slot_of(const struct st_type_map *map, uint32_t ordinal)
{
    size_t i = (ordinal * 2654435769u) & (map->slot_count - 1);
    while (map->slots[i] && map->slots[i]->ordinal != ordinal) {
        i = (i + 1) & (map->slot_count - 1);
    }
    return i;
}

struct st_type *st_type_map_get(const struct st_type_map *map, uint32_t ordinal)
{
    return map->slot_count ? map->slots[slot_of(map, ordinal)] : NULL;
}

bool st_type_map_put(struct st_type_map *map, struct st_type *type)
{
    if ((map->used + 1) * 2 > map->slot_count) {
        struct st_type_map wider = {.slot_count = map->slot_count ? map->slot_count * 2 : 64,
                                    .used = map->used};
        wider.slots = calloc(wider.slot_count, sizeof(*wider.slots));
        if (!wider.slots) {
            return false;
        }
        for (size_t i = 0; i < map->slot_count; i++) {
            if (map->slots[i]) {
                wider.slots[slot_of(&wider, map->slots[i]->ordinal)] = map->slots[i];
            }
        }
        free(map->slots);
        *map = wider;
    }
    map->slots[slot_of(map, type->ordinal)] = type;
    map->used++;
    return true;
}
