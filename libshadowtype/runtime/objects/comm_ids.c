/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/comm_ids.h"

#include "core/model/hash.h"
#include "runtime/record/publish.h"
#include "runtime/record/root.h"
#include "runtime/wrap/constants.h"

/* Is hashed first, so that ids of two kinds never collide. */
enum { OF_WORLD = 1, OF_SELF, OF_CHILD, OF_MEMBERS, OF_PAIR, OF_PLACE, OF_SPAWNED, OF_MET };

static void enter_id(struct st_comm *comm, uint64_t id)
{
    st_publish64(&comm->id, id ? id : 1);
}

uint64_t st_comm_id_of_world(void)
{
    const uint64_t id = st_root.world ? st_hash_word(OF_WORLD, st_root.world) : 0;
    return id || !st_root.world ? id : 1;
}

void st_comm_ids_predefined(struct st_comm *comm)
{
    if (!st_root.world) {
        return;
    }
    if (comm->handle == st_numbers.comm_world) {
        enter_id(comm, st_comm_id_of_world());
    } else {
        enter_id(comm,
                 st_hash_word(st_hash_word(OF_SELF, st_root.world), (uint32_t)st_root.world_rank));
    }
}

/* --- processes
 * -------------------------------------------------------------------------------------
 */

uint64_t st_comm_ids_member(const struct st_comm_group *group, int32_t rank)
{
    if (rank >= group->size) {
        return ST_NO_GPID;
    }
    if (group->form == ST_GROUP_STRIDED && group->world) {
        return st_gpid(group->world, group->first + rank * group->stride);
    }
    if (group->form != ST_GROUP_LISTED) {
        return ST_NO_GPID;
    }
    const struct st_block *block = st_pointer(group->members);
    return ((const uint64_t *)(block + 1))[rank];
}

bool st_comm_ids_list(const struct st_comm *comm, bool remote, struct st_known_group *group)
{
    const struct st_comm_group *kept = remote ? &comm->remote : &comm->group;
    if (!(comm->flags & ST_COMM_KNOWN) || kept->form == ST_GROUP_UNKNOWN || kept->size < 1) {
        return false;
    }
    *group = (struct st_known_group){.comm = comm->handle, .remote = remote, .size = kept->size};
    group->gpids = st_map((size_t)kept->size * sizeof *group->gpids);
    for (int32_t i = 0; group->gpids && i < kept->size; i++) {
        group->gpids[i] = st_comm_ids_member(kept, i);
    }
    return group->gpids;
}

/* Returns the first process; for an intercommunicator the lower one of the first processes of its
 * two groups. */
static uint64_t leader_of(const struct st_comm *comm)
{
    uint64_t leader = st_comm_ids_member(&comm->group, 0);
    uint64_t other = comm->flags & ST_COMM_INTER ? st_comm_ids_member(&comm->remote, 0) : leader;
    if (leader == ST_NO_GPID || other == ST_NO_GPID) {
        return ST_NO_GPID;
    }
    return leader < other ? leader : other;
}

static uint64_t hash_group(uint64_t hash, const struct st_comm_group *group)
{
    hash = st_hash_word(hash, (uint32_t)group->size);
    for (int32_t i = 0; i < group->size; i++) {
        hash = st_hash_word(hash, st_comm_ids_member(group, i));
    }
    return hash;
}

/* --- how often
 * --------------------------------------------------------------------------------------
 */

struct st_repeat {
    uint64_t key; /* 0: the slot is empty */
    uint64_t count;
};
enum { LOG2_FIRST_REPEATS = 8 };
static struct st_repeat *repeats;
static uint32_t log2_repeats, repeats_used;

static struct st_repeat *repeat_of(struct st_repeat *table, uint32_t log2, uint64_t key)
{
    uint64_t i = key >> (64 - log2);
    while (table[i].key && table[i].key != key) {
        i = (i + 1) & ((UINT64_C(1) << log2) - 1);
    }
    return &table[i];
}

static bool grow_repeats(void)
{
    uint32_t log2 = repeats ? log2_repeats + 1 : LOG2_FIRST_REPEATS;
    struct st_repeat *larger = st_map(sizeof *larger << log2);
    if (!larger) {
        return false;
    }
    for (size_t i = 0; repeats && i < (size_t)1 << log2_repeats; i++) {
        if (repeats[i].key) {
            *repeat_of(larger, log2, repeats[i].key) = repeats[i];
        }
    }
    if (repeats) {
        st_unmap(repeats, sizeof *repeats << log2_repeats);
    }
    repeats = larger;
    log2_repeats = log2;
    return true;
}

uint64_t st_comm_ids_count(uint64_t key)
{
    key = key ? key : 1;
    if ((!repeats || repeats_used >= (UINT32_C(1) << log2_repeats) / 2) && !grow_repeats()) {
        return 0;
    }
    struct st_repeat *repeat = repeat_of(repeats, log2_repeats, key);
    if (!repeat->key) {
        repeats_used++;
    }
    repeat->key = key;
    return ++repeat->count;
}

static void enter_repeated(struct st_comm *comm, uint64_t key)
{
    uint64_t count = st_comm_ids_count(key);
    if (count) {
        enter_id(comm, st_hash_word(key, count));
    }
}

/* --- a call
 * ---------------------------------------------------------------------------------------------
 */

static const struct st_comm *parent_of(const struct st_facts *facts, int number)
{
    const struct st_record *record =
        number < 0 ? NULL : st_records_find(ST_KIND_COMM, facts->values[number], 0);
    return record ? st_comms_of(record) : NULL;
}

uint64_t st_comm_ids_tag(uint64_t hash, const struct st_form *form, const uint64_t *values)
{
    if (form->tag >= 0) {
        return st_hash_word(hash, values[form->tag]);
    }
    for (int i = 0; i < form->parameter_count; i++) {
        if (form->parameters[i].role == ST_ROLE_MUST) {
            return values[i] ? st_hash_text(hash, st_pointer(values[i])) : hash;
        }
    }
    return hash;
}

static uint64_t hash_tag(uint64_t hash, const struct st_facts *facts)
{
    return st_comm_ids_tag(hash, facts->form, facts->values);
}

static void identify_child(const struct st_facts *facts, struct st_comm *comm)
{
    const struct st_comm *parent = parent_of(facts, facts->form->collective);
    if (!parent || !parent->id) {
        return;
    }
    st_comms_inherit(comm, parent); /* made by MPI_Comm_idup: MPI was not asked */
    uint64_t leader = leader_of(comm);
    uint64_t hash = st_hash_word(st_hash_word(OF_CHILD, parent->id), parent->collectives);
    if (leader != ST_NO_GPID) {
        enter_id(comm, st_hash_word(hash, leader));
    }
}

static void identify_members(const struct st_facts *facts, struct st_comm *comm)
{
    const struct st_comm *parent = parent_of(facts, facts->form->comm);
    uint64_t id = parent ? parent->id : 0;
    if (leader_of(comm) == ST_NO_GPID || (facts->form->comm >= 0 && !id)) {
        return;
    }
    enter_repeated(comm, hash_tag(hash_group(st_hash_word(OF_MEMBERS, id), &comm->group), facts));
}

/* The two groups, in the same order in both of them. Returns 0 if one is not known. */
static uint64_t hash_groups(uint64_t hash, const struct st_comm *comm)
{
    uint64_t here = st_comm_ids_member(&comm->group, 0),
             there = st_comm_ids_member(&comm->remote, 0);
    if (here == ST_NO_GPID || there == ST_NO_GPID) {
        return 0;
    }
    hash = hash_group(hash, here < there ? &comm->group : &comm->remote);
    return hash_group(hash, here < there ? &comm->remote : &comm->group);
}

static void identify_pair(const struct st_facts *facts, struct st_comm *comm)
{
    const uint64_t hash = hash_groups(OF_PAIR, comm);
    if (hash) {
        enter_repeated(comm, hash_tag(hash, facts));
    }
}

/* By MPI_Comm_accept and MPI_Comm_connect, or MPI_Comm_join. The name of the port is known at the roots alone; two groups
 * meet in the same order in both of them, whatever the ports. */
static void identify_met(struct st_comm *comm)
{
    const uint64_t hash = hash_groups(OF_MET, comm);
    if (hash) {
        enter_repeated(comm, hash);
    }
}

/* --- other worlds --------------------------------------------------------------------------- */

bool st_comm_ids_spawned(const struct st_comm *parent, struct st_spawned *spawned)
{
    if (!parent->id) {
        return false;
    }
    const uint64_t hash = st_hash_word(st_hash_word(OF_SPAWNED, parent->id), parent->collectives);
    const uint64_t world = st_hash_word(hash, OF_WORLD) >> ST_GPID_RANK_BITS;
    *spawned = (struct st_spawned){.world = world ? world : 1, .id = hash ? hash : 1};
    return true;
}

/* Rank i of the remote group is rank i of the children's world. */
static void identify_children(const struct st_facts *facts, struct st_comm *comm)
{
    const struct st_comm *parent = parent_of(facts, facts->form->collective);
    struct st_spawned spawned;
    if (!parent || !st_comm_ids_spawned(parent, &spawned)) {
        return;
    }
    struct st_comm_members children = {.group = {.world = spawned.world,
                                                 .size = comm->remote.size,
                                                 .stride = 1,
                                                 .form = ST_GROUP_STRIDED}};
    st_comms_learn_remote(comm, &children);
    enter_id(comm, spawned.id);
}

static void identify_parents(struct st_comm *comm)
{
    struct st_spawned spawned;
    struct st_comm_members parents;
    const int32_t count = comm->remote.size;
    const size_t bytes = (size_t)(count > 0 ? count : 1) * sizeof(uint64_t);
    if (comm->id || !st_spawned_read(&spawned)) {
        return;
    }
    uint64_t *gpids = st_map(bytes);
    if (gpids && count > 0 && st_spawned_parents(gpids, count) == count &&
        st_members_list(gpids, count, &parents)) {
        st_comms_learn_remote(comm, &parents);
        st_members_free(&parents);
    }
    if (gpids) {
        st_unmap(gpids, bytes);
    }
    enter_id(comm, spawned.id);
}

void st_comm_ids_place(const struct st_facts *facts, struct st_comm *place)
{
    const struct st_comm *parent = parent_of(facts, facts->form->collective);
    if (!parent) {
        return;
    }
    st_comms_inherit(place, parent);
    if (parent->id) {
        enter_id(place, st_hash_word(st_hash_word(st_hash_word(OF_PLACE, place->kind), parent->id),
                                     parent->collectives));
    }
}

void st_comm_ids_made(const struct st_facts *facts, struct st_comm *comm)
{
    switch (facts->form->identity) {
    case ST_IDENTITY_CHILD:
        identify_child(facts, comm);
        break;
    case ST_IDENTITY_MEMBERS:
        identify_members(facts, comm);
        break;
    case ST_IDENTITY_PAIR:
        identify_pair(facts, comm);
        break;
    case ST_IDENTITY_MET:
        identify_met(comm);
        break;
    case ST_IDENTITY_SPAWNED:
        identify_children(facts, comm);
        break;
    case ST_IDENTITY_PARENT:
        identify_parents(comm);
        break;
    default:
        break;
    }
}
