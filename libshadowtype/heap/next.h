/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that the program would call without this library: those of the next library in
 * line.
 */
#ifndef ST_HEAP_NEXT_H
#define ST_HEAP_NEXT_H

#include <stddef.h>
#include <sys/types.h>

struct st_heap_next {
    void *(*malloc)(size_t bytes);
    void *(*calloc)(size_t count, size_t bytes);
    void *(*realloc)(void *block, size_t bytes);
    void *(*reallocarray)(void *block, size_t count, size_t bytes);
    void *(*aligned_alloc)(size_t alignment, size_t bytes);
    int (*posix_memalign)(void **block, size_t alignment, size_t bytes);
    void *(*memalign)(size_t alignment, size_t bytes);
    void *(*valloc)(size_t bytes);
    void *(*pvalloc)(size_t bytes);
    size_t (*malloc_usable_size)(void *block);
    void (*free)(void *block);
    void *(*mmap)(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
    int (*munmap)(void *address, size_t bytes);
    void *(*mremap)(void *old, size_t old_bytes, size_t bytes, int flags, ...);
};

/* Returns NULL while they are being looked up, which may itself allocate memory. A function that no
 * library has is a null pointer. */
const struct st_heap_next *st_heap_next(void);

/* Returns zeroed memory for the time until they are found; it is never freed. NULL if there is no
 * more. */
void *st_heap_early(size_t bytes, size_t alignment);
/* Returns how many bytes from `block` on may be read; 0 if it is not such memory. */
size_t st_heap_early_room(const void *block);

#endif
