/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks of memory that the program has allocated, each with the size that it asked for.
 * libshadowtype-heap.so, preloaded after the recorder, records them.
 *
 *     const struct st_heap *heap = dlsym(RTLD_DEFAULT, "shadowtype_heap");
 *     struct st_heap_block block;
 *     if (heap && heap->version == ST_HEAP_VERSION && heap->block_at(address, &block)) {
 *         ... bytes block.start .. block.start + block.bytes - 1 are one block ...
 *     }
 *
 * Knows no MPI: both MPI libraries use the same one. If it is not loaded, the program calls the C
 * library's malloc directly: users who do not ask for the sizes of blocks pay nothing.
 *
 * Any thread may call these functions at any time, also in a child after fork(): there are no
 * locks. A block that another thread frees meanwhile may be found or not.
 */
#ifndef ST_HEAP_HEAP_H
#define ST_HEAP_HEAP_H

#include <stdbool.h>
#include <stdint.h>

enum { ST_HEAP_VERSION = 1 };

/* X(name, text): the functions that allocate memory */
#define ST_HEAP_CALLS(X)                                                                           \
    X(ST_HEAP_MALLOC, "malloc")                                                                    \
    X(ST_HEAP_CALLOC, "calloc")                                                                    \
    X(ST_HEAP_REALLOC, "realloc")                                                                  \
    X(ST_HEAP_REALLOCARRAY, "reallocarray")                                                        \
    X(ST_HEAP_ALIGNED_ALLOC, "aligned_alloc")                                                      \
    X(ST_HEAP_POSIX_MEMALIGN, "posix_memalign")                                                    \
    X(ST_HEAP_MEMALIGN, "memalign")                                                                \
    X(ST_HEAP_VALLOC, "valloc")                                                                    \
    X(ST_HEAP_PVALLOC, "pvalloc")                                                                  \
    X(ST_HEAP_USABLE, "malloc_usable_size") /* the program knows all bytes that are there */       \
    X(ST_HEAP_MMAP, "mmap")                                                                        \
    X(ST_HEAP_MREMAP, "mremap")

enum st_heap_call {
#define X(name, text) name,
    ST_HEAP_CALLS(X)
#undef X
        ST_HEAP_CALL_COUNT
};

struct st_heap_block {
    uint64_t start, bytes;
    uint64_t pc; /* the return address of the call that allocated it; 0: not known */
    enum st_heap_call call;
};

struct st_heap {
    uint32_t version;
    /* Finds the block of malloc, or of a similar function, that contains the byte at `address`.
     * Returns false if none is known; *block is then the nearest block before it that could contain
     * the byte if it were longer, and block->start is 0 if there is none. */
    bool (*block_at)(uint64_t address, struct st_heap_block *block);
    /* Finds a mapping of mmap: whole pages. It may be gone already, because a munmap was not seen. */
    bool (*mapping_at)(uint64_t address, struct st_heap_block *block);
    /* Returns the bytes of a block that the allocator lets the program use; 0 if it has no such
     * function. */
    uint64_t (*usable)(uint64_t start);
};

#endif
