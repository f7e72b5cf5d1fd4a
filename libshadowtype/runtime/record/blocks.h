/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks: the variable data of nodes (arrays of a constructor, names).
 *
 * Small blocks come from size classes in shared pages and go back to their class; large ones have
 * pages of their own, which are unmapped when the block is freed.
 */
#ifndef ST_RUNTIME_RECORD_BLOCKS_H
#define ST_RUNTIME_RECORD_BLOCKS_H

#include "runtime/record/root.h"

/* Returns a block for `bytes` bytes of data, which are not set; NULL if there is no memory. */
struct st_block *st_block_take(uint64_t bytes);

/* Frees a block, or does nothing for NULL. No node may have its address any more. */
void st_block_give(struct st_block *block);

/* Returns the bytes that it takes, header and rounding included; 0 for NULL. */
uint64_t st_block_footprint(const struct st_block *block);

static inline void *st_block_data(struct st_block *block)
{
    return block + 1;
}

#endif
