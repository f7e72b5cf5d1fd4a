/* SPDX-License-Identifier: BSD-3-Clause */
/* The types that were decoded between two changes of the registry. */
#include "core/decode/decode_internal.h"

#include <stdlib.h>

struct st_types *st_types_new(struct st_lasting *lasting)
{
    struct st_types *types = lasting ? calloc(1, sizeof(*types)) : NULL;
    if (types) {
        types->references = 1;
        types->lasting = lasting;
        lasting->references++;
        st_pool_init(&types->pool);
    }
    return types;
}

void st_types_release(struct st_types *types)
{
    if (types && --types->references == 0) {
        st_arrays_list_deinit(&types->arrays);
        st_pool_deinit(&types->pool);
        st_lasting_release(types->lasting);
        free(types->by_ordinal.slots);
        free(types);
    }
}

struct st_types *st_types_ref(struct st_types *types)
{
    types->references++;
    return types;
}

bool st_types_affordable(const struct st_registry *registry, uint64_t bytes)
{
    const struct st_types *types = registry->types;
    return st_affordable(&registry->memory, types->pool.bytes + types->arrays_bytes + bytes);
}

struct st_types_mark st_types_mark(const struct st_types *types)
{
    return (struct st_types_mark){.pool = st_pool_mark(&types->pool),
                                  .arrays = types->arrays.count,
                                  .arrays_bytes = types->arrays_bytes};
}

void st_types_give_back(struct st_types *types, struct st_types_mark mark)
{
    st_pool_release(&types->pool, mark.pool);
    while (types->arrays.count > mark.arrays) {
        st_arrays_release(types->arrays.items[--types->arrays.count]);
    }
    types->arrays_bytes = mark.arrays_bytes;
}

struct st_types *st_registry_types(struct st_registry *registry)
{
    return st_types_ref(registry->types);
}

struct st_type *st_types_get(const struct st_types *types, uint32_t ordinal)
{
    return st_type_map_get(&types->by_ordinal, ordinal);
}

bool st_types_put(struct st_types *types, struct st_type *type)
{
    return st_type_map_put(&types->by_ordinal, type);
}
