/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares blocks of 16 collective calls, of which nodes have told only the sum of all digests (packed.h). Whether a node
 * tells a block or its calls depends on when it looked: where one has told the block and another the calls, the calls are
 * summed up. Where two sums differ, or not all calls of a block are known, the node that has told the sum is asked for its
 * calls, which are compared one by one then (disagree.h).
 *
 *     blocks_take(blocks, disagree, node, &run, sums);
 *     if (disagree_take(disagree, node, &call, due)) { blocks_see(blocks, &call); }
 *     ... when all nodes have told what is new:
 *     while (blocks_next(blocks, disagree, &node, &block)) { ... ask NODE for the calls of it ... }
 */
#ifndef MPIPP_NODES_BLOCKS_H
#define MPIPP_NODES_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "disagree.h"
#include "protocol.h"

struct blocks;

struct blocks *blocks_new(void);

/* A node has told these blocks: their sums are 8 bytes each. */
void blocks_take(struct blocks *blocks, const struct disagree *disagree, uint32_t node,
                 const struct far_run *run, const char *sums);

/* A node has told this call before all others that tell it alone. */
void blocks_see(struct blocks *blocks, const struct far_call *call);

/* Returns a node that has to be asked for the calls of a block: once. */
bool blocks_next(struct blocks *blocks, const struct disagree *disagree, uint32_t *node,
                 struct far_call *asked);

/* How many blocks are not compared yet. */
size_t blocks_open(const struct blocks *blocks);

/* How many calls were not compared because too many blocks differed at a time. */
unsigned long blocks_dropped(const struct blocks *blocks);

#endif
