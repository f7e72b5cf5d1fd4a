/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/wrap/events.h"

#include "runtime/objects/collectives.h"
#include "runtime/objects/comm_ids.h"
#include "runtime/ranks/node.h"
#include "runtime/record/root.h"

#include "runtime/check/check.h"
#include "runtime/check/level.h"
#include "runtime/check/outside.h"

void st_event_begins(bool world)
{
    st_outside_begins(world);
    if (!world) {
        st_level_session();
    }
}

void st_event_recorded(bool world)
{
    st_check_begins(world);
}

void st_event_ended(void)
{
    if (st_check_ended()) {
        st_outside_ends();
    }
}

void st_event_thread(uint32_t count)
{
    st_level_thread(count);
}

char *st_event_spawns(uint64_t comm)
{
    struct st_known_group parents = {.gpids = NULL};
    struct st_spawned spawned;
    const struct st_comm *parent = st_comm_of_handle(comm);
    bool locked = st_lock();
    const bool is_named = parent && st_comm_ids_spawned(parent, &spawned);
    const bool is_listed = is_named && st_comm_ids_list(parent, false, &parents);
    st_unlock(locked);
    if (!is_named) {
        return NULL;
    }
    spawned.job = st_ranks_node.job;
    char *text = st_spawned_text(&spawned, parents.gpids, is_listed ? parents.size : 0);
    if (is_listed) {
        st_unmap(parents.gpids, (size_t)parents.size * sizeof *parents.gpids);
    }
    return text;
}
