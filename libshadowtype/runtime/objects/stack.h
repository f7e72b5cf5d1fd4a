/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stack of the process's first thread, which the kernel made: where it is, and whether all
 * frames on it are plain calls.
 *
 * Coroutines and signal handlers run on stacks that may be anywhere, even inside a variable of
 * main(). So a stack pointer alone proves nothing: st_stack_is_whole() unwinds.
 */
#ifndef ST_RUNTIME_OBJECTS_STACK_H
#define ST_RUNTIME_OBJECTS_STACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* At most 64 MiB of addresses below the first frame: the kernel maps nothing else there. */
extern struct st_stack {
    uint64_t low, bytes; /* bytes 0: not known */
} st_stack __attribute__((visibility("hidden")));

/* To be called when MPI is initialized. */
void st_stack_begin(void);

static inline bool st_stack_has(uint64_t address)
{
    return address - st_stack.low < st_stack.bytes;
}

/* No stack memory that MPI may use ends below this address. */
extern _Atomic uint64_t st_stack_lowest __attribute__((visibility("hidden")));

/* MPI begins to use stack memory that ends at `end`. */
static inline void st_stack_expect(uint64_t end)
{
    if (end < atomic_load_explicit(&st_stack_lowest, memory_order_relaxed)) {
        atomic_store_explicit(&st_stack_lowest, end, memory_order_relaxed);
    }
}

/* Returns true if each frame from here on is above the one that it called, the outermost one is the
 * first of the process, and none of them is of exit(): handlers and destructors that exit() calls
 * complete what main() has begun, after main() has returned. Costs some microseconds. */
bool st_stack_is_whole(void);

#endif
