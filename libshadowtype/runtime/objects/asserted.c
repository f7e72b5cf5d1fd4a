/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/asserted.h"

#include <stddef.h>

#include "runtime/record/lock.h"

_Atomic uint32_t st_asserted_count;

static struct st_asserted list[ST_MOST_ASSERTED];

/* Returns its place; NULL if it has none. */
static struct st_asserted *find_place(uint64_t handle)
{
    const uint32_t count = st_asserted_count;
    for (uint32_t i = 0; i < count && i < ST_MOST_ASSERTED; i++) {
        if (list[i].handle == handle) {
            return &list[i];
        }
    }
    return NULL;
}

static bool is_same(struct st_asserted *known, uint64_t serial)
{
    if (!known->serial) {
        known->serial = serial;
    }
    return known->serial == serial || !serial;
}

/* Returns a place for a communicator without assertions; NULL if there is no room. */
static struct st_asserted *new_place(void)
{
    struct st_asserted *place = find_place(0);
    if (!place && st_asserted_count < ST_MOST_ASSERTED) {
        return &list[st_asserted_count++];
    }
    return place;
}

void st_asserted_change(const struct st_asserted *change, uint32_t set, uint32_t clear)
{
    bool locked = st_lock();
    struct st_asserted *place = find_place(change->handle);
    const uint32_t before = place && is_same(place, change->serial) ? place->set : 0;
    const uint32_t after = (before | set) & ~clear;
    if (!place && after) {
        place = new_place();
        if (!place) {
            st_asserted_count = ST_MOST_ASSERTED + 1;
        }
    }
    if (place && set) {
        *place = *change;
    }
    if (place) {
        place->set = after;
        place->handle = after ? change->handle : 0;
    }
    st_unlock(locked);
}

void st_asserted_forget(uint64_t handle)
{
    bool locked = st_lock();
    struct st_asserted *place = handle ? find_place(handle) : NULL;
    if (place) {
        *place = (struct st_asserted){0};
    }
    st_unlock(locked);
}

bool st_asserted_find(uint64_t handle, uint64_t serial, struct st_asserted *asserted)
{
    bool locked = st_lock();
    struct st_asserted *place = handle ? find_place(handle) : NULL;
    const bool is_known = place && is_same(place, serial);
    if (is_known) {
        *asserted = *place;
    } else if (st_asserted_count > ST_MOST_ASSERTED) { /* it may be asserted */
        *asserted = (struct st_asserted){.set = ST_ASSERT_ALLOW_OVERTAKING};
    }
    const bool is_full = st_asserted_count > ST_MOST_ASSERTED;
    st_unlock(locked);
    return is_known || is_full;
}
