/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/record/table.h"

#include "runtime/record/arena.h"
#include "runtime/record/publish.h"

static const uint32_t first_log2_slots = 9;

static struct st_table *table; /* address in root.table */
static uint32_t entries;

/* The handles that the last calls named: a program creates, commits and frees a type in sequence,
 * and builds many types on the same base. Filled by finding and inserting, cleared by removing. */
enum { LOG2_REMEMBERED = 5 };
static struct {
    uint64_t handle;
    uint32_t after; /* ordinal + 1; 0: empty */
    uint32_t slot;  /* where it was found */
} remembered[1 << LOG2_REMEMBERED];

static uint32_t remembered_at(uint64_t handle)
{
    return st_table_home(handle, LOG2_REMEMBERED);
}

static void remember_slot(uint64_t handle, uint32_t after, uint32_t slot)
{
    uint32_t at = remembered_at(handle);
    remembered[at].handle = handle;
    remembered[at].after = after;
    remembered[at].slot = slot;
}

static uint64_t key_of(uint32_t slot)
{
    return st_node_at(slot - 1)->handle;
}

static size_t bytes_of(uint32_t log2_slots)
{
    return sizeof(struct st_table) + (sizeof(uint32_t) << log2_slots);
}

/* Returns the slot of `handle`, or the empty slot where its probe ends. */
static uint32_t probe_slot(const struct st_table *in, uint64_t handle)
{
    uint32_t mask = (1u << in->log2_slots) - 1;
    uint32_t at = st_table_home(handle, in->log2_slots);
    while (in->slots[at] && key_of(in->slots[at]) != handle) {
        at = (at + 1) & mask;
    }
    return at;
}

uint32_t st_table_find(uint64_t handle)
{
    uint32_t at = remembered_at(handle);
    if (__builtin_expect(remembered[at].handle == handle && remembered[at].after, 1)) {
        return remembered[at].after - 1;
    }
    if (!table) {
        return ST_NO_NODE;
    }
    uint32_t slot = probe_slot(table, handle);
    uint32_t after = table->slots[slot];
    if (after) {
        remember_slot(handle, after, slot);
    }
    return after - 1; /* ST_NO_NODE for an empty slot */
}

/* Makes room for one more entry, with a quarter of the slots empty. The old table stays readable
 * until one store replaces it by the complete new one. */
static bool make_entry_room(void)
{
    if (table && (uint64_t)(entries + 1) * 4 <= (UINT64_C(3) << table->log2_slots)) {
        return true;
    }
    uint32_t log2_slots = table ? table->log2_slots + 1 : first_log2_slots;
    if (log2_slots > 30) {
        return false;
    }
    struct st_table *larger = st_map(bytes_of(log2_slots));
    if (!larger) {
        return false;
    }
    larger->magic = ST_TABLE_MAGIC;
    larger->log2_slots = log2_slots;
    struct st_table *old = table;
    if (old) {
        for (uint32_t i = 0; i < 1u << old->log2_slots; i++) {
            if (old->slots[i]) {
                larger->slots[probe_slot(larger, key_of(old->slots[i]))] = old->slots[i];
            }
        }
    }
    st_publish64(&st_root.table, st_address(larger));
    st_withdrawn();
    table = larger;
    st_root.types_bytes += bytes_of(log2_slots);
    if (old) {
        st_root.types_bytes -= bytes_of(old->log2_slots);
        st_unmap(old, bytes_of(old->log2_slots));
    }
    return true;
}

bool st_table_reserve(uint64_t handle, struct st_table_entry *entry)
{
    if (!make_entry_room()) {
        return false;
    }
    entry->slot = probe_slot(table, handle);
    entry->ordinal = table->slots[entry->slot] - 1; /* ST_NO_NODE for an empty slot */
    return true;
}

void st_table_put(const struct st_table_entry *entry, uint32_t ordinal)
{
    entries += entry->ordinal == ST_NO_NODE;
    st_publish32(&table->slots[entry->slot], ordinal + 1);
    st_withdrawn();
    remember_slot(st_node_at(ordinal)->handle, ordinal + 1, entry->slot);
}

void st_table_remove(uint32_t ordinal)
{
    if (!table) {
        return;
    }
    uint32_t mask = (1u << table->log2_slots) - 1;
    uint64_t handle = st_node_at(ordinal)->handle;
    uint32_t recent = remembered_at(handle);
    uint32_t gap = remembered[recent].slot & mask;
    if (table->slots[gap] != ordinal + 1) {
        gap = probe_slot(table, handle);
    }
    if (table->slots[gap] != ordinal + 1) {
        return;
    }
    if (remembered[recent].handle == handle) {
        remembered[recent].after = 0;
    }
    for (uint32_t at = (gap + 1) & mask; table->slots[at]; at = (at + 1) & mask) {
        uint32_t home = st_table_home(key_of(table->slots[at]), table->log2_slots);
        /* The entry may move if its probe passes the gap on the way from its home slot to here. */
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            st_publish32(&table->slots[gap], table->slots[at]);
            gap = at;
        }
    }
    st_publish32(&table->slots[gap], 0);
    st_withdrawn();
    entries--;
}
