/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registry's root, and the pages that contain the registry.
 */
#ifndef ST_RUNTIME_RECORD_ROOT_H
#define ST_RUNTIME_RECORD_ROOT_H

#include <stddef.h>
#include <stdint.h>

#include "core/model/registry.h"

/* shadowtype_registry under a hidden name, which the linker cannot bind to another library. */
extern struct st_root st_root __attribute__((visibility("hidden")));

static inline uint64_t st_address(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static inline void *st_pointer(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Returns zeroed pages of at least `bytes` bytes; NULL if there is no memory. They are not from the program's
 * heap: a program that overruns its buffers must not hit the registry, and a debugger reads few large areas. */
void *st_map(size_t bytes);
void st_unmap(void *pages, size_t bytes);

#endif
