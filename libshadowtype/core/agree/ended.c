/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/ended.h"

static uint32_t first_place(uint64_t comm)
{
    return (uint32_t)(comm >> (64 - ST_ENDED_LOG2_PLACES));
}

static uint32_t next_place(uint32_t place)
{
    return (place + 1) % (1u << ST_ENDED_LOG2_PLACES);
}

bool st_ended_has(const struct st_ended_set *set, uint64_t comm)
{
    if (__builtin_expect(__atomic_load_n(&set->count, __ATOMIC_ACQUIRE) == 0, 1)) {
        return false;
    }
    if (st_ended_is_full(set)) {
        return true;
    }
    uint64_t found;
    for (uint32_t place = first_place(comm);
         (found = __atomic_load_n(&set->ids[place], __ATOMIC_ACQUIRE)) != 0;
         place = next_place(place)) {
        if (found == comm) {
            return true;
        }
    }
    return false;
}

void st_ended_add(struct st_ended_set *set, uint64_t comm)
{
    if (comm == 0 || st_ended_has(set, comm)) {
        return;
    }
    /* Places are counted before they are taken: so some are always free, and a search ends. */
    if (__atomic_fetch_add(&set->count, 1, __ATOMIC_ACQ_REL) >= ST_ENDED_MOST) {
        return;
    }
    uint32_t place = first_place(comm);
    uint64_t found = 0;
    while (!__atomic_compare_exchange_n(&set->ids[place], &found, comm, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE) &&
           found != comm) {
        found = 0;
        place = next_place(place);
    }
}
