/*
 * Target memory through one callback, with a cache of pages.
 *
 *     struct st_memory memory;
 *     st_memory_init(&memory, read_from_core_file, &core);
 *     if (!st_memory_read(&memory, address, &node, sizeof node, &bad)) { ... bad can't be read ... }
 *     st_memory_deinit(&memory);
 *
 * It does not know what is in the memory, nor when it changes: st_memory_drop() when it did.
 * Not thread-safe.
 */
#ifndef ST_CORE_MODEL_MEMORY_H
#define ST_CORE_MODEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum st_read_result {
    ST_READ_OK,
    ST_READ_FAILED,     /* some of the bytes cannot be read */
    ST_READ_INTERRUPTED /* the user asked to stop: passed on at once */
};

/* Reads `length` bytes of the target at `address` into `buffer`: all of them or none. */
typedef enum st_read_result (*st_read_fn)(uint64_t address, void *buffer, size_t length,
                                          void *context);

#define ST_PAGE ((size_t)4096)

/* What has been read pays for what is taken: this much comes free, and each byte that the target has
 * delivered pays for so many. */
#define ST_FREE_BYTES (UINT64_C(2) << 20)
#define ST_PER_BYTE 16

struct st_page;

/* A walk through memory, upward or downward: what it read last, and how many pages at a time. */
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
    struct st_walk walks[4]; /* several may be under way: nodes, their arrays, names */
    unsigned next_walk;      /* the one that gives way */
    uint64_t delivered; /* bytes that the target has handed over; whoever counts may reset it */
    bool interrupted;   /* a read was interrupted; sticky until the next drop */
};

void st_memory_init(struct st_memory *memory, st_read_fn read, void *context);
void st_memory_deinit(struct st_memory *memory);

/* Forgets all that was read. */
void st_memory_drop(struct st_memory *memory);

/* Copies target bytes. False if one cannot be read (or the read was interrupted: see
 * memory->interrupted); *bad (may be NULL) is then the first address that cannot. What is long
 * goes past the cache, in as few reads as possible. */
bool st_memory_read(struct st_memory *memory, uint64_t address, void *buffer, size_t length,
                    uint64_t *bad);

/* Whether what was delivered pays for keeping so many bytes of what was made of it: with half of what
 * it pays for at all, the other half being for the pages and for what is on its way. */
bool st_affordable(const struct st_memory *memory, uint64_t bytes);

#endif
