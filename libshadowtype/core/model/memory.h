/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads target memory through one callback, with a cache of pages.
 *
 *     struct st_memory memory;
 *     st_memory_init(&memory, read_from_core_file, &core);
 *     if (!st_memory_read(&memory, address, &node, sizeof node, &bad)) { ... bad can't be read ... }
 *     st_memory_deinit(&memory);
 *
 * It does not know what the bytes mean, nor when they change: call st_memory_drop() when the target
 * has run. Not thread-safe.
 */
#ifndef ST_CORE_MODEL_MEMORY_H
#define ST_CORE_MODEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum st_read_result {
    ST_READ_OK,
    ST_READ_FAILED,     /* some of the bytes cannot be read */
    ST_READ_INTERRUPTED /* the user asked to stop: returned to the caller at once */
};

/* Reads `length` bytes of the target at `address` into `buffer`: all of them, or none. */
typedef enum st_read_result (*st_read_fn)(uint64_t address, void *buffer, size_t length,
                                          void *context);

#define ST_PAGE ((size_t)4096)

/* Limits the memory that is kept: damaged target data must not make the reader allocate without
 * bound. ST_FREE_BYTES may always be kept, and ST_PER_BYTE bytes more for each byte that was read
 * from the target. */
#define ST_FREE_BYTES (UINT64_C(2) << 20)
#define ST_PER_BYTE 16

struct st_page;

/* A walk through memory, upward or downward: the pages that it read last, and how many pages it
 * reads at a time. */
struct st_walk {
    uint64_t first, end; /* page numbers */
    size_t pages;
};

struct st_memory {
    st_read_fn read;
    void *context;
    struct st_page **buckets; /* by page number; chained */
    size_t bucket_count;      /* a power of two */
    size_t page_count;
    struct st_page *last;
    struct st_walk walks[4]; /* several at a time: nodes, their arrays, names */
    unsigned next_walk;      /* the one that is replaced next */
    uint64_t delivered;      /* bytes read from the target; the caller may reset it */
    bool interrupted;        /* a read was interrupted; stays set until st_memory_drop() */
};

void st_memory_init(struct st_memory *memory, st_read_fn read, void *context);
void st_memory_deinit(struct st_memory *memory);

/* Empties the cache. */
void st_memory_drop(struct st_memory *memory);

/* Copies target bytes into `buffer`. Returns false if a byte cannot be read, or if the read was
 * interrupted (memory->interrupted). *bad (may be NULL) is then the first address that cannot be
 * read. Long reads bypass the cache, in as few reads as possible. */
bool st_memory_read(struct st_memory *memory, uint64_t address, void *buffer, size_t length,
                    uint64_t *bad);

/* Returns true if so many bytes of decoded data may be kept. They get half of the limit (see
 * ST_FREE_BYTES); the other half is for cached pages and for data that is being decoded. */
bool st_affordable(const struct st_memory *memory, uint64_t bytes);

#endif
