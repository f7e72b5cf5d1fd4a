/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the program asserts of a communicator by info (MPI-4.0, 7.4.4).
 */
#ifndef ST_RUNTIME_OBJECTS_ASSERTED_H
#define ST_RUNTIME_OBJECTS_ASSERTED_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/model/registry.h"

enum st_assertion {
    ST_ASSERT_NO_ANY_TAG = 0x1,
    ST_ASSERT_NO_ANY_SOURCE = 0x2,
    ST_ASSERT_EXACT_LENGTH = 0x4,
    ST_ASSERT_ALLOW_OVERTAKING = 0x8
};

struct st_asserted {
    uint64_t handle; /* of the communicator */
    uint64_t serial; /* 0: it has none yet, because MPI_Comm_idup_with_info makes it */
    uint32_t set;    /* enum st_assertion */
    uint32_t site;   /* call site of the last call that has set one */
    uint16_t function;
};

/* A call has set some assertions of a communicator to true (SET), and others to false (CLEAR).
 * *change has its handle, serial, site and function. */
void st_asserted_change(const struct st_asserted *change, uint32_t set, uint32_t clear);

/* Forgets what was asserted of an earlier communicator with this handle. */
void st_asserted_forget(uint64_t handle);

/* How many communicators have assertions; more than ST_MOST_ASSERTED: not all are known. */
enum { ST_MOST_ASSERTED = 64 };
extern _Atomic uint32_t st_asserted_count __attribute__((visibility("hidden")));

/* Stores what is asserted of a communicator. Returns false if nothing is. */
bool st_asserted_find(uint64_t handle, uint64_t serial, struct st_asserted *asserted);

/* Returns what is asserted of a communicator (enum st_assertion). */
static inline uint32_t st_asserted_of(uint64_t handle, uint64_t serial)
{
    struct st_asserted asserted;
    if (__builtin_expect(!atomic_load_explicit(&st_asserted_count, memory_order_relaxed), 1)) {
        return 0;
    }
    return st_asserted_find(handle, serial, &asserted) ? asserted.set : 0;
}

#endif
