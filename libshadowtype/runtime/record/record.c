/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/record/record.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/record/arena.h"
#include "runtime/record/blocks.h"
#include "runtime/record/change.h"
#include "runtime/record/lifetime.h"
#include "runtime/record/publish.h"
#include "runtime/record/root.h"
#include "runtime/record/sites.h"
#include "runtime/record/table.h"

_Static_assert(sizeof(struct st_site) == ST_SITE_FRAMES * sizeof(uint64_t), "a site's frames");

static st_ask_measures *ask;
static uint64_t last_serial;

void st_record_measures(st_ask_measures *measure)
{
    ask = measure;
}

static uint32_t intern_site(const struct st_site *site)
{
    return site ? st_site_intern(site->frames) : ST_NO_SITE;
}

static uint64_t handle_at(const void *handles, uint64_t index)
{
    if (st_root.handle_bytes == 4) {
        return ((const uint32_t *)handles)[index];
    }
    return ((const uint64_t *)handles)[index];
}

/* Returns a node with a reference for its handle, not yet visible, with args not set; ST_NO_NODE if
 * there is no memory. Sets the other members one by one: clearing the whole node would cost more
 * than all the rest. */
static uint32_t new_node(uint64_t handle, uint8_t combiner, uint8_t flags)
{
    uint32_t ordinal = st_arena_take();
    if (ordinal == ST_NO_NODE) {
        return ST_NO_NODE;
    }
    struct st_node *node = st_node_at(ordinal);
    node->handle = handle;
    node->lb = 0;
    node->extent = ST_EXTENT_UNKNOWN;
    node->block = 0;
    node->name = 0;
    node->base = ST_NO_NODE;
    node->created = ST_NO_SITE;
    node->committed = ST_NO_SITE;
    node->freed = ST_NO_SITE;
    node->references = 1;
    node->handles = 1;
    node->fortran = st_root.handle_bytes == 4 ? (int32_t)(uint32_t)handle : -1;
    node->combiner = combiner;
    node->flags = flags;
    node->spare = 0;
    return ordinal;
}

static bool is_predefined(uint32_t ordinal)
{
    return ordinal != ST_NO_NODE && (st_node_at(ordinal)->flags & ST_PREDEFINED);
}

/* To be called before the store that takes the handle from a node in use; st_ring_settle() after
 * it. */
static void announce_freed(uint32_t ordinal, uint32_t site)
{
    struct st_node *node = st_node_at(ordinal);
    node->freed = site;
    node->handles = 0;
    node->flags |= ST_FREED;
    st_root.live--;
    st_ring_announce(ordinal);
}

/* Gives a node the handle that it was made for. If another node still has that handle, the program
 * freed it without our noticing. Returns false, and does nothing, if there is no memory, or if the
 * handle is that of a predefined type (which MPI may return for the copy of a basic type, or for
 * f90 types). */
static bool take_handle(uint32_t ordinal)
{
    struct st_node *node = st_node_at(ordinal);
    struct st_table_entry entry;
    if (!st_table_reserve(node->handle, &entry) || is_predefined(entry.ordinal)) {
        return false;
    }
    if (__builtin_expect(entry.ordinal != ST_NO_NODE, 0)) {
        announce_freed(entry.ordinal, ST_NO_SITE);
    }
    st_table_put(&entry, ordinal);
    st_root.live += !(node->flags & ST_PREDEFINED);
    if (__builtin_expect(entry.ordinal != ST_NO_NODE, 0)) {
        st_ring_settle();
        st_node_release(entry.ordinal);
    }
    return true;
}

/* Gives a filled node its identity and its handle. */
static void publish_node(uint32_t ordinal)
{
    st_publish64(&st_node_at(ordinal)->serial, ++last_serial);
    if (!take_handle(ordinal)) {
        st_node_release(ordinal);
    }
}

static struct st_block *text_block(const char *text, uint64_t bytes)
{
    struct st_block *block = st_block_take(bytes);
    if (block) {
        memcpy(st_block_data(block), text, (size_t)bytes);
    }
    return block;
}

/* --- arrays ------------------------------------------------------------------------------- */

static int64_t number_at(const struct st_column *column, uint64_t row)
{
    int64_t value = column->width == 4 ? ((const int32_t *)column->data)[row]
                                       : ((const int64_t *)column->data)[row];
    return column->translate ? column->translate(value) : value;
}

static void fill_column(unsigned char *to, const struct st_column *column, uint64_t rows)
{
    if (column->handles) {
        uint32_t *types = (uint32_t *)(void *)to;
        for (uint64_t row = 0; row < rows; row++) {
            types[row] = st_table_find(handle_at(column->data, row));
            st_node_hold(types[row]);
        }
    } else if (column->width == column->stored && !column->translate) {
        memcpy(to, column->data, (size_t)(rows * column->width));
    } else {
        int64_t *numbers = (int64_t *)(void *)to;
        for (uint64_t row = 0; row < rows; row++) {
            numbers[row] = number_at(column, row);
        }
    }
}

/* Returns false if there is no memory. */
static bool fill_block(struct st_node *node, const struct st_made *type)
{
    uint64_t row_bytes = 0;
    for (unsigned i = 0; i < type->column_count; i++) {
        row_bytes += type->columns[i].stored;
    }
    if (!row_bytes || !type->rows) {
        return true;
    }
    if (type->rows > UINT64_MAX / 2 / row_bytes) {
        return false;
    }
    struct st_block *block = st_block_take(type->rows * row_bytes);
    if (!block) {
        return false;
    }
    unsigned char *to = st_block_data(block);
    for (unsigned i = 0; i < type->column_count; i++) {
        fill_column(to, &type->columns[i], type->rows);
        to += type->rows * type->columns[i].stored;
    }
    node->block = st_address(block);
    return true;
}

/* --- old types that were not recorded ----------------------------------------------------- */

/* Finds the first old type of a STRUCT, from *row on, that has no node. */
static bool find_unknown(const struct st_made *type, uint64_t *row, uint64_t *handle)
{
    const void *handles = type->columns[type->column_count - 1].data;
    for (; *row < type->rows; (*row)++) {
        *handle = handle_at(handles, *row);
        if (st_table_find(*handle) == ST_NO_NODE) {
            return true;
        }
    }
    return false;
}

static void add_opaque(uint64_t handle, const int64_t args[3], const struct st_site *site)
{
    uint32_t ordinal = new_node(handle, ST_OPAQUE, ST_COMMIT_UNDEFINED);
    if (ordinal == ST_NO_NODE) {
        return;
    }
    struct st_node *node = st_node_at(ordinal);
    memcpy(node->args, args, sizeof node->args);
    node->created = intern_site(site);
    publish_node(ordinal);
}

/* Asks MPI without holding the lock: MPI may hold its own lock while it waits for ours in a
 * callback. */
static void adopt_node(uint64_t handle, const struct st_site *site, bool *locked)
{
    int64_t args[3] = {-1, -1, -1};
    st_change_end(*locked);
    if (ask) {
        ask(handle, args);
    }
    *locked = st_change_begin();
    if (st_table_find(handle) == ST_NO_NODE) {
        add_opaque(handle, args, site);
        st_change_next();
    }
}

/* Returns the node of the old type; ST_NO_NODE if the constructor has none, or several. */
static uint32_t find_old_types(const struct st_made *type, bool *locked)
{
    if (st_has_base(type->combiner)) {
        uint32_t base = st_table_find(type->base);
        if (__builtin_expect(base != ST_NO_NODE, 1)) {
            return base;
        }
        adopt_node(type->base, NULL, locked);
        return st_table_find(type->base);
    }
    uint64_t row = 0, unknown;
    if (type->combiner == ST_STRUCT) {
        while (find_unknown(type, &row, &unknown)) {
            adopt_node(unknown, NULL, locked);
            row++;
        }
    }
    return ST_NO_NODE;
}

/* --- entry points ------------------------------------------------------------------------- */

static void add_type(const struct st_made *type, uint32_t base, const struct st_site *site)
{
    uint32_t ordinal = new_node(type->handle, type->combiner, type->flags);
    if (ordinal == ST_NO_NODE) {
        return;
    }
    struct st_node *node = st_node_at(ordinal);
    memcpy(node->args, type->args, sizeof node->args);
    node->lb = type->lb;
    node->extent = type->extent;
    node->created = intern_site(site);
    node->base = base;
    st_node_hold(base);
    if (type->combiner == ST_DUP && node->base != ST_NO_NODE) {
        /* MPI-4.0, 5.1.11: the copy is committed if the old type is. */
        if (st_node_at(node->base)->flags & ST_COMMITTED) {
            node->flags |= ST_COMMITTED;
        }
        node->committed = st_node_at(node->base)->committed;
    }
    if (type->flags & ST_COMMITTED) {
        node->committed = node->created;
    }
    if (type->column_count && !fill_block(node, type)) {
        st_node_release(ordinal);
        return;
    }
    publish_node(ordinal);
}

void st_record(const struct st_made *type, const struct st_site *site)
{
    bool locked = st_change_begin();
    uint32_t base = find_old_types(type, &locked);
    add_type(type, base, site);
    st_change_end(locked);
}

bool st_record_has_data(uint64_t handle)
{
    bool locked = st_lock();
    uint32_t ordinal = st_table_find(handle);
    bool yes = ordinal != ST_NO_NODE && st_node_at(ordinal)->combiner == ST_NAMED &&
               st_node_at(ordinal)->args[0] > 0;
    st_unlock(locked);
    return yes;
}

void st_record_named(uint64_t handle, const char *name)
{
    bool locked = st_change_begin();
    uint32_t ordinal = st_table_find(handle);
    if (ordinal == ST_NO_NODE) {
        ordinal = new_node(handle, ST_NAMED, ST_PREDEFINED | ST_COMMITTED);
    } else {
        ordinal = ST_NO_NODE;
    }
    if (ordinal != ST_NO_NODE) {
        struct st_node *node = st_node_at(ordinal);
        node->args[0] = node->args[1] = node->args[2] = -1;
        node->name = st_address(text_block(name, strlen(name)));
        publish_node(ordinal);
    }
    st_change_end(locked);
}

void st_record_named_sizes(uint64_t handle, const int64_t args[3])
{
    bool locked = st_change_begin();
    uint32_t ordinal = st_table_find(handle);
    if (ordinal != ST_NO_NODE && st_node_at(ordinal)->combiner == ST_NAMED) {
        struct st_node *node = st_node_at(ordinal);
        node->args[0] = args[0];
        node->args[2] = args[2];
        st_publish64((uint64_t *)&node->args[1], (uint64_t)args[1]);
    }
    st_change_end(locked);
}

void st_record_commit(uint64_t handle, const struct st_site *site)
{
    bool locked = st_change_begin();
    uint32_t ordinal = st_table_find(handle);
    if (ordinal != ST_NO_NODE) {
        struct st_node *node = st_node_at(ordinal);
        if (!(node->flags & ST_COMMITTED)) {
            node->committed = intern_site(site);
            st_publish8(&node->flags,
                        (uint8_t)((node->flags | ST_COMMITTED) & ~ST_COMMIT_UNDEFINED));
        }
    }
    st_change_end(locked);
}

void st_record_name(uint64_t handle, const char *name, uint64_t bytes)
{
    bool locked = st_change_begin();
    uint32_t ordinal = st_table_find(handle);
    /* A basic type keeps its standard name, because reports use it. */
    if (ordinal != ST_NO_NODE && st_node_at(ordinal)->combiner != ST_NAMED) {
        struct st_node *node = st_node_at(ordinal);
        struct st_block *block = bytes ? text_block(name, bytes) : NULL;
        struct st_block *old = st_pointer(node->name);
        if (block || !bytes) {
            st_publish64(&node->name, st_address(block));
            st_withdrawn();
            st_block_give(old);
        }
    }
    st_change_end(locked);
}

void st_record_fortran(uint64_t handle, int32_t index)
{
    bool locked = st_change_begin();
    uint32_t ordinal = st_table_find(handle);
    if (ordinal != ST_NO_NODE) {
        st_node_at(ordinal)->fortran = index;
    }
    st_change_end(locked);
}

static atomic_bool has_attributes;

void st_record_attributes(void)
{
    atomic_store_explicit(&has_attributes, true, memory_order_relaxed);
}

bool st_record_has_attributes(void)
{
    return atomic_load_explicit(&has_attributes, memory_order_relaxed);
}

static bool withdraw_node(uint32_t ordinal, uint32_t site)
{
    struct st_node *node = st_node_at(ordinal);
    bool last = --node->handles == 0;
    if (last) {
        announce_freed(ordinal, site);
        st_table_remove(ordinal);
        st_ring_settle();
    }
    return last;
}

void st_record_free_begin(uint64_t handle, const struct st_site *site, struct st_freeing *freeing)
{
    bool locked = st_change_begin();
    uint32_t ordinal = st_table_find(handle);
    *freeing = (struct st_freeing){.ordinal = ST_NO_NODE};
    if (ordinal != ST_NO_NODE && !is_predefined(ordinal)) {
        freeing->ordinal = ordinal;
        freeing->serial = st_node_at(ordinal)->serial;
        freeing->site = intern_site(site);
        freeing->late = st_record_has_attributes();
        freeing->last = !freeing->late && withdraw_node(ordinal, freeing->site);
        /* The handle's reference keeps the node until st_record_free_end(). */
    }
    st_change_end(locked);
}

/* The handle names the node again: MPI refused to free it, or returned it once more. */
static void revive_node(uint32_t ordinal)
{
    struct st_node *node = st_node_at(ordinal);
    if (take_handle(ordinal)) {
        node->flags &= (uint8_t)~ST_FREED;
        node->freed = ST_NO_SITE;
        node->handles = 1;
        st_ring_withdraw(ordinal);
    } else {
        st_node_release(ordinal);
    }
}

/* Another thread may have got the handle meanwhile; then the node has lost it already. */
static void free_late(const struct st_freeing *freeing)
{
    bool locked = st_change_begin();
    const struct st_node *node = st_node_at(freeing->ordinal);
    if (node->serial == freeing->serial && node->handles &&
        withdraw_node(freeing->ordinal, freeing->site)) {
        st_change_next();
        st_node_release(freeing->ordinal);
    }
    st_change_end(locked);
}

void st_record_free_end(const struct st_freeing *freeing, bool succeeded)
{
    if (freeing->ordinal == ST_NO_NODE) {
        return;
    }
    if (freeing->late) {
        if (succeeded) {
            free_late(freeing);
        }
        return;
    }
    if (succeeded && !freeing->last) {
        return;
    }
    bool locked = st_change_begin();
    if (succeeded) {
        st_node_release(freeing->ordinal);
    } else if (freeing->last) {
        revive_node(freeing->ordinal);
    } else {
        st_node_at(freeing->ordinal)->handles++;
    }
    st_change_end(locked);
}

/* Open MPI returns a new handle for a copy of `of`. */
static void add_copy(uint64_t handle, uint32_t of, const struct st_site *site)
{
    struct st_node *from = st_node_at(of);
    uint32_t ordinal = new_node(handle, from->combiner, from->flags);
    if (ordinal == ST_NO_NODE) {
        return;
    }
    struct st_node *node = st_node_at(ordinal);
    if (from->block) {
        struct st_block *old = st_pointer(from->block);
        struct st_block *block = text_block(st_block_data(old), old->bytes);
        if (!block) {
            st_node_release(ordinal);
            return;
        }
        node->block = st_address(block);
    }
    memcpy(node->args, from->args, sizeof node->args);
    node->lb = from->lb;
    node->extent = from->extent;
    node->flags = (uint8_t)((from->flags & ~(ST_FREED | ST_COMMITTED)) | ST_COMMIT_UNDEFINED);
    node->base = from->base;
    node->created = intern_site(site);
    st_node_hold(node->base);
    uint64_t count;
    const uint32_t *types = st_struct_types(node, &count);
    for (uint64_t i = 0; i < count; i++) {
        st_node_hold(types[i]);
    }
    publish_node(ordinal);
}

static void hand_out(uint32_t ordinal, uint64_t handle, const struct st_site *site)
{
    if (ordinal == ST_NO_NODE || is_predefined(ordinal)) {
        return;
    }
    struct st_node *node = st_node_at(ordinal);
    if (node->handle != handle) {
        add_copy(handle, ordinal, site);
    } else if (node->handles) {
        node->handles++;
    } else {
        st_node_hold(ordinal);
        revive_node(ordinal);
    }
}

void st_record_contents(uint64_t handle, const void *contents, uint64_t room,
                        const struct st_site *site)
{
    bool locked = st_change_begin();
    uint32_t ordinal = st_table_find(handle);
    if (ordinal != ST_NO_NODE && room) {
        const struct st_node *node = st_node_at(ordinal);
        uint64_t count;
        const uint32_t *types = st_struct_types(node, &count);
        for (uint64_t i = 0; i < count && i < room; i++) {
            hand_out(types[i], handle_at(contents, i), site);
            st_change_next();
        }
        if (node->base != ST_NO_NODE) {
            hand_out(node->base, handle_at(contents, 0), site);
        }
    }
    st_change_end(locked);
}

bool st_record_knows(uint64_t handle)
{
    bool locked = st_lock();
    bool known = st_table_find(handle) != ST_NO_NODE;
    st_unlock(locked);
    return known;
}

void st_record_opaque(uint64_t handle, const struct st_site *site)
{
    bool locked = st_change_begin();
    adopt_node(handle, site, &locked);
    st_change_end(locked);
}
