/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/gatherings.h"

#include "core/model/hash.h"
#include "runtime/objects/collectives.h"
#include "runtime/objects/comm_ids.h"
#include "runtime/objects/comms.h"
#include "runtime/objects/operations.h"
#include "runtime/record/publish.h"
#include "runtime/record/root.h"
#include "runtime/wrap/constants.h"

enum { MOST_MEMBERS = 1 << 16, LOCAL = 1, LEADERS = 2 };

/* A struct st_comm may be used again: whoever keeps the address and serial of a communicator that is gone must not take a
 * gathering for it. */
#define FIRST_SERIAL (UINT64_C(1) << 62)

static struct st_comm *gatherings[ST_MOST_GATHERINGS];
static uint64_t begun; /* calls: the next one takes the place of the oldest */
static uint64_t last_begun[ST_MOST_GATHERINGS];

int64_t st_gathering_group_size(uint64_t group)
{
    return st_is_null_handle(ST_KIND_GROUP, group) ? -1 : st_ask_group_size(group);
}

/* --- the processes of a group --------------------------------------------------------------- */

struct st_gathered {
    uint64_t *gpids; /* mapped; NULL: not known */
    size_t bytes;
    int32_t size, own; /* own: the rank in the group; -1: it is not in it */
};

/* Reads the gpids of some ranks of a communicator. Returns false if one is not known. */
static bool read_gpids(struct st_gathered *gathered, const struct st_comm *comm, const int *places,
                       int first, int count)
{
    for (int i = 0; i < count; i++) {
        const uint64_t gpid =
            places[i] < 0 ? ST_NO_GPID : st_comm_ids_member(&comm->group, places[i]);
        gathered->own =
            gpid == st_gpid(st_root.world, st_root.world_rank) ? first + i : gathered->own;
        gathered->gpids[first + i] = gpid;
        if (gpid == ST_NO_GPID) {
            return false;
        }
    }
    return true;
}

static bool ask_members(struct st_gathered *gathered, uint64_t group, const struct st_comm *comm)
{
    int places[ST_MOST_TRANSLATED];
    for (int first = 0; first < gathered->size; first += ST_MOST_TRANSLATED) {
        const int left = gathered->size - first;
        const int count = left < ST_MOST_TRANSLATED ? left : ST_MOST_TRANSLATED;
        if (!st_ask_places(group, first, count, comm->handle, places) ||
            !read_gpids(gathered, comm, places, first, count)) {
            return false;
        }
    }
    return true;
}

static void free_members(struct st_gathered *gathered)
{
    if (gathered->gpids) {
        st_unmap(gathered->gpids, gathered->bytes);
    }
    gathered->gpids = NULL;
}

/* Returns false if they are not all known. If so, the caller must free them. */
static bool list_members(struct st_gathered *gathered, uint64_t group, const struct st_comm *comm)
{
    const int64_t size = st_gathering_group_size(group);
    *gathered = (struct st_gathered){.own = -1};
    if (size < 1 || size > MOST_MEMBERS) {
        return false;
    }
    gathered->size = (int32_t)size;
    gathered->bytes = (size_t)size * sizeof *gathered->gpids;
    gathered->gpids = st_map(gathered->bytes);
    if (gathered->gpids && !ask_members(gathered, group, comm)) {
        free_members(gathered);
    }
    return gathered->gpids;
}

static uint64_t hash_members(uint64_t hash, const struct st_gathered *gathered)
{
    hash = st_hash_word(hash, (uint64_t)gathered->size);
    for (int32_t i = 0; i < gathered->size; i++) {
        hash = st_hash_word(hash, gathered->gpids[i]);
    }
    return hash;
}

/* --- publishing ----------------------------------------------------------------------------- */

/* A watcher finds a call's gatherings by its stack pointer: no older one may have it. */
static void drop_calls(const struct st_call *call)
{
    const uint64_t sp = (uint64_t)(uintptr_t)call->sp;
    for (int i = 0; i < ST_MOST_GATHERINGS; i++) {
        if (gatherings[i] && (gatherings[i]->handle | 1) == (sp | 1)) {
            st_publish64(&gatherings[i]->handle, 0);
        }
    }
}

/* Returns the place of a gathering; of the oldest one if it is not there. */
static int find_place(uint64_t id)
{
    int oldest = 0;
    for (int i = 0; i < ST_MOST_GATHERINGS; i++) {
        if (gatherings[i] && gatherings[i]->id == id) {
            return i;
        }
        oldest = last_begun[i] < last_begun[oldest] ? i : oldest;
    }
    return oldest;
}

/* The caller holds the lock and has opened a change. */
static void publish_gathering(const struct st_gathering *like, const struct st_gathered *gathered)
{
    const int place = find_place(like->id);
    struct st_comm *comm = gatherings[place];
    struct st_comm_members members;
    last_begun[place] = ++begun;
    if (comm && comm->id == like->id) {
        st_publish64(&comm->collectives, like->count);
        st_publish64(&comm->handle, like->handle);
        return;
    }
    gatherings[place] = NULL;
    if (comm) {
        st_comms_drop_gathering(comm);
    }
    if (st_members_list(gathered->gpids, gathered->size, &members)) {
        gatherings[place] = st_comms_add_gathering(like, &members);
        st_members_free(&members);
    }
}

static void publish_group(const struct st_form *form, const struct st_call *call, uint64_t hash,
                          int sort, const struct st_gathered *gathered)
{
    /* The stack pointer is aligned: its lowest bit tells the two gatherings of one call apart. */
    const uint64_t sp = (uint64_t)(uintptr_t)call->sp;
    bool locked = st_operations_lock();
    const struct st_gathering like = {.serial = FIRST_SERIAL + begun,
                                      .handle = sort == LEADERS ? sp | 1 : sp,
                                      .id = hash ? hash : 1,
                                      .count = st_comm_ids_count(hash),
                                      .rank = gathered->own,
                                      .function = form->number};
    if (like.count) {
        publish_gathering(&like, gathered);
    }
    st_operations_unlock(locked);
}

/* --- the calls ------------------------------------------------------------------------------ */

/* MPI_Intercomm_create_from_groups(local_group, local_leader, remote_group, remote_leader, ...): the
 * two leaders meet. */
static void publish_leaders(const struct st_form *form, const struct st_call *call,
                            const uint64_t *values, const struct st_comm *comm,
                            const struct st_gathered *local)
{
    enum { REMOTE_GROUP = 2, REMOTE_LEADER = 3 };
    struct st_gathered remote;
    const int64_t leader = (int64_t)values[REMOTE_LEADER];
    if (!list_members(&remote, values[REMOTE_GROUP], comm)) {
        return;
    }
    if (leader >= 0 && leader < remote.size) {
        uint64_t both[2] = {local->gpids[local->own], remote.gpids[leader]};
        const struct st_gathered pair = {.gpids = both, .size = 2, .own = 0};
        const uint64_t groups = hash_members(LEADERS, local) + hash_members(LEADERS, &remote);
        publish_group(form, call, st_comm_ids_tag(groups, form, values), LEADERS, &pair);
    }
    free_members(&remote);
}

void st_gathering_begins(const struct st_form *form, const struct st_call *call,
                         const uint64_t *values, uint32_t found)
{
    enum { GROUP = 0, LOCAL_LEADER = 1, GROUP_OF_COMM = 1 };
    const bool is_pair = form->identity == ST_IDENTITY_PAIR;
    if (!st_root.operations || (is_pair && form->collective >= 0)) {
        return;
    }
    bool locked = st_operations_lock();
    drop_calls(call);
    st_operations_unlock(locked);
    const bool has_comm = !is_pair && form->comm >= 0;
    /* Sessions outlive MPI_Finalize, MPI_COMM_WORLD does not. */
    const bool is_known = has_comm || st_root.state != ST_STATE_FINALIZED;
    const struct st_comm *comm =
        is_known ? st_comm_of_handle(has_comm ? values[form->comm] : st_numbers.comm_world) : NULL;
    struct st_gathered local;
    if (found || !comm || !comm->id || !(comm->flags & ST_COMM_KNOWN) ||
        comm->flags & ST_COMM_INTER ||
        !list_members(&local, values[has_comm ? GROUP_OF_COMM : GROUP], comm)) {
        return;
    }
    if (local.own >= 0) {
        uint64_t hash = st_hash_word(st_hash_word(LOCAL, has_comm ? comm->id : 0), form->identity);
        hash = hash_members(hash, &local);
        publish_group(form, call, st_comm_ids_tag(hash, form, values), LOCAL, &local);
    }
    if (is_pair && local.own >= 0 && (int64_t)values[LOCAL_LEADER] == local.own) {
        publish_leaders(form, call, values, comm, &local);
    }
    free_members(&local);
}
