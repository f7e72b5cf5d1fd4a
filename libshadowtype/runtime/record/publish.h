/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stores that a debugger may read between any two instructions.
 *
 * The registry's structures are plain C (core/model/registry.h), because a debugger reads them as bytes.
 * These functions publish or withdraw a value by one store, which the compiler does not move before the
 * writes that it publishes.
 */
#ifndef ST_RUNTIME_RECORD_PUBLISH_H
#define ST_RUNTIME_RECORD_PUBLISH_H

#include <stdint.h>

static inline void st_publish8(uint8_t *where, uint8_t value)
{
    __atomic_store_n(where, value, __ATOMIC_RELEASE);
}

static inline void st_publish32(uint32_t *where, uint32_t value)
{
    __atomic_store_n(where, value, __ATOMIC_RELEASE);
}

static inline void st_publish64(uint64_t *where, uint64_t value)
{
    __atomic_store_n(where, value, __ATOMIC_RELEASE);
}

/* Call it after a store that withdraws something, or that gives later writes another meaning: those must not come
 * before it. A debugger that stops the thread sees its writes in program order, so it is enough that the
 * compiler keeps that order. */
static inline void st_withdrawn(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#endif
