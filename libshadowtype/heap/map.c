/*
 * mmap and its like, in a book of their own: an allocator may have its blocks inside of a mapping.
 *
 * MPI libraries watch these functions by code that they write over them, over these as well: UCX over
 * all of them, before main is called; Open MPI over munmap and mremap, in MPI_Init. So a mapping may be
 * missing from the book, and one in it may be gone: it is never the only witness.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "heap/book.h"
#include "heap/given.h"
#include "heap/next.h"
#include "heap/sites.h"

#define EXPORTED __attribute__((visibility("default")))

static struct st_book book;

static uint64_t whole_pages(uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/* Removes the range from `low` to `high` from the mappings; the rest of each stays. */
static void strike_mappings(uint64_t low, uint64_t high)
{
    struct st_book_entry entry, struck;
    while (low < high && st_book_find(&book, low, &entry) &&
           st_book_strike(&book, entry.start, &struck)) {
        uint64_t end = entry.start + entry.bytes;
        if (entry.start < low)
            st_book_enter(&book, entry.start, low - entry.start, entry.site);
        if (end > high)
            st_book_enter(&book, high, end - high, entry.site);
        low = end;
    }
}

/* What was there is no more: a fixed address, or a munmap that nobody saw. */
static void enter_mapping(void *start, size_t bytes, const void *pc, enum st_heap_call call)
{
    uint64_t low = (uint64_t)(uintptr_t)start;
    if (start == MAP_FAILED)
        return;
    strike_mappings(low, low + whole_pages(bytes));
    st_book_enter(&book, low, whole_pages(bytes), st_heap_site(pc, call));
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

bool st_heap_mapping_at(uint64_t address, struct st_heap_block *block)
{
    struct st_book_entry entry;
    if (!st_book_find(&book, address, &entry))
        return false;
    block->start = entry.start;
    block->bytes = entry.bytes;
    st_heap_site_read(entry.site, &block->pc, &block->call);
    return true;
}
