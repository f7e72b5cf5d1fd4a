/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/record/blocks.h"

#include "runtime/record/publish.h"

/* The sizes of small blocks, with header: steps of 16 up to 256, then four sizes for each doubling.
 * Rounding wastes at most a fifth. */
enum {
    STEP = 16,
    LINEAR_CLASSES = 16,
    LARGEST_SMALL = 32768,
    CLASSES = LINEAR_CLASSES + 4 * 7,
    LARGE = CLASSES,
};

static const size_t region_bytes = 256 * 1024;

static struct st_block *free_lists[CLASSES]; /* linked by their member `bytes` */
static unsigned char *region;                /* where small blocks are cut from */
static size_t region_left;

static uint32_t class_of(uint64_t size)
{
    if (size <= STEP * LINEAR_CLASSES) {
        return (uint32_t)((size - 1) / STEP);
    }
    if (size > LARGEST_SMALL) {
        return LARGE;
    }
    /* 2^log2 < size <= 2^(log2 + 1), in quarters */
    uint32_t log2 = 63u - (uint32_t)__builtin_clzll(size - 1);
    uint32_t quarter = (uint32_t)((size - 1) >> (log2 - 2)) & 3u;
    return LINEAR_CLASSES + 4 * (log2 - 8) + quarter;
}

static uint64_t size_of(uint32_t size_class)
{
    if (size_class < LINEAR_CLASSES) {
        return (uint64_t)STEP * (size_class + 1);
    }
    uint32_t log2 = 8 + (size_class - LINEAR_CLASSES) / 4;
    uint32_t quarter = (size_class - LINEAR_CLASSES) % 4;
    return (uint64_t)(quarter + 5) << (log2 - 2);
}

static struct st_block *cut_block(uint32_t size_class)
{
    struct st_block *block = free_lists[size_class];
    if (block) {
        free_lists[size_class] = st_pointer(block->bytes);
        return block;
    }
    size_t size = (size_t)size_of(size_class);
    if (region_left < size) {
        /* Wastes the rest of the old region: less than one small block. */
        unsigned char *pages = st_map(region_bytes);
        if (!pages) {
            return NULL;
        }
        region = pages;
        region_left = region_bytes;
    }
    block = (struct st_block *)(void *)region;
    region += size;
    region_left -= size;
    return block;
}

uint64_t st_block_footprint(const struct st_block *block)
{
    if (!block) {
        return 0;
    }
    return block->size_class == LARGE ? sizeof *block + block->bytes : size_of(block->size_class);
}

struct st_block *st_block_take(uint64_t bytes)
{
    if (bytes > SIZE_MAX - sizeof(struct st_block)) {
        return NULL;
    }
    uint64_t size = bytes + sizeof(struct st_block);
    uint32_t size_class = class_of(size);
    struct st_block *block = size_class == LARGE ? st_map((size_t)size) : cut_block(size_class);
    if (!block) {
        return NULL;
    }
    block->size_class = size_class;
    block->bytes = bytes;
    st_publish32(&block->magic, ST_BLOCK_MAGIC);
    st_root.types_bytes += st_block_footprint(block);
    return block;
}

void st_block_give(struct st_block *block)
{
    if (!block) {
        return;
    }
    st_root.types_bytes -= st_block_footprint(block);
    block->magic = 0;
    st_withdrawn();
    if (block->size_class == LARGE) {
        st_unmap(block, sizeof *block + (size_t)block->bytes);
        return;
    }
    block->bytes = st_address(free_lists[block->size_class]);
    free_lists[block->size_class] = block;
}
