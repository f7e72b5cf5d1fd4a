/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/firsts.h"

static uint32_t place_of(uint64_t turn)
{
    return (uint32_t)(turn - 1) & (ST_FIRSTS_ROOM - 1);
}

void st_firsts_add(struct st_firsts *firsts, const struct st_collective *call)
{
    const uint64_t turn = __atomic_add_fetch(&firsts->count, 1, __ATOMIC_ACQ_REL);
    struct st_first_call *first = &firsts->list[place_of(turn)];
    __atomic_store_n(&first->turn, 0, __ATOMIC_RELEASE);
    st_collective_store(&first->call, call);
    __atomic_store_n(&first->turn, turn, __ATOMIC_RELEASE);
}

enum st_first_state st_firsts_read(const struct st_firsts *firsts, uint64_t turn,
                                   struct st_collective *call)
{
    const struct st_first_call *first = &firsts->list[place_of(turn)];
    const uint64_t before = __atomic_load_n(&first->turn, __ATOMIC_ACQUIRE);
    if (before == turn) {
        st_collective_load(call, &first->call);
    }
    if (before == turn && __atomic_load_n(&first->turn, __ATOMIC_ACQUIRE) == turn) {
        return ST_FIRST_THERE;
    }
    const uint64_t count = __atomic_load_n(&firsts->count, __ATOMIC_ACQUIRE);
    return count >= turn + ST_FIRSTS_ROOM ? ST_FIRST_GONE : ST_FIRST_NOT_YET;
}

bool st_firsts_find(const struct st_firsts *firsts, uint64_t comm, uint64_t number,
                    struct st_collective *call)
{
    const uint64_t count = __atomic_load_n(&firsts->count, __ATOMIC_ACQUIRE);
    const uint64_t least = count > ST_FIRSTS_ROOM ? count - ST_FIRSTS_ROOM : 0;
    for (uint64_t turn = count; turn > least; turn--) {
        if (st_firsts_read(firsts, turn, call) == ST_FIRST_THERE && call->comm == comm &&
            call->number == number) {
            return true;
        }
    }
    return false;
}
