/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/converted.h"

/* Larger numbers are not kept. */
enum { MOST_NUMBERS = 1024 };
static _Atomic uint64_t objects[ST_KIND_END][MOST_NUMBERS];

/* By kind: the last number that could not be converted; 0: all could. */
static _Thread_local int32_t failed[ST_KIND_END] __attribute__((tls_model("initial-exec")));

void st_converted(enum st_kind kind, int32_t number, uint64_t handle)
{
    if (!handle) {
        failed[kind] = number;
    } else if (number >= 0 && number < MOST_NUMBERS) {
        atomic_store_explicit(&objects[kind][number], handle, memory_order_relaxed);
    }
}

bool st_conversion_failed(const struct st_facts *facts, enum st_kind kind,
                          struct st_conversion *conversion)
{
    const int32_t number = failed[kind];
    if (!number || facts->call->caller != ST_CALLER_BINDING) {
        return false;
    }
    *conversion = (struct st_conversion){.number = number};
    if (number > 0 && number < MOST_NUMBERS) {
        conversion->last = atomic_load_explicit(&objects[kind][number], memory_order_relaxed);
    }
    return true;
}
