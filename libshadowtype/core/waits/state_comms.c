/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/state_internal.h"

#include <stdlib.h>
#include <string.h>

/* If a communicator has no struct, as after memory ran out, only its name identifies it. */
static void identify_comm(const struct st_state_reader *reader, struct st_wait_comm *comm)
{
    const struct st_wait_rank *rank = reader->rank;
    const struct st_name *name =
        comm->kind ? NULL : st_state_name(reader, "MPI_Comm", comm->handle);
    if (!name) {
        return;
    }
    st_state_copy(comm->name, sizeof comm->name, name->name);
    if (!comm->id && strcmp(name->name, "MPI_COMM_WORLD") == 0 && rank->world_size > 0) {
        comm->id = ST_WORLD_ID;
        comm->size = rank->world_size;
    }
}

/* Returns false if memory runs out. */
static bool add_comm(struct st_state_reader *reader, const struct st_wait_comm *comm)
{
    struct st_wait_rank *rank = reader->rank;
    if (!st_state_make_room(&rank->comms, rank->comm_count, &rank->comm_room,
                            sizeof *rank->comms)) {
        return false;
    }
    rank->comms[rank->comm_count] = *comm;
    identify_comm(reader, &rank->comms[rank->comm_count++]);
    return true;
}

size_t st_state_comm(struct st_state_reader *reader, enum st_kind kind, uint64_t handle)
{
    struct st_wait_rank *rank = reader->rank;
    for (size_t i = rank->comm_count; i > 0; i--) {
        if (rank->comms[i - 1].handle == handle && rank->comms[i - 1].kind == kind) {
            return i - 1;
        }
    }
    struct st_wait_comm comm = {.handle = handle, .kind = kind, .size = -1, .own_rank = -1};
    return add_comm(reader, &comm) ? rank->comm_count - 1 : ST_NO_COMM;
}

uint64_t st_state_order(const struct st_wait_comm *comm, uint32_t order)
{
    uint32_t since = (uint32_t)comm->begun - order;
    return order && since < comm->begun ? comm->begun - since : 0;
}

enum { MOST_MEMBERS = 1 << 20 };

static bool is_known_group(const struct st_comm_group *group)
{
    return group->form != ST_GROUP_UNKNOWN && group->size > 0 && group->size <= MOST_MEMBERS;
}

/* The gpids of a group, or NULL if memory runs out. */
static uint64_t *list_group(const struct st_communicator *known, bool remote, int32_t size)
{
    uint64_t *gpids = malloc((size_t)size * sizeof *gpids);
    for (int32_t i = 0; gpids && i < size; i++) {
        gpids[i] = st_communicator_member(known, remote, i);
    }
    return gpids;
}

/* True if its ranks are those of the world of the rank: then they need no list. */
static bool is_world(const struct st_wait_rank *rank, const struct st_communicator *known)
{
    int32_t i = 0;
    while (i < known->comm.group.size &&
           st_communicator_member(known, false, i) == st_gpid(rank->world, i)) {
        i++;
    }
    return i == known->comm.group.size;
}

/* Lists the processes of the communicator's ranks, and for an intercommunicator those of the local
 * group. Returns false if memory runs out. */
static bool list_members(const struct st_wait_rank *rank, const struct st_communicator *known,
                         struct st_wait_comm *comm)
{
    const struct st_comm_group *group = comm->is_inter ? &known->comm.remote : &known->comm.group;
    if (!is_known_group(group) || !is_known_group(&known->comm.group)) {
        comm->id = 0;
        return true;
    }
    comm->size = group->size;
    if (!comm->is_inter && is_world(rank, known)) {
        return true;
    }
    comm->members = list_group(known, comm->is_inter, comm->size);
    if (comm->is_inter) {
        comm->own_size = known->comm.group.size;
        comm->own_members = list_group(known, false, comm->own_size);
    }
    return comm->members && (!comm->is_inter || comm->own_members);
}

/* Returns false if memory runs out. */
static bool copy_peers(const struct st_communicator *known, struct st_wait_comm *comm)
{
    const size_t bytes = (size_t)comm->size * sizeof *comm->peers;
    if (!known->peers || comm->size != known->comm.group.size) {
        return true;
    }
    comm->peers = malloc(bytes);
    if (comm->peers) {
        memcpy(comm->peers, known->peers, bytes);
    }
    return comm->peers;
}

static bool take_comm(struct st_state_reader *reader, const struct st_communicator *known)
{
    struct st_wait_comm comm = {.handle = known->comm.handle,
                                .kind = known->comm.kind,
                                .id = known->comm.flags & ST_COMM_KNOWN ? known->comm.id : 0,
                                .begun = known->comm.collectives,
                                .serial = known->comm.serial,
                                .is_inter = known->comm.flags & ST_COMM_INTER,
                                .size = -1,
                                .own_rank = known->comm.rank};
    if (known->name) {
        st_state_copy(comm.name, sizeof comm.name, known->name);
    }
    if ((comm.id && !(list_members(reader->rank, known, &comm) && copy_peers(known, &comm))) ||
        !add_comm(reader, &comm)) {
        free(comm.members);
        free(comm.own_members);
        free(comm.peers);
        return false;
    }
    return true;
}

/* Adds the persistent collective calls of the newest communicator whose requests were freed, as requests that
 * are not active. Returns false if memory runs out. */
static bool add_freed(struct st_state_reader *reader, const struct st_communicator *known)
{
    const size_t comm = reader->rank->comm_count - 1;
    for (size_t i = 0; known->freed && i < ST_MOST_FREED_CALLS; i++) {
        const struct st_wait_part part = {
            .sort = ST_WAIT_COLLECTIVE,
            .is_request = true,
            .comm = comm,
            .n = st_state_order(&reader->rank->comms[comm], known->freed[i].order),
            .starts = known->freed[i].starts,
            .peer = ST_PEER_NONE,
            .world = ST_PEER_NONE,
            .tag = ST_PEER_NONE,
            .site = ST_NO_SITE};
        if (part.n && !st_state_add_pending(reader->rank, &part)) {
            return false;
        }
    }
    return true;
}

enum st_error st_state_read_comms(struct st_state_reader *reader)
{
    struct st_communicator *known;
    struct st_damage damage;
    size_t count;
    enum st_error error =
        st_registry_comms(reader->registry, &known, &count, &damage, reader->fault);
    if (error) {
        return error;
    }
    for (size_t i = 0; i < count && !error; i++) {
        if (!take_comm(reader, &known[i]) || !add_freed(reader, &known[i])) {
            error = st_fail(reader->fault, (struct st_fault){.error = ST_NO_MEMORY});
        }
    }
    st_communicators_free(known, count);
    return !error && damage.fault.error ? st_fail(reader->fault, damage.fault) : error;
}
