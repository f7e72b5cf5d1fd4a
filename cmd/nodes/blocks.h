/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares blocks of 16 collective calls, of which nodes have told only the sum of all digests (packed.h). Whether a node
 * tells a block or its calls depends on when it looked: where one has told the block and another the calls, the calls are
 * summed up. Where two sums differ, or calls of a block do not come, the node that has told the sum is asked for its calls,
 * which are compared one by one then (disagree.h).
 *
 *     blocks_take(blocks, disagree, node, &block, now);
 *     if (disagree_take(disagree, node, &call, now)) { blocks_see(blocks, &call, now); }
 *     while (blocks_next(blocks, disagree, now, &node, &block)) { ... ask NODE for the calls of it ... }
 */
#ifndef MPIPP_NODES_BLOCKS_H
#define MPIPP_NODES_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "disagree.h"
#include "protocol.h"

struct blocks;

struct blocks *blocks_new(void);

/* A node has told this block: the number of its first call, and the sum. */
void blocks_take(struct blocks *blocks, const struct disagree *disagree, uint32_t node,
                 const struct far_call *told, int64_t now);

/* A node has told this call before all others that tell it alone. */
void blocks_see(struct blocks *blocks, const struct far_call *call, int64_t now);

/* Returns a node that has to be asked for the calls of a block: once. */
bool blocks_next(struct blocks *blocks, const struct disagree *disagree, int64_t now,
                 uint32_t *node, struct far_call *asked);

/* Waits for no calls from now on. Returns how many blocks are not compared yet. */
size_t blocks_hurry(struct blocks *blocks);

/* The same, without a change. */
size_t blocks_open(const struct blocks *blocks);

/* How many calls were not compared because too many blocks differed at a time. */
unsigned long blocks_dropped(const struct blocks *blocks);

#endif
