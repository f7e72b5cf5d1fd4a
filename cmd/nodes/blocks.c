/* SPDX-License-Identifier: BSD-3-Clause */
#include "blocks.h"

#include <string.h>

#include "../words.h"
#include "core/agree/collective.h"
#include "packed.h"

enum { LOG2_BLOCKS = 13, MOST_OPEN = 1024 };

/* What the first node has said of a block. */
struct block {
    uint64_t comm, first, sum;
    uint32_t node;    /* + 1; 0: not used */
    bool is_open;     /* in the list below */
    bool is_expanded; /* the node was asked for its calls */
};

/* A block of which some node has told calls, or another sum. */
struct open_block {
    uint64_t comm, first, sum;
    uint32_t node;
    bool differs; /* it is known, whatever the calls say */
};

struct blocks {
    struct block table[1 << LOG2_BLOCKS];
    struct open_block open[MOST_OPEN];
    size_t open_count;
    unsigned long dropped;
};

struct blocks *blocks_new(void)
{
    return zeroed(1, sizeof(struct blocks));
}

static struct block *block_place(struct blocks *blocks, uint64_t comm, uint64_t first)
{
    return &blocks->table[st_collective_place(comm, first / FAR_BLOCK, LOG2_BLOCKS)];
}

static bool is_block(const struct block *block, uint64_t comm, uint64_t first)
{
    return block->node != 0 && block->comm == comm && block->first == first;
}

/* NULL: no node has told it, or it is forgotten. */
static struct block *find_block(struct blocks *blocks, uint64_t comm, uint64_t first)
{
    struct block *block = block_place(blocks, comm, first);
    return is_block(block, comm, first) ? block : NULL;
}

static void open_block(struct blocks *blocks, const struct block *block, bool differs)
{
    if (blocks->open_count == MOST_OPEN) {
        blocks->dropped += FAR_BLOCK;
        return;
    }
    blocks->open[blocks->open_count++] =
        (struct open_block){block->comm, block->first, block->sum, block->node - 1, differs};
}

/* How many of the calls of a block are known one by one, and the sum of these. */
static unsigned sum_calls(const struct disagree *disagree, uint64_t comm, uint64_t first,
                          uint64_t *sum)
{
    unsigned known = 0;
    *sum = 0;
    for (uint64_t number = first; number < first + FAR_BLOCK; number++) {
        uint64_t digest;
        if (disagree_digest(disagree, comm, number, &digest)) {
            known++;
            *sum += packed_share(number, digest);
        }
    }
    return known;
}

/* A node has told a block that differs from that in its place: of another node, of other calls, or none. */
static void take_another(struct blocks *blocks, const struct disagree *disagree,
                         struct block *block, const struct block *taken)
{
    uint64_t sum;
    if (!is_block(block, taken->comm, taken->first)) {
        *block = *taken;
        if (sum_calls(disagree, taken->comm, taken->first, &sum) != 0) {
            block->is_open = true;
            open_block(blocks, block, false);
        }
    } else if (block->node != taken->node) {
        if (!block->is_expanded) {
            block->is_expanded = true;
            open_block(blocks, block, true);
        }
        open_block(blocks, taken, true);
    }
}

void blocks_take(struct blocks *blocks, const struct disagree *disagree, uint32_t node,
                 const struct far_run *run, const char *sums)
{
    struct block taken = {.comm = run->comm, .first = run->first, .node = node + 1};
    if (disagree_has_ended(disagree, run->comm)) {
        return;
    }
    for (uint32_t i = 0; i < run->count; i++, taken.first += FAR_BLOCK) {
        struct block *block = block_place(blocks, taken.comm, taken.first);
        memcpy(&taken.sum, sums + i * sizeof taken.sum, sizeof taken.sum);
        if (block->sum != taken.sum || !is_block(block, taken.comm, taken.first)) {
            take_another(blocks, disagree, block, &taken);
        }
    }
}

void blocks_see(struct blocks *blocks, const struct far_call *call)
{
    struct block *block = find_block(blocks, call->comm, packed_first(call->number));
    if (block != NULL && !block->is_open && !block->is_expanded) {
        block->is_open = true;
        open_block(blocks, block, false);
    }
}

/* True if its calls have to be asked for: they are not all known, or differ. */
static bool judge_block(const struct disagree *disagree, const struct open_block *open)
{
    uint64_t sum;
    return open->differs || sum_calls(disagree, open->comm, open->first, &sum) != FAR_BLOCK ||
           sum != open->sum;
}

bool blocks_next(struct blocks *blocks, const struct disagree *disagree, uint32_t *node,
                 struct far_call *asked)
{
    while (blocks->open_count != 0) {
        const struct open_block open = blocks->open[--blocks->open_count];
        const bool is_asked = judge_block(disagree, &open);
        struct block *block = find_block(blocks, open.comm, open.first);
        if (block != NULL && block->node == open.node + 1) {
            block->is_open = false;
            block->is_expanded |= is_asked;
        }
        if (is_asked && !disagree_has_ended(disagree, open.comm)) {
            *node = open.node;
            *asked = (struct far_call){.comm = open.comm, .number = open.first};
            return true;
        }
    }
    return false;
}

size_t blocks_open(const struct blocks *blocks)
{
    return blocks->open_count;
}

unsigned long blocks_dropped(const struct blocks *blocks)
{
    return blocks->dropped;
}
