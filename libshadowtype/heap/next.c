/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "heap/next.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static struct st_heap_next next;
static _Atomic(const struct st_heap_next *) ready;
static atomic_bool looking;

/* dlsym() may allocate memory before malloc is found. */
enum { EARLY_ALIGNMENT = 64 };
static _Alignas(EARLY_ALIGNMENT) char early[1 << 16];
static atomic_size_t early_used;

static void look_up_next(void)
{
#define LOOK(name) *(void **)&next.name = dlsym(RTLD_NEXT, #name)
    LOOK(malloc);
    LOOK(calloc);
    LOOK(realloc);
    LOOK(reallocarray);
    LOOK(aligned_alloc);
    LOOK(posix_memalign);
    LOOK(memalign);
    LOOK(valloc);
    LOOK(pvalloc);
    LOOK(malloc_usable_size);
    LOOK(free);
    LOOK(mmap);
    LOOK(munmap);
    LOOK(mremap);
#undef LOOK
    atomic_store_explicit(&ready, &next, memory_order_release);
}

/* The first call comes from the loader, before there are threads. */
const struct st_heap_next *st_heap_next(void)
{
    const struct st_heap_next *known = atomic_load_explicit(&ready, memory_order_acquire);
    if (__builtin_expect(known != NULL, 1)) {
        return known;
    }
    if (atomic_exchange(&looking, true)) {
        return NULL;
    }
    int saved = errno;
    look_up_next();
    errno = saved;
    return &next;
}

void *st_heap_early(size_t bytes, size_t alignment)
{
    if (bytes > sizeof early || alignment > EARLY_ALIGNMENT) {
        errno = ENOMEM;
        return NULL;
    }
    size_t whole = (bytes + EARLY_ALIGNMENT) / EARLY_ALIGNMENT * EARLY_ALIGNMENT;
    size_t at = atomic_fetch_add(&early_used, whole);
    if (at > sizeof early - whole) {
        errno = ENOMEM;
        return NULL;
    }
    return early + at;
}

size_t st_heap_early_room(const void *block)
{
    uintptr_t at = (uintptr_t)block - (uintptr_t)early;
    return at < sizeof early ? sizeof early - at : 0;
}
