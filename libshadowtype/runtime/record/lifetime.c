/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/record/lifetime.h"

#include <stdbool.h>

#include "runtime/record/arena.h"
#include "runtime/record/blocks.h"
#include "runtime/record/change.h"
#include "runtime/record/publish.h"

/* The tombstones. node.spare is the node's place in the ring + 1, or 0. */
static uint32_t ring[ST_RING_SLOTS];
static uint32_t charges[ST_RING_SLOTS]; /* for each tombstone, bytes that only it keeps */

/* Work that is left to do: so a chain of any length is freed without recursion. */
static uint32_t dead = ST_NO_NODE; /* serial is 0; linked by their member `created` */
static uint64_t
    unsettled[ST_RING_SLOTS / 64]; /* tombstones that nothing else refers to since a moment ago */
static uint32_t unsettled_count;

const uint32_t *st_struct_types(const struct st_node *node, uint64_t *count)
{
    *count = 0;
    if (node->combiner != ST_STRUCT || !node->block) {
        return NULL;
    }
    uint64_t offset = (node->flags & ST_OFFSETS_64) ? 8 : 4;
    uint64_t length = (node->flags & ST_LENGTHS_64) ? 8 : 4;
    *count = (uint64_t)node->args[0];
    const unsigned char *data = st_block_data(st_pointer(node->block));
    return (const uint32_t *)(const void *)(data + *count * (offset + length));
}

void st_node_hold(uint32_t ordinal)
{
    if (ordinal != ST_NO_NODE) {
        st_node_at(ordinal)->references++;
    }
}

static void mark_unsettled(uint32_t slot)
{
    uint64_t bit = UINT64_C(1) << (slot % 64);
    unsettled_count += !(unsettled[slot / 64] & bit);
    unsettled[slot / 64] |= bit;
}

/* Drops one reference; settle_all() handles the consequences. */
static void drop_reference(uint32_t ordinal)
{
    if (ordinal == ST_NO_NODE) {
        return;
    }
    struct st_node *node = st_node_at(ordinal);
    node->references--;
    if (node->references == 0) {
        st_publish64(&node->serial, 0);
        st_withdrawn();
        node->created = dead;
        dead = ordinal;
    } else if (node->references == 1 && node->spare) {
        mark_unsettled(node->spare - 1u);
    }
}

static void drop_what_is_below(struct st_node *node)
{
    drop_reference(node->base);
    uint64_t count;
    const uint32_t *types = st_struct_types(node, &count);
    for (uint64_t i = 0; i < count; i++) {
        drop_reference(types[i]);
    }
}

static void bury_node(uint32_t ordinal)
{
    struct st_node *node = st_node_at(ordinal);
    drop_what_is_below(node);
    if (node->block | node->name) {
        st_block_give(st_pointer(node->block));
        st_block_give(st_pointer(node->name));
    }
    st_arena_give(ordinal);
}

static void evict_slot(uint32_t slot)
{
    uint32_t ordinal = ring[slot] - 1;
    st_publish32(&ring[slot], 0);
    st_withdrawn();
    st_root.ring_bytes -= charges[slot];
    charges[slot] = 0;
    st_node_at(ordinal)->spare = 0;
    drop_reference(ordinal);
}

/* Returns the bytes of the freed types from `top` downwards; UINT64_MAX if they exceed the limit of
 * a tombstone. A type that is shared below is counted each time, because an upper bound is
 * sufficient. */
static uint64_t weigh_tree(uint32_t top)
{
    uint32_t stack[ST_TOMBSTONE_NODES];
    uint32_t depth = 0, seen = 1;
    uint64_t bytes = 0;
    stack[depth++] = top;
    while (depth) {
        const struct st_node *node = st_node_at(stack[--depth]);
        bytes += sizeof *node + st_block_footprint(st_pointer(node->block)) +
                 st_block_footprint(st_pointer(node->name));
        if (bytes > ST_TOMBSTONE_BYTES) {
            return UINT64_MAX;
        }
        uint64_t count;
        const uint32_t *types = st_struct_types(node, &count);
        for (uint64_t i = 0; i <= count; i++) {
            uint32_t below = i < count ? types[i] : node->base;
            if (below == ST_NO_NODE || st_node_at(below)->handles) {
                continue;
            }
            if (seen++ == ST_TOMBSTONE_NODES) {
                return UINT64_MAX;
            }
            stack[depth++] = below;
        }
    }
    return bytes;
}

static void elide_node(struct st_node *node)
{
    st_change_next();
    st_publish8(&node->flags, node->flags | ST_ELIDED);
    st_withdrawn();
    struct st_node below = *node;
    node->base = ST_NO_NODE;
    st_publish64(&node->block, 0);
    st_withdrawn();
    drop_what_is_below(&below);
    st_block_give(st_pointer(below.block));
}

static void settle_slot(uint32_t slot)
{
    if (!ring[slot] || st_node_at(ring[slot] - 1)->references != 1) {
        return;
    }
    uint32_t ordinal = ring[slot] - 1;
    uint64_t bytes = weigh_tree(ordinal);
    if (bytes == UINT64_MAX) {
        elide_node(st_node_at(ordinal));
        bytes = weigh_tree(ordinal);
    }
    st_root.ring_bytes += bytes - charges[slot];
    charges[slot] = (uint32_t)bytes;
    for (uint32_t i = 0; i < ST_RING_SLOTS && st_root.ring_bytes > ST_RING_BYTES; i++) {
        uint32_t oldest = (st_root.ring_next + i) % ST_RING_SLOTS;
        if (ring[oldest]) {
            st_change_next();
            evict_slot(oldest);
        }
    }
}

static void settle_all(void)
{
    while (dead != ST_NO_NODE || unsettled_count) {
        if (dead != ST_NO_NODE) {
            uint32_t ordinal = dead;
            dead = st_node_at(ordinal)->created;
            bury_node(ordinal);
            continue;
        }
        uint32_t word = 0;
        while (!unsettled[word]) {
            word++;
        }
        uint32_t bit = (uint32_t)__builtin_ctzll(unsettled[word]);
        unsettled[word] &= unsettled[word] - 1;
        unsettled_count--;
        settle_slot(word * 64 + bit);
    }
}

/* Returns true for the common tombstone: it has no block, and its base is a type in use. */
static bool is_light(const struct st_node *node)
{
    return !(node->block | node->name) &&
           (node->base == ST_NO_NODE || st_node_at(node->base)->handles);
}

void st_node_release(uint32_t ordinal)
{
    struct st_node *node = st_node_at(ordinal);
    if (node->references == 2 && node->spare && is_light(node) &&
        st_root.ring_bytes + sizeof *node <= ST_RING_BYTES) {
        node->references = 1;
        st_root.ring_bytes += sizeof *node - charges[node->spare - 1];
        charges[node->spare - 1] = sizeof *node;
        return;
    }
    drop_reference(ordinal);
    settle_all();
}

static uint32_t slot_after(uint32_t slot)
{
    return (slot + 1) % ST_RING_SLOTS;
}

void st_ring_announce(uint32_t ordinal)
{
    uint32_t slot = st_root.ring_next;
    if (!st_root.ring) {
        st_root.ring_slots = ST_RING_SLOTS;
        st_publish64(&st_root.ring, st_address(ring));
    }
    struct st_node *node = st_node_at(ordinal);
    node->references++;
    node->spare = (uint16_t)(slot + 1);
    st_publish32(&ring[slot], ordinal + 1);
}

void st_ring_settle(void)
{
    uint32_t oldest = slot_after(st_root.ring_next);
    if (ring[oldest]) {
        evict_slot(oldest);
    }
    st_publish32(&st_root.ring_next, oldest);
    settle_all();
    /* The next tombstone to be removed was last accessed long ago. */
    uint32_t next = slot_after(oldest);
    if (ring[next]) {
        const struct st_node *node = st_node_at(ring[next] - 1);
        __builtin_prefetch(node, 1);
        __builtin_prefetch(&node->freed, 1);
    }
}

void st_ring_withdraw(uint32_t ordinal)
{
    uint32_t slot = st_node_at(ordinal)->spare;
    if (!slot) {
        return;
    }
    evict_slot(slot - 1);
    settle_all();
}
