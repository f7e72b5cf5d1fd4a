/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what a handle means: in the table, then in the ring. */
#include "core/decode/decode_internal.h"

#include <stdlib.h>
#include <string.h>

/* No valid registry exceeds this. */
#define MOST_LOG2_SLOTS 31u

enum st_error st_read_table(struct st_registry *registry, struct st_table *table,
                            struct st_fault *fault)
{
    enum st_error error = st_read_at(registry, registry->root.table, table, sizeof(*table), fault);
    if (error) {
        return st_about(error, "table", ST_NO_NODE, fault);
    }
    if (table->magic != ST_TABLE_MAGIC) {
        return st_bad_root(fault, "table", registry->root.table);
    }
    if (table->log2_slots == 0 || table->log2_slots > MOST_LOG2_SLOTS) {
        return st_bad_root(fault, "log2_slots", table->log2_slots);
    }
    return ST_OK;
}

/* Returns true if the node has the handle. A damaged node does not hide those after it. *first
 * keeps the first fault: it is the answer if nothing is found, because the wanted node may be the
 * damaged one. */
static bool has_handle(struct st_registry *registry, const char *field, uint32_t ordinal,
                       uint64_t handle, struct st_fault *first, struct st_fault *fault)
{
    struct st_node node;
    *fault = (struct st_fault){0};
    if (!st_read_used(registry, field, ordinal, &node, fault)) {
        return node.handle == handle;
    }
    if (!first->error) {
        *first = *fault;
    }
    return false;
}

static enum st_error find_live(struct st_registry *registry, uint64_t handle, uint32_t *ordinal,
                               struct st_fault *fault)
{
    struct st_table table;
    *ordinal = ST_NO_NODE;
    if (!registry->root.table) {
        return ST_OK;
    }
    enum st_error error = st_read_table(registry, &table, fault);
    if (error) {
        return error;
    }
    uint32_t slots = 1u << table.log2_slots;
    uint32_t at = st_table_home(handle, table.log2_slots);
    struct st_fault first = {0}, here;
    for (uint32_t probes = 0; probes < slots; probes++, at = (at + 1) & (slots - 1)) {
        uint32_t slot;
        error =
            st_read_at(registry, registry->root.table + sizeof table + (uint64_t)at * sizeof slot,
                       &slot, sizeof slot, fault);
        if (error) {
            return st_about(error, "table", ST_NO_NODE, fault);
        }
        if (slot == 0) {
            break;
        }
        if (has_handle(registry, "slot of the table", slot - 1, handle, &first, &here)) {
            *ordinal = slot - 1;
            return ST_OK;
        }
        if (st_is_final(&here)) {
            return st_fail(fault, here);
        }
    }
    return first.error ? st_fail(fault, first) : ST_OK;
}

enum st_error st_is_live(struct st_registry *registry, uint32_t ordinal, uint64_t handle,
                         bool *live, struct st_fault *fault)
{
    uint32_t found;
    enum st_error error = find_live(registry, handle, &found, fault);
    *live = !error && found == ordinal;
    return error;
}

/* Finds out whether the node in slot ring_next, if any, has become a tombstone. If it cannot be
 * read it stays there, and is reported. */
static enum st_error next_counts(struct st_registry *registry, uint32_t ordinal, bool *counts,
                                 struct st_fault *fault)
{
    struct st_node node;
    struct st_fault here = {0};
    bool live = false;
    if (!st_read_node(registry, ordinal, &node, &here)) {
        st_is_live(registry, ordinal, node.handle, &live, &here);
    }
    *counts = !live;
    return st_is_final(&here) ? st_fail(fault, here) : ST_OK;
}

enum st_error st_read_ring(struct st_registry *registry, uint32_t **slots, struct st_fault *fault)
{
    const struct st_root *root = &registry->root;
    uint32_t *raw = calloc(root->ring_slots + 1u, sizeof(*raw));
    *slots = calloc(root->ring_slots + 1u, sizeof(**slots));
    enum st_error error = *slots && raw ? ST_OK : st_no_memory(fault);
    if (!error && root->ring && root->ring_slots) {
        error =
            st_about(st_read_at(registry, root->ring, raw, root->ring_slots * sizeof(*raw), fault),
                     "ring", ST_NO_NODE, fault);
        uint32_t next = raw[root->ring_next];
        if (!error && next) {
            bool counts;
            error = next_counts(registry, next - 1, &counts, fault);
            raw[counts ? (root->ring_next + 1) % root->ring_slots : root->ring_next] = 0;
        }
        for (uint32_t i = 0; !error && i < root->ring_slots; i++) {
            (*slots)[i] = raw[(root->ring_next + root->ring_slots - i) % root->ring_slots];
        }
    }
    free(raw);
    return error;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Reads the nodes of the ring into the cache in the order of their addresses, so that one read gets
 * many pages: tombstones are near each other, but not in the order of the ring. */
static enum st_error touch_ring(struct st_registry *registry, const uint32_t *ring,
                                struct st_fault *fault)
{
    uint32_t count = registry->root.ring_slots;
    uint32_t *sorted = calloc(count + 1u, sizeof(*sorted));
    struct st_fault here = {0};
    struct st_node node;
    if (!sorted) {
        return st_no_memory(fault);
    }
    memcpy(sorted, ring, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), ascending);
    for (uint32_t i = 0; i < count && here.error != ST_INTERRUPTED; i++) {
        if (sorted[i]) {
            st_read_nodes(registry, sorted[i] - 1, 1, &node, &here);
        }
    }
    free(sorted);
    return here.error == ST_INTERRUPTED ? st_fail(fault, here) : ST_OK;
}

static enum st_error find_tombstone(struct st_registry *registry, uint64_t handle,
                                    uint32_t *ordinal, struct st_fault *fault)
{
    uint32_t *ring;
    struct st_fault first = {0}, here = {0};
    *ordinal = ST_NO_NODE;
    enum st_error error = st_read_ring(registry, &ring, fault);
    if (!error) {
        error = touch_ring(registry, ring, fault);
    }
    for (uint32_t i = 0; !error && i < registry->root.ring_slots; i++) {
        if (ring[i] &&
            has_handle(registry, "slot of the ring", ring[i] - 1, handle, &first, &here)) {
            *ordinal = ring[i] - 1;
            break;
        }
        error = st_is_final(&here) ? st_fail(fault, here) : ST_OK;
    }
    free(ring);
    if (!error && *ordinal == ST_NO_NODE && first.error) {
        error = st_fail(fault, first);
    }
    return error;
}

enum st_error st_find_node(struct st_registry *registry, uint64_t handle, uint32_t *ordinal,
                           bool *live, struct st_fault *fault)
{
    enum st_error error = find_live(registry, handle, ordinal, fault);
    *live = !error && *ordinal != ST_NO_NODE;
    return error || *live ? error : find_tombstone(registry, handle, ordinal, fault);
}
