/* SPDX-License-Identifier: BSD-3-Clause */
/* What stays valid after a change of the registry, because it never changes. */
#include "core/decode/decode_internal.h"

#include <stdlib.h>
#include <string.h>

/* Beyond this the oldest arrays are freed. */
#define MOST_ARRAYS (UINT64_C(256) << 20)
/* The most addresses of chunks that are kept: as many as the recorder makes, 512 KiB. */
#define MOST_CHUNKS 65536u

struct st_lasting *st_lasting_new(void)
{
    struct st_lasting *lasting = calloc(1, sizeof(*lasting));
    if (lasting) {
        lasting->references = 1;
        st_pool_init(&lasting->pool);
    }
    return lasting;
}

void st_lasting_release(struct st_lasting *lasting)
{
    if (lasting && --lasting->references == 0) {
        st_arrays_list_deinit(&lasting->arrays);
        st_pool_deinit(&lasting->pool);
        free(lasting->leaves.slots);
        free(lasting->chunks);
        free(lasting);
    }
}

uint64_t st_lasting_chunk(const struct st_lasting *lasting, uint32_t chunk)
{
    return chunk < lasting->chunk_count ? lasting->chunks[chunk] : 0;
}

void st_lasting_keep_chunk(struct st_lasting *lasting, uint32_t chunk, uint64_t address)
{
    if (chunk >= MOST_CHUNKS) {
        return;
    }
    if (chunk >= lasting->chunk_count) {
        uint32_t count = (chunk / 64 + 1) * 64;
        uint64_t *chunks = realloc(lasting->chunks, count * sizeof(*chunks));
        if (!chunks) {
            return; /* no memory: it is read again when needed */
        }
        memset(chunks + lasting->chunk_count, 0, (count - lasting->chunk_count) * sizeof(*chunks));
        lasting->chunks = chunks;
        lasting->chunk_count = count;
    }
    lasting->chunks[chunk] = address;
}

const struct st_type *st_lasting_leaf(const struct st_lasting *lasting, uint32_t ordinal)
{
    return st_type_map_get(&lasting->leaves, ordinal);
}

void st_lasting_keep_leaf(struct st_lasting *lasting, const struct st_type *leaf)
{
    size_t length = leaf->name ? strlen(leaf->name) + 1 : 0;
    struct st_type *copy = st_pool_take(&lasting->pool, sizeof(*copy) + length);
    if (!copy) {
        return;
    }
    *copy = *leaf;
    if (length) {
        copy->name = memcpy(copy + 1, leaf->name, length);
    }
    copy->basic = st_basic_of(copy->name ? copy->name : "", copy->args[1]);
    st_type_map_put(&lasting->leaves, copy);
}

struct st_arrays *st_lasting_arrays(const struct st_lasting *lasting, uint32_t ordinal,
                                    const struct st_node *node, uint64_t bytes)
{
    const uint32_t widths = ST_OFFSETS_64 | ST_LENGTHS_64;
    for (size_t i = 0; i < lasting->arrays.count; i++) {
        struct st_arrays *arrays = lasting->arrays.items[i];
        if (arrays->serial == node->serial && arrays->ordinal == ordinal &&
            arrays->block == node->block && arrays->bytes == bytes &&
            arrays->combiner == node->combiner && arrays->flags == (node->flags & widths) &&
            memcmp(arrays->args, node->args, sizeof arrays->args) == 0) {
            return arrays;
        }
    }
    return NULL;
}

void st_lasting_keep_arrays(struct st_lasting *lasting, struct st_arrays *arrays)
{
    if (arrays->bytes > MOST_ARRAYS || !st_arrays_list_add(&lasting->arrays, arrays)) {
        return;
    }
    lasting->arrays_bytes += arrays->bytes;
    size_t gone = 0;
    while (lasting->arrays_bytes > MOST_ARRAYS) {
        lasting->arrays_bytes -= lasting->arrays.items[gone]->bytes;
        st_arrays_release(lasting->arrays.items[gone++]);
    }
    lasting->arrays.count -= gone;
    memmove(lasting->arrays.items, lasting->arrays.items + gone,
            lasting->arrays.count * sizeof(*lasting->arrays.items));
}

struct st_arrays *st_arrays_new(uint32_t ordinal, const struct st_node *node, uint64_t bytes)
{
    struct st_arrays *arrays = calloc(1, sizeof(*arrays));
    if (arrays) {
        arrays->references = 1;
        arrays->serial = node->serial;
        arrays->block = node->block;
        arrays->bytes = bytes;
        arrays->ordinal = ordinal;
        arrays->combiner = node->combiner;
        arrays->flags = node->flags & (ST_OFFSETS_64 | ST_LENGTHS_64);
        memcpy(arrays->args, node->args, sizeof arrays->args);
        st_pool_init(&arrays->pool);
    }
    return arrays;
}

void st_arrays_release(struct st_arrays *arrays)
{
    if (arrays && --arrays->references == 0) {
        st_pool_deinit(&arrays->pool);
        free(arrays);
    }
}

bool st_arrays_list_add(struct st_arrays_list *list, struct st_arrays *arrays)
{
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 8;
        struct st_arrays **items = realloc(list->items, room * sizeof(struct st_arrays *));
        if (!items) {
            return false;
        }
        list->items = items;
        list->room = room;
    }
    list->items[list->count++] = arrays;
    arrays->references++;
    return true;
}

void st_arrays_list_deinit(struct st_arrays_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        st_arrays_release(list->items[i]);
    }
    free(list->items);
    *list = (struct st_arrays_list){0};
}
