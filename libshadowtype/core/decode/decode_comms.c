/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators, windows and files. */
#include "core/decode/decode_objects.h"

#include <stdlib.h>

#define MOST_RANK ((1 << ST_GPID_RANK_BITS) - 1)
#define MOST_DIMENSIONS 64

struct st_comm_search {
    struct st_registry *registry;
    struct st_communicator *comms;
    size_t count, room;
};

/* --- checks of what was read
 * ---------------------------------------------------------------------- */

static bool is_rank(int64_t rank)
{
    return rank >= 0 && rank <= MOST_RANK;
}

static bool is_sound_group(const struct st_comm_group *group)
{
    if (group->size < 0 || group->size > MOST_RANK + 1 || group->form > ST_GROUP_LISTED) {
        return false;
    }
    int64_t last = group->first + ((int64_t)group->size - 1) * group->stride;
    return group->form != ST_GROUP_STRIDED || !group->size ||
           (is_rank(group->first) && is_rank(last) && group->world >> 40 == 0);
}

static enum st_error check_comm(struct st_objects *objects, uint32_t number,
                                const struct st_comm *comm, struct st_fault *fault)
{
    (void)objects;
    if (comm->kind && comm->kind != ST_KIND_WIN && comm->kind != ST_KIND_FILE &&
        comm->kind != ST_KIND_GROUP) {
        return st_bad_root(fault, "kind", comm->kind);
    }
    if (comm->number != number) {
        return st_bad_root(fault, "number", comm->number);
    }
    if (!(comm->flags & ST_COMM_KNOWN)) {
        return ST_OK;
    }
    if (!is_sound_group(&comm->group) || !is_sound_group(&comm->remote)) {
        return st_bad_root(fault, "group", number);
    }
    return comm->rank < 0 || comm->rank >= comm->group.size
               ? st_bad_root(fault, "rank", (uint64_t)comm->rank)
               : ST_OK;
}

/* Clears members that are not valid yet (registry.h). */
static void drop_unknown(struct st_comm *comm)
{
    if (!(comm->flags & ST_COMM_KNOWN)) {
        comm->group = comm->remote = (struct st_comm_group){.size = -1};
        comm->rank = -1;
        comm->grid = 0;
    }
}

/* --- what a communicator points to --------------------------------------------------------------- */

static enum st_error read_block(struct st_objects *objects, const char *field, uint64_t address,
                                struct st_block *block, struct st_fault *fault)
{
    if (st_objects_read(objects, field, address, block, sizeof *block, fault)) {
        return fault->error;
    }
    return block->magic != ST_BLOCK_MAGIC ? st_bad_root(fault, field, address) : ST_OK;
}

/* Reads a block of `count` items in pieces, so that memory is limited by what was read. */
static enum st_error read_items(struct st_objects *objects, const char *field, uint64_t address,
                                size_t count, size_t size, void **items, struct st_fault *fault)
{
    struct st_block block;
    size_t room = 0, have = 0;
    if (read_block(objects, field, address, &block, fault)) {
        return fault->error;
    }
    if (block.bytes < count * size) {
        return st_bad_root(fault, field, address);
    }
    while (have < count) {
        if (st_objects_widen(objects, items, &room, size, field, address)) {
            return st_fail(fault, *objects->fault);
        }
        size_t more = (room < count ? room : count) - have;
        if (st_objects_read(objects, field, address + sizeof block + have * size,
                            (char *)*items + have * size, more * size, fault)) {
            return fault->error;
        }
        have += more;
    }
    return ST_OK;
}

/* Reads the gpids of a group that is LISTED. */
static enum st_error read_members(struct st_objects *objects, const struct st_comm_group *group,
                                  uint64_t **members, struct st_fault *fault)
{
    if (group->form != ST_GROUP_LISTED || !group->size) {
        return ST_OK;
    }
    return read_items(objects, "members", group->members, (size_t)group->size, sizeof **members,
                      (void **)members, fault);
}

/* Reads what the process of a window has done with the other processes. */
static enum st_error read_peers(struct st_objects *objects, const struct st_comm *comm,
                                struct st_win_peer **peers, struct st_fault *fault)
{
    const int32_t size = comm->group.size;
    if (comm->kind != ST_KIND_WIN || !comm->peers || size <= 0) {
        return ST_OK;
    }
    if (size > ST_MOST_WIN_PEERS) {
        return st_bad_root(fault, "peers", comm->peers);
    }
    return read_items(objects, "peers", comm->peers, (size_t)size, sizeof **peers, (void **)peers,
                      fault);
}

static bool is_sound_grid(const struct st_dimension *grid, size_t dimensions)
{
    for (size_t i = 0; i < dimensions; i++) {
        if (grid[i].processes < 1 || grid[i].here < 0 || grid[i].here >= grid[i].processes) {
            return false;
        }
    }
    return true;
}

/* Reads the dimensions of a Cartesian communicator. */
static enum st_error read_grid(struct st_objects *objects, struct st_communicator *one,
                               struct st_fault *fault)
{
    const uint64_t address = one->comm.grid;
    struct st_block block;
    if (one->comm.kind || !address) {
        return ST_OK;
    }
    if (read_block(objects, "grid", address, &block, fault)) {
        return fault->error;
    }
    if (!block.bytes || block.bytes % sizeof *one->grid ||
        block.bytes / sizeof *one->grid > MOST_DIMENSIONS) {
        return st_bad_root(fault, "grid", address);
    }
    one->dimensions = block.bytes / sizeof *one->grid;
    if (read_items(objects, "grid", address, one->dimensions, sizeof *one->grid,
                   (void **)&one->grid, fault)) {
        return fault->error;
    }
    return is_sound_grid(one->grid, one->dimensions) ? ST_OK : st_bad_root(fault, "grid", address);
}

/* Reads how often the freed persistent collective calls were started. */
static enum st_error read_freed(struct st_objects *objects, struct st_communicator *one,
                                struct st_fault *fault)
{
    if (!one->comm.freed) {
        return ST_OK;
    }
    return read_items(objects, "freed", one->comm.freed, ST_MOST_FREED_CALLS, sizeof *one->freed,
                      (void **)&one->freed, fault);
}

/* Reads all that a communicator points to. */
static enum st_error complete_comm(struct st_objects *objects, struct st_registry *registry,
                                   struct st_communicator *one, struct st_fault *fault)
{
    enum st_error error = st_objects_function(objects, one->comm.function, one->function, fault);
    error =
        error ? error : st_registry_name(registry, ST_NO_NODE, one->comm.name, &one->name, fault);
    error = error ? error : read_members(objects, &one->comm.group, &one->members[0], fault);
    error = error ? error : read_members(objects, &one->comm.remote, &one->members[1], fault);
    error = error ? error : read_peers(objects, &one->comm, &one->peers, fault);
    error = error ? error : read_grid(objects, one, fault);
    error = error ? error : read_freed(objects, one, fault);
    if (error) {
        st_communicator_deinit(one);
    }
    return error;
}

void st_communicator_deinit(struct st_communicator *comm)
{
    free(comm->name);
    free(comm->members[0]);
    free(comm->members[1]);
    free(comm->peers);
    free(comm->grid);
    free(comm->freed);
    *comm = (struct st_communicator){0};
}

void st_communicators_free(struct st_communicator *comms, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        st_communicator_deinit(&comms[i]);
    }
    free(comms);
}

uint64_t st_communicator_member(const struct st_communicator *comm, bool remote, int64_t rank)
{
    const struct st_comm_group *group = remote ? &comm->comm.remote : &comm->comm.group;
    if (rank < 0 || rank >= group->size) {
        return ST_NO_GPID;
    }
    switch (group->form) {
    case ST_GROUP_STRIDED:
        return st_gpid(group->world, (int32_t)(group->first + rank * group->stride));
    case ST_GROUP_LISTED:
        return comm->members[remote][rank];
    default:
        return ST_NO_GPID;
    }
}

/* --- one, and all ------------------------------------------------------------------------------------ */

static enum st_error visit_comms(struct st_objects *objects, st_visit_item *visit, void *context,
                                 struct st_damage *damage)
{
    const struct st_item_array comms = {.field = "comm_chunks",
                                        .items = "comms",
                                        .directory = objects->head.comm_chunks,
                                        .per_chunk = objects->head.comms_per_chunk,
                                        .used = objects->head.comms_used,
                                        .size = sizeof(struct st_comm)};
    return st_objects_visit(objects, &comms, visit, context, damage);
}

/* Keeps the newest one, because several may have the handle. */
static enum st_error choose_comm(struct st_objects *objects, uint32_t number, const void *item,
                                 void *context, struct st_damage *damage)
{
    const struct st_comm *comm = item;
    struct st_comm *found = context;
    struct st_fault fault = {0};
    if (comm->handle != found->handle || comm->kind != found->kind ||
        comm->serial <= found->serial) {
        return ST_OK;
    }
    if (check_comm(objects, number, comm, &fault)) {
        return st_fail(objects->fault, fault);
    }
    (void)damage;
    *found = *comm;
    return ST_OK;
}

enum st_error st_registry_comm(struct st_registry *registry, enum st_kind kind, uint64_t handle,
                               struct st_communicator *comm, struct st_fault *fault)
{
    struct st_fault scratch;
    struct st_damage damage = {0};
    struct st_objects objects;
    *comm = (struct st_communicator){
        .comm = {.handle = handle, .kind = kind == ST_KIND_COMM ? 0 : (uint8_t)kind}};
    if (!registry->root.operations) {
        return ST_OK;
    }
    enum st_error error = st_objects_open(&objects, registry, fault ? fault : &scratch);
    error = error ? error : visit_comms(&objects, choose_comm, &comm->comm, &damage);
    if (!error && !comm->comm.serial && damage.fault.error) {
        error = st_fail(objects.fault, damage.fault);
    }
    drop_unknown(&comm->comm);
    if (!error && comm->comm.serial) {
        error = complete_comm(&objects, registry, comm, objects.fault);
    }
    st_objects_close(&objects);
    return error;
}

/* Adds a communicator. Damage is not fatal: it is counted, and the first fault is kept. */
static enum st_error add_comm(struct st_objects *objects, uint32_t number, const void *item,
                              void *context, struct st_damage *damage)
{
    struct st_comm_search *search = context;
    struct st_communicator one = {.comm = *(const struct st_comm *)item};
    struct st_fault fault = {0};
    damage->all++;
    if (!check_comm(objects, number, &one.comm, &fault)) {
        drop_unknown(&one.comm);
        complete_comm(objects, search->registry, &one, &fault);
    }
    if (st_is_final(&fault)) {
        return st_fail(objects->fault, fault);
    }
    if (fault.error) {
        damage->fault = damage->fault.error ? damage->fault : fault;
        return ST_OK;
    }
    if (search->count == search->room &&
        st_objects_widen(objects, (void **)&search->comms, &search->room, sizeof one, "comms_used",
                         objects->head.comms_used)) {
        st_communicator_deinit(&one);
        return objects->fault->error;
    }
    damage->read++;
    search->comms[search->count++] = one;
    return ST_OK;
}

static int by_serial(const void *a, const void *b)
{
    uint64_t x = ((const struct st_communicator *)a)->comm.serial;
    uint64_t y = ((const struct st_communicator *)b)->comm.serial;
    return (x > y) - (x < y);
}

enum st_error st_registry_comms(struct st_registry *registry, struct st_communicator **comms,
                                size_t *count, struct st_damage *damage, struct st_fault *fault)
{
    struct st_comm_search search = {.registry = registry};
    *comms = NULL;
    *count = 0;
    enum st_error error =
        st_objects_gather(registry, visit_comms, add_comm, &search, damage, fault);
    if (error) {
        st_communicators_free(search.comms, search.count);
        return error;
    }
    if (search.count) {
        qsort(search.comms, search.count, sizeof *search.comms, by_serial);
    }
    *comms = search.comms;
    *count = search.count;
    return ST_OK;
}
