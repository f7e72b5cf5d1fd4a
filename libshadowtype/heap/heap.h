/*
 * The blocks of memory that the program has, each with the size that it asked for: what
 * libshadowtype-heap.so, preloaded behind the recorder, writes down.
 *
 *     const struct st_heap *heap = dlsym(RTLD_DEFAULT, "shadowtype_heap");
 *     struct st_heap_block block;
 *     if (heap && heap->version == ST_HEAP_VERSION && heap->block_at(address, &block)) {
 *         ... bytes block.start .. block.start + block.bytes - 1 are one block ...
 *     }
 *
 * Knows no MPI: one library for both. Without it the program's malloc is the C library's alone, so
 * that whoever does not ask for the sizes of blocks does not pay for them.
 *
 * What is asked here may be asked by any thread at any time, also in a child after fork(): there
 * are no locks. A block that another thread frees meanwhile is there, or is not.
 */
#ifndef ST_HEAP_HEAP_H
#define ST_HEAP_HEAP_H

#include <stdbool.h>
#include <stdint.h>

enum { ST_HEAP_VERSION = 1 };

/* X(name, text): the functions that give memory */
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
    X(ST_HEAP_USABLE, "malloc_usable_size") /* the program knows of all that there is */           \
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
    uint64_t pc; /* where the call that gave it returned to; 0: not known */
    enum st_heap_call call;
};

struct st_heap {
    uint32_t version;
    /* The block of malloc and its like that has the byte at `address`. False: there is none, or
     * none is known; *block is then the nearest one before, of those that could have the byte if
     * they were longer, and block->start 0 where there is none. */
    bool (*block_at)(uint64_t address, struct st_heap_block *block);
    /* The same of mmap: whole pages. It may be gone: a munmap that nobody saw. */
    bool (*mapping_at)(uint64_t address, struct st_heap_block *block);
    /* What the allocator says of a block's room, in bytes; 0: it has no such function. */
    uint64_t (*usable)(uint64_t start);
};

#endif
