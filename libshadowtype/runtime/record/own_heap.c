/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/record/own_heap.h"

#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/record/root.h"

/* A block has 64, 96, 128, 192, 256 ... bytes, with its header. A larger one has pages to itself. */
enum {
    LOG2_LEAST = 6,
    LOG2_MOST = 16,
    CLASSES = 2 * (LOG2_MOST - LOG2_LEAST) + 1,
    CHUNK = 1 << 18
};

/* The header of a block. */
struct st_own_block {
    alignas(max_align_t) size_t bytes; /* of the block, with this header */
    struct st_own_block *next;         /* while the block is free */
};

static struct st_own_block *free_blocks[CLASSES];
static char *chunk, *chunk_end; /* memory that no block was made of yet */

/* --- the lock ------------------------------------------------------------------------------ */

static _Atomic(const void *) owner; /* the address of the owner's `here`; NULL: the lock is free */
static _Thread_local char here __attribute__((tls_model("initial-exec")));

/* Returns false if this thread has the lock already: a signal handler has interrupted it. */
static bool take_lock(void)
{
    const void *nobody = NULL;
    while (!atomic_compare_exchange_weak_explicit(&owner, &nobody, &here, memory_order_acquire,
                                                  memory_order_relaxed)) {
        if (nobody == &here) {
            return false;
        }
        if (nobody) {
            sched_yield();
        }
        nobody = NULL;
    }
    return true;
}

static void give_lock(void)
{
    atomic_store_explicit(&owner, NULL, memory_order_release);
}

/* --- blocks -------------------------------------------------------------------------------- */

static unsigned class_of(size_t bytes)
{
    unsigned log2 = 64 - (unsigned)__builtin_clzll(bytes - 1);
    if (log2 <= LOG2_LEAST) {
        return 0;
    }
    return 2 * (log2 - LOG2_LEAST) - (bytes <= (size_t)3 << (log2 - 2));
}

static size_t bytes_of_class(unsigned class)
{
    return (size_t)(class % 2 ? 3 : 2) << (class / 2 + LOG2_LEAST - 1);
}

/* The caller holds the lock. */
static struct st_own_block *cut_from_chunk(size_t bytes)
{
    if ((size_t)(chunk_end - chunk) < bytes) { /* the rest of the chunk is wasted */
        char *fresh = st_map(CHUNK);
        if (!fresh) {
            return NULL;
        }
        chunk = fresh;
        chunk_end = fresh + CHUNK;
    }
    struct st_own_block *block = (struct st_own_block *)(void *)chunk;
    chunk += bytes;
    block->bytes = bytes;
    return block;
}

static struct st_own_block *small_block(unsigned class)
{
    if (!take_lock()) {
        return NULL;
    }
    struct st_own_block *block = free_blocks[class];
    if (block) {
        free_blocks[class] = block->next;
    } else {
        block = cut_from_chunk(bytes_of_class(class));
    }
    give_lock();
    return block;
}

static struct st_own_block *new_block(size_t bytes)
{
    const size_t head = sizeof(struct st_own_block);
    if (bytes > SIZE_MAX / 4) {
        return NULL;
    }
    if (bytes + head <= (size_t)1 << LOG2_MOST) {
        return small_block(class_of(bytes + head));
    }
    struct st_own_block *block = st_map(bytes + head);
    if (block) {
        block->bytes = bytes + head;
    }
    return block;
}

static struct st_own_block *block_of(void *data)
{
    return (struct st_own_block *)data - 1;
}

void *st_own_malloc(size_t bytes)
{
    struct st_own_block *block = new_block(bytes);
    return block ? block + 1 : NULL;
}

void *st_own_calloc(size_t count, size_t bytes)
{
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) {
        return NULL;
    }
    struct st_own_block *block = new_block(all);
    if (!block) {
        return NULL;
    }
    if (block->bytes <= (size_t)1 << LOG2_MOST) { /* fresh pages are zero already */
        memset(block + 1, 0, all);
    }
    return block + 1;
}

void st_own_free(void *old)
{
    if (!old) {
        return;
    }
    struct st_own_block *block = block_of(old);
    if (block->bytes > (size_t)1 << LOG2_MOST) {
        st_unmap(block, block->bytes);
        return;
    }
    unsigned class = class_of(block->bytes);
    if (!take_lock()) {
        return;
    }
    block->next = free_blocks[class];
    free_blocks[class] = block;
    give_lock();
}

void *st_own_realloc(void *old, size_t bytes)
{
    if (!old) {
        return st_own_malloc(bytes);
    }
    size_t had = block_of(old)->bytes - sizeof(struct st_own_block);
    if (bytes <= had && (bytes >= had / 4 || had < 256)) {
        return old;
    }
    void *fresh = st_own_malloc(bytes);
    if (!fresh) {
        return bytes <= had ? old : NULL;
    }
    memcpy(fresh, old, bytes < had ? bytes : had);
    st_own_free(old);
    return fresh;
}
