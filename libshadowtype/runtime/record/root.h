/*
 * The registry's root, and the pages that all of the registry lies in.
 */
#ifndef ST_RUNTIME_RECORD_ROOT_H
#define ST_RUNTIME_RECORD_ROOT_H

#include <stddef.h>
#include <stdint.h>

#include "core/model/registry.h"

/* shadowtype_registry by a name that the linker cannot bind elsewhere. */
extern struct st_root st_root __attribute__((visibility("hidden")));

static inline uint64_t st_address(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static inline void *st_pointer(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Zeroed pages, at least `bytes`; NULL: no memory. Never the program's heap: a program that
 * overruns its buffers must not hit the registry, and a debugger reads a few large areas. */
void *st_map(size_t bytes);
void st_unmap(void *pages, size_t bytes);

#endif
