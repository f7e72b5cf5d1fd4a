/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/partners.h"

#include "core/model/hash.h"
#include "runtime/objects/collectives.h"
#include "runtime/objects/comm_ids.h"
#include "runtime/objects/gatherings.h"
#include "runtime/ranks/collective.h"
#include "runtime/ranks/differs.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/places.h"
#include "runtime/record/root.h"
#include "runtime/wrap/constants.h"

enum {
    MOST_MEMBERS = 256, /* larger groups are not compared */
    REACH = 16          /* a rank compares with so many before it, and after it, in the group */
};

/* A call, and what it publishes for each partner. */
struct st_partner_call {
    struct st_differing differing;
    const struct st_comm *comm; /* the ranks are those of this communicator */
    struct st_collective told;
    bool leads; /* it is compared with the leader of another group */
};

/* Returns the number of the call among those with this partner; 0 if there is no memory. */
static uint64_t count_call(struct st_partner_call *made, uint64_t partner)
{
    const uint64_t own = st_gpid(st_root.world, st_root.world_rank);
    uint64_t id = st_hash_word(made->comm->id, st_ranks_node.job);
    id = st_hash_word(st_hash_word(id, made->told.function), made->leads);
    id = st_hash_word(id, own < partner ? own : partner);
    id = st_hash_word(id, own < partner ? partner : own);
    made->told.comm = id;
    return st_comm_ids_count(id);
}

/* `is_near`: the partner is compared; it is counted in any case. */
static void meet_partner(struct st_partner_call *made, int32_t rank, bool is_near)
{
    if (rank < 0 || rank == made->comm->rank) {
        return;
    }
    const uint64_t partner = st_comm_ids_member(&made->comm->group, rank);
    if (partner == ST_NO_GPID) {
        return;
    }
    bool locked = st_lock();
    made->told.number = count_call(made, partner);
    st_unlock(locked);
    /* Also where the partner is not of this node, as far as is known: it may still be in MPI_Init. */
    if (made->told.number && is_near) {
        st_collective_meet(&made->differing);
    }
}

/* --- MPI_Comm_create_group(comm, group, tag, new),
 *     MPI_Comm_create_from_group(group, stringtag, ...) ---------------------------------------- */

/* Lists the ranks of a group in a communicator. Returns how many; 0 if not known, or too many. */
static int list_group(uint64_t group, uint64_t comm, int places[MOST_MEMBERS])
{
    const int64_t size = st_gathering_group_size(group);
    if (size > MOST_MEMBERS) {
        return 0;
    }
    for (int first = 0; first < size; first += ST_MOST_TRANSLATED) {
        const int left = (int)size - first;
        if (!st_ask_places(group, first, left < ST_MOST_TRANSLATED ? left : ST_MOST_TRANSLATED,
                           comm, places + first)) {
            return 0;
        }
    }
    return size < 0 ? 0 : (int)size;
}

static bool is_near(int one, int other, int size)
{
    const int way = one < other ? other - one : one - other;
    return way <= REACH || size - way <= REACH;
}

/* Adds the ranks of a group to a hash. */
static uint64_t hash_places(uint64_t hash, const int places[MOST_MEMBERS], int size)
{
    hash = st_hash_word(hash, (uint64_t)size);
    for (int i = 0; i < size; i++) {
        hash = st_hash_word(hash, (uint64_t)places[i]);
    }
    return hash;
}

/* Compares `arguments` and a tag with those of the other members of the caller's group. */
static void compare_members(struct st_partner_call *made, const int places[MOST_MEMBERS], int size,
                            uint64_t arguments, int64_t tag)
{
    int own = -1;
    for (int i = 0; i < size; i++) {
        own = places[i] == made->comm->rank ? i : own;
    }
    if (own < 0) {
        st_collective_not_compared();
        return;
    }
    st_collective_counted();
    made->told.arguments = arguments;
    made->told.length = tag;
    made->told.flags = ST_COLLECTIVE_ARGUMENTS | ST_COLLECTIVE_TAG;
    for (int i = 0; i < size; i++) {
        meet_partner(made, places[i], is_near(i, own, size));
    }
}

static void compare_group(struct st_partner_call *made, uint64_t group, int64_t tag)
{
    int places[MOST_MEMBERS];
    const int size = list_group(group, made->comm->handle, places);
    compare_members(made, places, size, hash_places(1, places, size), tag);
}

/* --- MPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, new) ------- */

enum { LOCAL_COMM = 0, LOCAL_LEADER = 1, PEER_COMM = 2, REMOTE_LEADER = 3 };

static void compare_leaders(struct st_partner_call *made, uint64_t remote_leader, int64_t tag)
{
    made->told.length = tag;
    made->told.flags = ST_COLLECTIVE_TAG;
    meet_partner(made, (int32_t)remote_leader, true);
}

/* --- MPI_Intercomm_create_from_groups(local_group, local_leader, remote_group, remote_leader,
 *                                      stringtag, ...) ----------------------------------------- */

enum { LOCAL_GROUP = 0, REMOTE_GROUP = 2 };

/* The two groups are the same for both leaders, which look at them from either side. */
static __attribute__((noinline)) void
compare_pair(struct st_partner_call *made, const uint64_t *values, uint64_t local, int64_t tag)
{
    int places[MOST_MEMBERS];
    const int size = list_group(values[REMOTE_GROUP], made->comm->handle, places);
    const int64_t leader = (int64_t)values[REMOTE_LEADER];
    if (leader < 0 || leader >= size) {
        st_collective_not_compared();
        return;
    }
    made->told.arguments = local + hash_places(1, places, size);
    made->told.length = tag;
    made->told.flags = ST_COLLECTIVE_ARGUMENTS | ST_COLLECTIVE_TAG;
    made->leads = true;
    meet_partner(made, places[leader], true);
}

/* The remote group and its leader are significant at the local leader only. */
static void compare_groups(struct st_partner_call *made, const uint64_t *values, int64_t tag)
{
    int places[MOST_MEMBERS];
    const int size = list_group(values[LOCAL_GROUP], made->comm->handle, places);
    const int64_t leader = (int64_t)values[LOCAL_LEADER];
    const uint64_t local = hash_places(1, places, size);
    compare_members(made, places, size, st_hash_word(local, (uint64_t)leader), tag);
    if (leader >= 0 && leader < size && places[leader] == made->comm->rank) {
        compare_pair(made, values, local, tag);
    }
}

/* --- all of these functions ------------------------------------------------------------------ */

enum { NOTHING = -2, FROM_GROUP = -1 };

/* Returns the parameter whose ranks the partners are; FROM_GROUP: the call has none, they are those
 * of MPI_COMM_WORLD; NOTHING: nothing is compared. */
static int find_parameter(const struct st_form *form, const uint64_t *values)
{
    if (form->identity == ST_IDENTITY_MEMBERS) {
        return form->comm >= 0 ? form->comm : FROM_GROUP;
    }
    if (form->identity != ST_IDENTITY_PAIR) {
        return NOTHING;
    }
    if (form->collective < 0) {
        return FROM_GROUP;
    }
    const struct st_comm *local = st_comm_of_handle(values[LOCAL_COMM]);
    return local && (int64_t)values[LOCAL_LEADER] == local->rank ? PEER_COMM : NOTHING;
}

/* Returns the tag; for a text a number that is the same for the same text. */
static int64_t tag_of(const struct st_form *form, const uint64_t *values)
{
    return form->tag >= 0 ? (int64_t)values[form->tag]
                          : (int64_t)(st_comm_ids_tag(1, form, values) >> 1);
}

static void compare_call(struct st_partner_call *made)
{
    const struct st_form *form = made->differing.form;
    const uint64_t *values = made->differing.values;
    const int64_t tag = tag_of(form, values);
    if (form->identity == ST_IDENTITY_MEMBERS) {
        compare_group(made, values[form->comm >= 0 ? 1 : LOCAL_GROUP], tag);
    } else if (form->collective >= 0) {
        compare_leaders(made, values[REMOTE_LEADER], tag);
    } else {
        compare_groups(made, values, tag);
    }
}

void st_partners_compared(const struct st_form *form, const struct st_call *call,
                          const uint64_t *values, uint32_t found)
{
    if (!atomic_load_explicit(&st_collectives_on, memory_order_relaxed) || found) {
        return;
    }
    const int parameter = find_parameter(form, values);
    const uint64_t handle = parameter < 0 ? st_numbers.comm_world : values[parameter];
    const struct st_comm *comm = parameter == NOTHING ? NULL : st_comm_of_handle(handle);
    if (parameter == NOTHING || (comm && comm->group.size == 1)) {
        return;
    }
    if (!comm || !comm->id || !(comm->flags & ST_COMM_KNOWN) || comm->flags & ST_COMM_INTER ||
        atomic_load_explicit(&st_lock_armed, memory_order_relaxed)) {
        st_collective_not_compared();
        return;
    }
    if (st_ended_has(st_ranks_node.ended, st_hash_word(comm->id, st_ranks_node.job))) {
        return;
    }
    struct st_partner_call made = {
        .differing = {form, call, values, 0, parameter, true, &made.told},
        .comm = comm,
        .told = {.rank = st_ranks_node.rank,
                 .place = st_place_of_call(call),
                 .member = comm->rank,
                 .function = form->number,
                 .called = form->number}};
    compare_call(&made);
}
