/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of nodes: chunks of mapped pages that never move, and a list of the free nodes.
 *
 * A node that is not in use has the serial 0. The directory of chunks is static, so that a reader
 * finds it before there is a node.
 */
#ifndef ST_RUNTIME_RECORD_ARENA_H
#define ST_RUNTIME_RECORD_ARENA_H

#include "runtime/record/root.h"

#define ST_NODES_PER_CHUNK 8192u
#define ST_NODE_CHUNKS 65536u /* 2^29 nodes, 48 GB */

extern uint64_t st_node_chunks[ST_NODE_CHUNKS] __attribute__((visibility("hidden")));

/* `ordinal` must be one that st_arena_take() gave. */
static inline struct st_node *st_node_at(uint32_t ordinal)
{
    struct st_node *chunk = st_pointer(st_node_chunks[ordinal / ST_NODES_PER_CHUNK]);
    return chunk + ordinal % ST_NODES_PER_CHUNK;
}

/* Returns a node whose serial is 0, and whose other members have any value; ST_NO_NODE if there is no memory. */
uint32_t st_arena_take(void);

/* Frees a node. Its serial must be 0 already: that tells a reader that it is not in use. */
void st_arena_give(uint32_t ordinal);

#endif
