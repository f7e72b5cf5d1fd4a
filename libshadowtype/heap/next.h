/*
 * The functions that would be called without this library: those of the next one in line.
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

/* NULL: they are being looked for, which may need memory itself. A function that nobody has is NULL
 * in it. */
const struct st_heap_next *st_heap_next(void);

/* Memory until they are there, which is never given back; NULL: there is no more. It is 0. */
void *st_heap_early(size_t bytes, size_t alignment);
/* Returns how many bytes from `block` on may be read; 0 if it is not such memory. */
size_t st_heap_early_room(const void *block);

#endif
