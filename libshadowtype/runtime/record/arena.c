/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/record/arena.h"

#include <stdbool.h>

#include "runtime/record/publish.h"

uint64_t st_node_chunks[ST_NODE_CHUNKS];

/* The first free node. Its member `base` is the ordinal of the next one. */
static uint32_t free_list = ST_NO_NODE;

static bool add_arena_chunk(void)
{
    uint32_t count = st_root.node_chunk_count;
    if (count == ST_NODE_CHUNKS) {
        return false;
    }
    void *chunk = st_map(ST_NODES_PER_CHUNK * sizeof(struct st_node));
    if (!chunk) {
        return false;
    }
    st_root.nodes_per_chunk = ST_NODES_PER_CHUNK;
    st_root.node_chunks = st_address(st_node_chunks);
    st_publish64(&st_node_chunks[count], st_address(chunk));
    st_publish32(&st_root.node_chunk_count, count + 1);
    return true;
}

uint32_t st_arena_take(void)
{
    uint32_t ordinal = free_list;
    if (ordinal != ST_NO_NODE) {
        free_list = st_node_at(ordinal)->base;
    } else {
        ordinal = st_root.nodes_used;
        if (ordinal == st_root.node_chunk_count * ST_NODES_PER_CHUNK && !add_arena_chunk()) {
            return ST_NO_NODE;
        }
        st_publish32(&st_root.nodes_used, ordinal + 1);
    }
    st_root.types_bytes += sizeof(struct st_node);
    return ordinal;
}

void st_arena_give(uint32_t ordinal)
{
    st_node_at(ordinal)->base = free_list;
    free_list = ordinal;
    st_root.types_bytes -= sizeof(struct st_node);
}
