/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the root. Everything else is checked against it. */
#include "core/decode/decode_internal.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* No valid registry exceeds this. */
#define MOST_CHUNKS (1u << 20)
#define MOST_PER_CHUNK (1u << 20)
#define MOST_RING (1u << 16)
#define MOST_FRAMES 64u

static enum st_error check_root(const struct st_root *root, uint64_t address,
                                struct st_fault *fault)
{
    if (memcmp(root->magic, ST_MAGIC, sizeof root->magic) != 0) {
        return st_fail(fault, (struct st_fault){.error = ST_NOT_A_REGISTRY, .address = address});
    }
    if (root->byte_order != ST_BYTE_ORDER) {
        return st_fail(fault, (struct st_fault){.error = ST_OTHER_BYTE_ORDER});
    }
    if (root->layout != ST_LAYOUT_VERSION) {
        return st_fail(fault, (struct st_fault){.error = ST_OTHER_LAYOUT, .value = root->layout});
    }
    const struct {
        bool bad;
        const char *field;
        uint64_t value;
    } checks[] = {
#define CHECK(field, good) {!(good), #field, (uint64_t)root->field}
        CHECK(root_bytes, root->root_bytes == sizeof(struct st_root)),
        CHECK(node_bytes, root->node_bytes == sizeof(struct st_node)),
        CHECK(pointer_bytes, root->pointer_bytes == 4 || root->pointer_bytes == 8),
        CHECK(mpi, root->mpi == ST_MPI_MPICH || root->mpi == ST_MPI_OPENMPI),
        CHECK(handle_bytes,
              root->handle_bytes == (root->mpi == ST_MPI_MPICH ? 4 : root->pointer_bytes)),
        CHECK(state, root->state <= ST_STATE_FINALIZED),
        CHECK(world_rank, root->world_size < 0 || root->world_rank < root->world_size),
        CHECK(table, root->table % alignof(struct st_table) == 0),
        CHECK(node_chunks, root->node_chunks % alignof(uint64_t) == 0),
        CHECK(node_chunk_count, root->node_chunk_count <= MOST_CHUNKS),
        CHECK(nodes_per_chunk,
              !root->node_chunk_count ||
                  (root->nodes_per_chunk && root->nodes_per_chunk <= MOST_PER_CHUNK)),
        CHECK(nodes_used,
              root->nodes_used <= (uint64_t)root->node_chunk_count * root->nodes_per_chunk),
        CHECK(site_chunks, root->site_chunks % alignof(uint64_t) == 0),
        CHECK(site_chunk_count, root->site_chunk_count <= MOST_CHUNKS),
        CHECK(sites_per_chunk,
              !root->site_chunk_count ||
                  (root->sites_per_chunk && root->sites_per_chunk <= MOST_PER_CHUNK)),
        CHECK(sites_used,
              root->sites_used <= (uint64_t)root->site_chunk_count * root->sites_per_chunk),
        CHECK(site_frames,
              !root->sites_used || (root->site_frames && root->site_frames <= MOST_FRAMES)),
        CHECK(ring, root->ring % alignof(uint32_t) == 0),
        CHECK(ring_slots, root->ring_slots <= MOST_RING),
        CHECK(operations, root->operations % alignof(struct st_operations) == 0),
        CHECK(ring_next, !root->ring_slots || root->ring_next < root->ring_slots),
#undef CHECK
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (checks[i].bad) {
            return st_bad_root(fault, checks[i].field, checks[i].value);
        }
    }
    return ST_OK;
}

/* Clears members that were written but are not valid yet (registry.h). */
static void drop_halves(struct st_root *root)
{
    if (root->world_rank < 0) {
        root->world_size = -1;
    }
    if (root->state == ST_STATE_LOADED) {
        memset(root->mpi_version, 0, sizeof root->mpi_version);
    }
}

/* Reads the root without the cache, because the root shows whether the cache is stale. */
static enum st_error read_root(struct st_registry *registry, struct st_root *root,
                               struct st_fault *fault)
{
    enum st_read_result result =
        registry->memory.read(registry->address, root, sizeof(*root), registry->memory.context);
    if (result == ST_READ_OK) {
        drop_halves(root);
        return check_root(root, registry->address, fault);
    }
    return st_fail(fault, (struct st_fault){.error = result == ST_READ_INTERRUPTED ? ST_INTERRUPTED
                                                                                   : ST_UNREADABLE,
                                            .address = registry->address,
                                            .value = sizeof(*root),
                                            .field = "root",
                                            .node = ST_NO_NODE});
}

enum st_error st_registry_open(struct st_registry **out, st_read_fn read, void *context,
                               uint64_t address, struct st_fault *fault)
{
    struct st_registry *registry = calloc(1, sizeof(*registry));
    if (!registry) {
        return st_no_memory(fault);
    }
    registry->address = address;
    st_memory_init(&registry->memory, read, context);
    registry->lasting = st_lasting_new();
    registry->types = st_types_new(registry->lasting);
    enum st_error error =
        registry->types ? read_root(registry, &registry->root, fault) : st_no_memory(fault);
    if (error) {
        st_registry_close(registry);
        return error;
    }
    *out = registry;
    return ST_OK;
}

void st_registry_close(struct st_registry *registry)
{
    if (registry) {
        st_types_release(registry->types);
        st_lasting_release(registry->lasting);
        st_memory_deinit(&registry->memory);
        free(registry);
    }
}

const struct st_root *st_registry_root(const struct st_registry *registry)
{
    return &registry->root;
}

/* Returns true if `now` can be a later state of the process that had `before`. If a count has
 * decreased, it is another program, or a debugger has run it backward. */
static bool came_from(const struct st_root *before, const struct st_root *now)
{
    return now->changes >= before->changes && now->nodes_used >= before->nodes_used &&
           now->sites_used >= before->sites_used && now->state >= before->state &&
           now->mpi == before->mpi && now->handle_bytes == before->handle_bytes &&
           now->nodes_per_chunk == before->nodes_per_chunk &&
           (now->node_chunks == before->node_chunks || !before->node_chunks);
}

/* Returns false, and changes nothing, if there is no memory. */
static bool drop_types(struct st_registry *registry, bool all)
{
    struct st_lasting *lasting = all ? st_lasting_new() : registry->lasting;
    struct st_types *types = st_types_new(lasting);
    if (!types) {
        if (all) {
            st_lasting_release(lasting);
        }
        return false;
    }
    st_types_release(registry->types);
    registry->types = types;
    if (all) {
        st_lasting_release(registry->lasting);
        registry->lasting = lasting;
    }
    st_memory_drop(&registry->memory);
    registry->memory.delivered = 0;
    return true;
}

enum st_error st_registry_refresh(struct st_registry *registry, bool *changed,
                                  struct st_fault *fault)
{
    struct st_root root;
    *changed = false;
    enum st_error error = read_root(registry, &root, fault);
    if (error) {
        return error;
    }
    const struct st_root *before = &registry->root;
    bool halfway = root.changes & 1; /* what is read now may be invalid at the next stop */
    if (halfway || memcmp(&root, before, sizeof root) != 0) {
        if (!drop_types(registry, (before->changes & 1) || !came_from(before, &root))) {
            return st_no_memory(fault);
        }
        registry->root = root;
        *changed = true;
    }
    return ST_OK;
}

enum st_error st_registry_forget(struct st_registry *registry, struct st_fault *fault)
{
    return drop_types(registry, true) ? ST_OK : st_no_memory(fault);
}
