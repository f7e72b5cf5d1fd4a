/*
 * Stores that a debugger may read between any two instructions.
 *
 * The registry's structures are plain C (core/model/registry.h), because a debugger reads them as bytes.
 * What is published or withdrawn goes through these few functions: never torn, never moved by the
 * compiler across the writes that it publishes.
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

/* After a store that withdrew something, or that gave the writes after it another meaning: those
 * must not come before it. A stop shows the memory of one thread in program order, so it is enough
 * that the compiler keeps that order. */
static inline void st_withdrawn(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#endif
