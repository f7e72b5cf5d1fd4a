/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/comms.h"

#include <string.h>

#include "runtime/objects/collectives.h"
#include "runtime/objects/operations.h"
#include "runtime/record/blocks.h"
#include "runtime/record/change.h"
#include "runtime/record/publish.h"

/* Chunks are never moved or unmapped: a communicator's number stays its position. */
enum { LOG2_CHUNK = 8, MOST_CHUNKS = 1 << 12 };

static uint64_t chunks[MOST_CHUNKS]; /* addresses */
static uint32_t free_list;           /* number + 1 */

static struct st_comm *comm_at(uint32_t number)
{
    struct st_comm *chunk = st_pointer(chunks[number >> LOG2_CHUNK]);
    return &chunk[number & ((1u << LOG2_CHUNK) - 1)];
}

/* --- by handle, without the lock (collectives.h) ---------------------------------------------------- */

_Atomic(struct st_comm *) st_comms_near[1 << ST_LOG2_NEAR];

static void put_near(struct st_comm *comm)
{
    atomic_store_explicit(st_comm_near(comm->handle), comm, memory_order_release);
}

static void drop_near(struct st_comm *comm)
{
    _Atomic(struct st_comm *) *near = st_comm_near(comm->handle);
    if (atomic_load_explicit(near, memory_order_relaxed) == comm) {
        atomic_store_explicit(near, NULL, memory_order_release);
    }
}

struct st_comm *st_comm_find_near(uint64_t handle)
{
    if (!st_root.operations) {
        return NULL;
    }
    static const enum st_kind kinds[] = {ST_KIND_COMM, ST_KIND_WIN, ST_KIND_FILE};
    const struct st_record *record = NULL;
    bool locked = st_lock();
    for (size_t i = 0; !record && i < sizeof kinds / sizeof *kinds; i++) {
        record = st_records_find(kinds[i], handle, 0);
    }
    struct st_comm *comm = record ? st_comms_of(record) : NULL;
    if (comm) {
        put_near(comm);
    }
    st_unlock(locked);
    return comm;
}

uint32_t st_collective_order(uint64_t handle)
{
    const struct st_record *record = st_records_find(ST_KIND_COMM, handle, 0);
    const struct st_comm *comm = record ? st_comms_of(record) : NULL;
    return comm ? (uint32_t)comm->collectives : 0;
}

/* --- made and removed ----------------------------------------------------------------------------- */

static bool add_comm_chunk(uint32_t chunk)
{
    void *comms = st_map(sizeof(struct st_comm) << LOG2_CHUNK);
    if (!comms) {
        return false;
    }
    st_operations.comm_chunks = st_address(chunks);
    st_operations.comms_per_chunk = 1u << LOG2_CHUNK;
    st_publish64(&chunks[chunk], st_address(comms));
    st_publish32(&st_operations.comm_chunk_count, chunk + 1);
    return true;
}

static struct st_comm *take_comm(void)
{
    uint32_t number = free_list - 1;
    if (free_list) {
        free_list = comm_at(number)->next;
        return comm_at(number);
    }
    number = st_operations.comms_used;
    uint32_t chunk = number >> LOG2_CHUNK;
    if (chunk == MOST_CHUNKS || (!chunks[chunk] && !add_comm_chunk(chunk))) {
        return NULL;
    }
    comm_at(number)->number = number;
    st_publish32(&st_operations.comms_used, number + 1);
    return comm_at(number);
}

/* The initial value: no call has begun or ended an epoch. */
#define NO_CALL {.site = ST_NO_SITE}
static const struct st_win_epochs no_epochs = {.fence = NO_CALL,
                                               .used = NO_CALL,
                                               .access = NO_CALL,
                                               .exposure = NO_CALL,
                                               .access_end = NO_CALL,
                                               .exposure_end = NO_CALL};

/* The serial is stored last: a debugger may look at any instruction. */
static void add_comm(struct st_record *record)
{
    struct st_comm *comm = take_comm();
    if (!comm) {
        return;
    }
    *comm = (struct st_comm){.handle = record->handle,
                             .rank = -1,
                             .site = record->site,
                             .number = comm->number,
                             .kind = record->kind == ST_KIND_COMM ? 0 : record->kind,
                             .function = record->function,
                             .epochs = no_epochs};
    st_publish64(&comm->serial, record->serial);
    st_publish64(&record->comm, st_address(comm));
    put_near(comm);
}

static bool has_comm(const struct st_record *record)
{
    return record->kind == ST_KIND_COMM || record->kind == ST_KIND_WIN ||
           record->kind == ST_KIND_FILE;
}

struct st_record *st_handles_add(const struct st_record *like)
{
    struct st_record *record = st_records_add(like);
    if (record && has_comm(record)) {
        add_comm(record);
    }
    return record;
}

struct st_comm *st_comms_of(const struct st_record *record)
{
    return has_comm(record) ? st_pointer(record->comm) : NULL;
}

static void give_block(uint64_t *where)
{
    struct st_block *block = st_pointer(*where);
    if (!block) {
        return;
    }
    st_change_enter();
    st_publish64(where, 0);
    st_withdrawn();
    st_block_give(block);
    st_change_leave();
}

static void remove_comm(struct st_comm *comm)
{
    drop_near(comm);
    st_publish64(&comm->serial, 0);
    st_withdrawn();
    give_block(&comm->name);
    give_block(&comm->group.members);
    give_block(&comm->remote.members);
    give_block(&comm->peers);
    give_block(&comm->grid);
    give_block(&comm->freed);
    comm->next = free_list;
    free_list = comm->number + 1;
}

void st_handles_remove(struct st_record *record)
{
    if (!record->serial) {
        return;
    }
    struct st_comm *comm = st_comms_of(record);
    if (comm) {
        st_publish64(&record->comm, 0);
        remove_comm(comm);
    }
    st_records_remove(record);
}

/* Stores the members of a group without a constant stride in a block. */
static struct st_comm_group keep_group(const struct st_comm_members *members)
{
    struct st_comm_group group = members->group;
    if (group.form != ST_GROUP_LISTED) {
        return group;
    }
    size_t bytes = (size_t)group.size * sizeof(uint64_t);
    st_change_enter();
    struct st_block *block = st_block_take(bytes);
    if (block) {
        memcpy(st_block_data(block), members->list, bytes);
    }
    st_change_leave();
    group.members = st_address(block);
    group.form = block ? ST_GROUP_LISTED : ST_GROUP_UNKNOWN;
    return group;
}

void st_comms_learn(struct st_comm *comm, const struct st_comm_facts *facts,
                    const struct st_comm_members *group, const struct st_comm_members *remote)
{
    if (comm->flags & ST_COMM_KNOWN) {
        return;
    }
    comm->rank = facts->rank;
    comm->group = keep_group(group);
    comm->remote = keep_group(remote);
    uint8_t inter = facts->inter ? ST_COMM_INTER : 0;
    st_publish8(&comm->flags, (uint8_t)(comm->flags | ST_COMM_KNOWN | inter));
}

static struct st_freed_call *freed_calls(struct st_comm *comm)
{
    const size_t bytes = ST_MOST_FREED_CALLS * sizeof(struct st_freed_call);
    struct st_block *block = st_pointer(comm->freed);
    if (!block) {
        st_change_enter();
        block = st_block_take(bytes);
        if (block) {
            memset(st_block_data(block), 0, bytes);
            st_publish64(&comm->freed, st_address(block));
        }
        st_change_leave();
    }
    return block ? st_block_data(block) : NULL;
}

void st_comms_note_freed(struct st_comm *comm, const struct st_record *record)
{
    struct st_freed_call *calls = record->order ? freed_calls(comm) : NULL;
    if (calls) {
        struct st_freed_call call = {.order = record->order, .starts = record->starts};
        uint64_t word;
        memcpy(&word, &call, sizeof word);
        st_publish64((uint64_t *)(void *)&calls[record->order % ST_MOST_FREED_CALLS], word);
    }
}

void st_comms_learn_grid(struct st_comm *comm, const struct st_dimension *grid, size_t count)
{
    if (comm->flags & ST_COMM_KNOWN || comm->grid || !count) {
        return;
    }
    const size_t bytes = count * sizeof *grid;
    st_change_enter();
    struct st_block *block = st_block_take(bytes);
    if (block) {
        memcpy(st_block_data(block), grid, bytes);
        st_publish64(&comm->grid, st_address(block));
    }
    st_change_leave();
}

void st_comms_learn_space(struct st_comm *window, const struct st_win_space *space)
{
    window->space.base = space->base;
    window->space.bytes = space->bytes;
    st_publish32(&window->space.unit, space->unit);
}

/* The form is published last, when what it describes is there. */
static void put_group(struct st_comm_group *group, const struct st_comm_members *members)
{
    if (group->form != ST_GROUP_UNKNOWN || members->group.form == ST_GROUP_UNKNOWN) {
        return;
    }
    struct st_comm_group kept = keep_group(members);
    const uint32_t form = kept.form;
    kept.form = ST_GROUP_UNKNOWN;
    *group = kept;
    st_publish32(&group->form, form);
}

void st_comms_learn_group(struct st_comm *comm, const struct st_comm_members *group)
{
    put_group(&comm->group, group);
}

void st_comms_learn_remote(struct st_comm *comm, const struct st_comm_members *remote)
{
    put_group(&comm->remote, remote);
}

struct st_comm *st_comms_add_gathering(const struct st_gathering *like,
                                       const struct st_comm_members *members)
{
    struct st_comm *comm = take_comm();
    if (!comm) {
        return NULL;
    }
    *comm = (struct st_comm){.handle = like->handle,
                             .id = like->id,
                             .collectives = like->count,
                             .group = keep_group(members),
                             .rank = like->rank,
                             .site = ST_NO_SITE,
                             .number = comm->number,
                             .function = like->function,
                             .flags = ST_COMM_KNOWN,
                             .kind = ST_KIND_GROUP,
                             .epochs = no_epochs};
    st_publish64(&comm->serial, like->serial);
    return comm;
}

void st_comms_drop_gathering(struct st_comm *gathering)
{
    remove_comm(gathering);
}

static struct st_comm_group copy_group(const struct st_comm_group *group)
{
    const struct st_block *block = st_pointer(group->members);
    struct st_comm_members members = {.group = *group};
    if (group->form == ST_GROUP_LISTED && block) {
        members.list = (uint64_t *)st_block_data((struct st_block *)(uintptr_t)block);
    }
    return keep_group(&members);
}

static void copy_grid(struct st_comm *comm, const struct st_comm *parent)
{
    struct st_block *block = st_pointer(parent->grid);
    if (block && !comm->kind) {
        st_comms_learn_grid(comm, st_block_data(block), block->bytes / sizeof(struct st_dimension));
    }
}

void st_comms_inherit(struct st_comm *comm, const struct st_comm *parent)
{
    if (!(parent->flags & ST_COMM_KNOWN) || comm->flags & ST_COMM_KNOWN) {
        return;
    }
    copy_grid(comm, parent);
    comm->rank = parent->rank;
    comm->group = copy_group(&parent->group);
    comm->remote = copy_group(&parent->remote);
    st_publish8(&comm->flags, parent->flags);
}

bool st_comms_facts(const struct st_comm *comm, struct st_comm_facts *facts)
{
    if (!comm || !(comm->flags & ST_COMM_KNOWN)) {
        return false;
    }
    bool inter = comm->flags & ST_COMM_INTER;
    *facts = (struct st_comm_facts){
        .size = inter ? comm->remote.size : comm->group.size, .rank = comm->rank, .inter = inter};
    return true;
}

void st_comms_call(struct st_comm *comm, const char *name, size_t bytes)
{
    st_change_enter();
    struct st_block *block = bytes ? st_block_take(bytes) : NULL;
    struct st_block *old = st_pointer(comm->name);
    if (block) {
        memcpy(st_block_data(block), name, bytes);
    }
    if (block || !bytes) {
        st_publish64(&comm->name, st_address(block));
        st_withdrawn();
        st_block_give(old);
    }
    st_change_leave();
}

bool st_collective_joins(const struct st_form *form)
{
    return form->identity == ST_IDENTITY_NONE &&
           form->parameters[form->collective].kind == ST_KIND_COMM &&
           strncmp(form->name, "MPI_Neighbor", strlen("MPI_Neighbor")) != 0 &&
           strncmp(form->name, "MPI_Ineighbor", strlen("MPI_Ineighbor")) != 0;
}
