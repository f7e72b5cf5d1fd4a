/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/segment.h"

void st_rank_call_write(struct st_rank_call *place, uint64_t key, const struct st_collective *call)
{
    __atomic_store_n(&place->key, 0, __ATOMIC_RELEASE);
    st_collective_store(&place->call, call);
    /* Of two ranks that write theirs and then look for the other's, one finds it. */
    if (call->pairs || call->flags & (ST_COLLECTIVE_GROUP | ST_COLLECTIVE_SIDE)) {
        __atomic_store_n(&place->key, key, __ATOMIC_SEQ_CST);
    } else {
        __atomic_store_n(&place->key, key, __ATOMIC_RELEASE);
    }
}

bool st_rank_call_read(const struct st_rank_call *place, uint64_t key, struct st_collective *call)
{
    if (__atomic_load_n(&place->key, __ATOMIC_SEQ_CST) != key) {
        return false;
    }
    st_collective_load(call, &place->call);
    return __atomic_load_n(&place->key, __ATOMIC_ACQUIRE) == key;
}
