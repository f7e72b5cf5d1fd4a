/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * malloc, mmap and similar functions: calls the next library's, and writes the results to a book of
 * blocks and a book of mappings. There are two books because an allocator's blocks may be inside of
 * a mapping.
 */
#define _GNU_SOURCE
#include "heap/heap.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "heap/book.h"
#include "heap/next.h"
#include "heap/sites.h"

#define EXPORTED __attribute__((visibility("default")))

static struct st_book blocks, mappings;

/* --- malloc ---------------------------------------------------------------------------------- */

/* A block is removed from the book before it is freed: from then on another thread may get its
 * address. */

/* The caller is where the call returns to. A macro, so that this costs each call few instructions. */
#define GIVEN(block, bytes, call)                                                                  \
    given(block, bytes, st_heap_site(__builtin_return_address(0), call))

static inline void *given(void *block, size_t bytes, uint16_t site)
{
    if (block) {
        st_book_enter(&blocks, (uint64_t)(uintptr_t)block, bytes, site);
    }
    return block;
}

static bool strike_block(void *block, struct st_book_entry *entry)
{
    return st_book_strike(&blocks, (uint64_t)(uintptr_t)block, entry);
}

EXPORTED void *malloc(size_t bytes)
{
    const struct st_heap_next *next = st_heap_next();
    if (!next) {
        return st_heap_early(bytes, 16);
    }
    const void *pc = st_heap_caller(__builtin_return_address(0), __builtin_dwarf_cfa());
    return given(next->malloc(bytes), bytes, st_heap_site(pc, ST_HEAP_MALLOC));
}

EXPORTED void free(void *block)
{
    struct st_book_entry entry;
    const struct st_heap_next *next = st_heap_next();
    if (!block || !next || st_heap_early_room(block)) {
        return;
    }
    strike_block(block, &entry);
    next->free(block);
}

EXPORTED void *calloc(size_t count, size_t bytes)
{
    size_t all;
    const struct st_heap_next *next = st_heap_next();
    if (__builtin_mul_overflow(count, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    if (!next) {
        return st_heap_early(all, 16);
    }
    return GIVEN(next->calloc(count, bytes), all, ST_HEAP_CALLOC);
}

static void *move_early(const void *block, size_t bytes)
{
    size_t room = st_heap_early_room(block);
    void *moved = malloc(bytes);
    if (moved) {
        memcpy(moved, block, bytes < room ? bytes : room);
    }
    return moved;
}

/* A call that changes the size of a block. */
struct st_resizing {
    void *block;
    size_t bytes;
    struct st_book_entry entry;
    bool known;
};

static void begin_resizing(struct st_resizing *resizing, void *block, size_t bytes)
{
    *resizing = (struct st_resizing){.block = block, .bytes = bytes};
    resizing->known = block && strike_block(block, &resizing->entry);
}

/* If it failed, the old block stays. With 0 bytes the block may or may not be freed: it is removed. */
static void *end_resizing(const struct st_resizing *resizing, void *result, uint16_t site)
{
    if (result) {
        return given(result, resizing->bytes, site);
    }
    if (resizing->known && resizing->bytes) {
        st_book_enter(&blocks, resizing->entry.start, resizing->entry.bytes, resizing->entry.site);
    }
    return NULL;
}

EXPORTED void *realloc(void *block, size_t bytes)
{
    struct st_resizing resizing;
    const struct st_heap_next *next = st_heap_next();
    if (!next) {
        return st_heap_early(bytes, 16);
    }
    if (st_heap_early_room(block)) {
        return move_early(block, bytes);
    }
    begin_resizing(&resizing, block, bytes);
    return end_resizing(&resizing, next->realloc(block, bytes),
                        st_heap_site(__builtin_return_address(0), ST_HEAP_REALLOC));
}

EXPORTED void *reallocarray(void *block, size_t count, size_t bytes)
{
    struct st_resizing resizing;
    size_t all;
    const struct st_heap_next *next = st_heap_next();
    if (!next || __builtin_mul_overflow(count, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    if (st_heap_early_room(block)) {
        return move_early(block, all);
    }
    begin_resizing(&resizing, block, all);
    return end_resizing(&resizing,
                        next->reallocarray ? next->reallocarray(block, count, bytes)
                                           : next->realloc(block, all),
                        st_heap_site(__builtin_return_address(0), ST_HEAP_REALLOCARRAY));
}

EXPORTED void *aligned_alloc(size_t alignment, size_t bytes)
{
    const struct st_heap_next *next = st_heap_next();
    if (!next || !next->aligned_alloc) {
        return next ? NULL : st_heap_early(bytes, alignment);
    }
    return GIVEN(next->aligned_alloc(alignment, bytes), bytes, ST_HEAP_ALIGNED_ALLOC);
}

EXPORTED void *memalign(size_t alignment, size_t bytes)
{
    const struct st_heap_next *next = st_heap_next();
    if (!next || !next->memalign) {
        return next ? NULL : st_heap_early(bytes, alignment);
    }
    return GIVEN(next->memalign(alignment, bytes), bytes, ST_HEAP_MEMALIGN);
}

EXPORTED int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    const struct st_heap_next *next = st_heap_next();
    if (!next || !next->posix_memalign) {
        return ENOMEM;
    }
    int error = next->posix_memalign(block, alignment, bytes);
    if (!error) {
        GIVEN(*block, bytes, ST_HEAP_POSIX_MEMALIGN);
    }
    return error;
}

EXPORTED void *valloc(size_t bytes)
{
    const struct st_heap_next *next = st_heap_next();
    if (!next || !next->valloc) {
        return NULL;
    }
    return GIVEN(next->valloc(bytes), bytes, ST_HEAP_VALLOC);
}

/* Its size is rounded up to whole pages, all of which the program may use. */
EXPORTED void *pvalloc(size_t bytes)
{
    const struct st_heap_next *next = st_heap_next();
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!next || !next->pvalloc) {
        return NULL;
    }
    return GIVEN(next->pvalloc(bytes), (bytes + page - 1) / page * page, ST_HEAP_PVALLOC);
}

/* For C23: a C library that has it does not call free() for it. */
EXPORTED void free_sized(void *block, size_t bytes)
{
    (void)bytes;
    free(block);
}

EXPORTED void free_aligned_sized(void *block, size_t alignment, size_t bytes)
{
    (void)alignment;
    (void)bytes;
    free(block);
}

/* A program that calls it may use all bytes that it returns. */
EXPORTED size_t malloc_usable_size(void *block)
{
    struct st_book_entry entry;
    const struct st_heap_next *next = st_heap_next();
    if (!next || !next->malloc_usable_size || st_heap_early_room(block)) {
        return st_heap_early_room(block) ? 1 : 0;
    }
    size_t usable = next->malloc_usable_size(block);
    if (block && strike_block(block, &entry)) {
        GIVEN(block, usable, ST_HEAP_USABLE);
    }
    return usable;
}

/* --- mmap ------------------------------------------------------------------------------------ */

/* MPI libraries watch these functions by overwriting their code, also that of ours: UCX all of
 * them, before main is called; Open MPI munmap and mremap, in MPI_Init. So a mapping may be missing
 * from the book, and one in it may be gone: no finding may depend on it alone. */

static uint64_t whole_pages(uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/* Removes the range from `low` to `high` from the mappings; keeps the rest of each. */
static void strike_mappings(uint64_t low, uint64_t high)
{
    struct st_book_entry entry, struck;
    while (low < high && st_book_find(&mappings, low, &entry) &&
           st_book_strike(&mappings, entry.start, &struck)) {
        uint64_t end = entry.start + entry.bytes;
        if (entry.start < low) {
            st_book_enter(&mappings, entry.start, low - entry.start, entry.site);
        }
        if (end > high) {
            st_book_enter(&mappings, high, end - high, entry.site);
        }
        low = end;
    }
}

/* Enters a mapping. Older mappings there are gone: the address was fixed, or a munmap was not seen. */
static void enter_mapping(void *start, size_t bytes, const void *pc, enum st_heap_call call)
{
    uint64_t low = (uint64_t)(uintptr_t)start;
    if (start == MAP_FAILED) {
        return;
    }
    strike_mappings(low, low + whole_pages(bytes));
    st_book_enter(&mappings, low, whole_pages(bytes), st_heap_site(pc, call));
}

static void *map_memory(void *address, size_t bytes, int protection, int flags, int file,
                        off64_t offset, const void *pc)
{
    const struct st_heap_next *next = st_heap_next();
    void *start = next && next->mmap
                      ? next->mmap(address, bytes, protection, flags, file, offset)
                      : (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
    enter_mapping(start, bytes, pc, ST_HEAP_MMAP);
    return start;
}

EXPORTED void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    return map_memory(address, bytes, protection, flags, file, offset, __builtin_return_address(0));
}

EXPORTED void *mmap64(void *address, size_t bytes, int protection, int flags, int file,
                      off64_t offset)
{
    return map_memory(address, bytes, protection, flags, file, offset, __builtin_return_address(0));
}

EXPORTED int munmap(void *address, size_t bytes)
{
    const struct st_heap_next *next = st_heap_next();
    uint64_t low = (uint64_t)(uintptr_t)address;
    strike_mappings(low, low + whole_pages(bytes));
    return next && next->munmap ? next->munmap(address, bytes)
                                : (int)syscall(SYS_munmap, address, bytes);
}

EXPORTED void *mremap(void *old, size_t old_bytes, size_t bytes, int flags, ...)
{
    const struct st_heap_next *next = st_heap_next();
    va_list more;
    va_start(more, flags);
    void *fixed = flags & (MREMAP_FIXED | 4 /* MREMAP_DONTUNMAP */) ? va_arg(more, void *) : NULL;
    va_end(more);
    void *start = next && next->mremap
                      ? next->mremap(old, old_bytes, bytes, flags, fixed)
                      : (void *)syscall(SYS_mremap, old, old_bytes, bytes, flags, fixed);
    if (start != MAP_FAILED) {
        uint64_t low = (uint64_t)(uintptr_t)old;
        strike_mappings(low, low + whole_pages(old_bytes));
        enter_mapping(start, bytes, __builtin_return_address(0), ST_HEAP_MREMAP);
    }
    return start;
}

/* --- questions ------------------------------------------------------------------------------- */

static bool block_at(uint64_t address, struct st_heap_block *block)
{
    struct st_book_entry entry;
    bool found = st_book_find(&blocks, address, &entry);
    block->start = entry.start;
    block->bytes = entry.bytes;
    st_heap_site_read(entry.site, &block->pc, &block->call);
    return found;
}

static uint64_t usable_bytes(uint64_t start)
{
    const struct st_heap_next *next = st_heap_next();
    return next && next->malloc_usable_size ? next->malloc_usable_size((void *)(uintptr_t)start)
                                            : 0;
}

static bool mapping_at(uint64_t address, struct st_heap_block *block)
{
    struct st_book_entry entry;
    if (!st_book_find(&mappings, address, &entry)) {
        return false;
    }
    block->start = entry.start;
    block->bytes = entry.bytes;
    st_heap_site_read(entry.site, &block->pc, &block->call);
    return true;
}

extern const struct st_heap shadowtype_heap;

EXPORTED const struct st_heap shadowtype_heap = {
    .version = ST_HEAP_VERSION,
    .block_at = block_at,
    .mapping_at = mapping_at,
    .usable = usable_bytes,
};
