/* SPDX-License-Identifier: BSD-3-Clause */
#include "blocks.h"

#include "../words.h"
#include "core/agree/collective.h"
#include "packed.h"

enum {
    LOG2_BLOCKS = 13,
    MOST_OPEN = 1024,
    PATIENCE = 37 /* milliseconds for the other calls of a block: until the next turn of a node */
};

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
    int64_t due; /* to be asked for its calls */
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

/* NULL: no node has told it, or it is forgotten. */
static struct block *find_block(struct blocks *blocks, uint64_t comm, uint64_t first)
{
    struct block *block = block_place(blocks, comm, first);
    return block->node != 0 && block->comm == comm && block->first == first ? block : NULL;
}

static void open_block(struct blocks *blocks, const struct block *block, int64_t due)
{
    if (blocks->open_count == MOST_OPEN) {
        blocks->dropped += FAR_BLOCK;
        return;
    }
    blocks->open[blocks->open_count++] =
        (struct open_block){block->comm, block->first, block->sum, block->node - 1, due};
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

void blocks_take(struct blocks *blocks, const struct disagree *disagree, uint32_t node,
                 const struct far_call *told, int64_t now)
{
    uint64_t sum;
    const struct block taken = {
        .comm = told->comm, .first = told->number, .sum = told->digest, .node = node + 1};
    struct block *block = find_block(blocks, told->comm, told->number);
    if (disagree_has_ended(disagree, told->comm)) {
        return;
    }
    if (block == NULL) {
        block = block_place(blocks, told->comm, told->number);
        *block = taken;
        if (sum_calls(disagree, told->comm, told->number, &sum) != 0) {
            block->is_open = true;
            open_block(blocks, block, now + PATIENCE);
        }
    } else if (block->node != taken.node && block->sum != taken.sum) {
        if (!block->is_expanded) {
            block->is_expanded = true;
            open_block(blocks, block, 0);
        }
        open_block(blocks, &taken, 0);
    }
}

void blocks_see(struct blocks *blocks, const struct far_call *call, int64_t now)
{
    struct block *block = find_block(blocks, call->comm, packed_first(call->number));
    if (block != NULL && !block->is_open && !block->is_expanded) {
        block->is_open = true;
        open_block(blocks, block, now + PATIENCE);
    }
}

/* True if its calls have to be asked for. *is_done: it need not be looked at any more. */
static bool judge_block(const struct disagree *disagree, const struct open_block *open, int64_t now,
                        bool *is_done)
{
    uint64_t sum;
    if (open->due == 0) {
        *is_done = true;
        return true;
    }
    const bool is_whole = sum_calls(disagree, open->comm, open->first, &sum) == FAR_BLOCK;
    *is_done = is_whole || now >= open->due;
    return *is_done && !(is_whole && sum == open->sum);
}

bool blocks_next(struct blocks *blocks, const struct disagree *disagree, int64_t now,
                 uint32_t *node, struct far_call *asked)
{
    for (size_t i = 0; i < blocks->open_count;) {
        bool is_done;
        const struct open_block open = blocks->open[i];
        const bool is_asked = judge_block(disagree, &open, now, &is_done);
        if (!is_done) {
            i++;
            continue;
        }
        blocks->open[i] = blocks->open[--blocks->open_count];
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

size_t blocks_hurry(struct blocks *blocks)
{
    for (size_t i = 0; i < blocks->open_count; i++) {
        struct open_block *open = &blocks->open[i];
        open->due = open->due != 0 ? 1 : 0;
    }
    return blocks->open_count;
}

size_t blocks_open(const struct blocks *blocks)
{
    return blocks->open_count;
}

unsigned long blocks_dropped(const struct blocks *blocks)
{
    return blocks->dropped;
}
