/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/record/meaning.h"

#include "runtime/record/arena.h"
#include "runtime/record/lock.h"
#include "runtime/record/table.h"

/* Returns the newest tombstone with this handle; NULL if there is none. */
static const struct st_node *freed_node(uint64_t handle)
{
    const uint32_t *ring = st_pointer(st_root.ring);
    for (uint32_t i = 1; ring && i < st_root.ring_slots; i++) {
        uint32_t slot = ring[(st_root.ring_next + st_root.ring_slots - i) % st_root.ring_slots];
        if (slot && st_node_at(slot - 1)->handle == handle) {
            return st_node_at(slot - 1);
        }
    }
    return NULL;
}

void st_type_meaning(uint64_t handle, struct st_meaning *state)
{
    uint32_t ordinal = st_table_find(handle);
    *state = (struct st_meaning){.life = ST_NO_TYPE};
    if (ordinal != ST_NO_NODE) {
        *state = (struct st_meaning){.life = ST_LIVE_TYPE, .node = st_node_at(ordinal)};
    } else if ((state->node = freed_node(handle))) {
        state->life = ST_FREED_TYPE;
    }
}

bool st_type_is_live(uint64_t handle)
{
    struct st_meaning state;
    bool locked = st_lock();
    st_type_meaning(handle, &state);
    st_unlock(locked);
    return state.life == ST_LIVE_TYPE;
}
