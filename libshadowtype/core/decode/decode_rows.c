/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists every node in one walk through the registry, piece by piece and without the cache. */
#include "core/decode/decode_internal.h"
#include "core/decode/decode_marks.h"

#include <stdlib.h>

/* The nodes and slots that one read takes: less than a megabyte. */
#define PIECE 8192u

enum { ROW_KNOWN = 1, ROW_LIVE = 2, ROW_TOMBSTONE = 4 };

struct st_listing {
    struct st_registry *registry;
    struct st_marks marks;
    struct st_row *rows;
    uint32_t *bases; /* of each row; those of a struct are in its block */
    size_t count, capacity;
    size_t unmarked; /* at least so many nodes may be in use and are neither in the table nor in
                        the ring */
    struct st_damage *damage;
    size_t unread, in_part; /* nodes that are left out; nodes that are listed but damaged */
    struct st_fault *fault; /* for errors that end the listing */
};

/* Counts a damaged node in *counter, and keeps the first fault. Damage is not fatal. */
static enum st_error list_damage(struct st_listing *list, size_t *counter, struct st_fault fault)
{
    if (st_is_final(&fault)) {
        return st_fail(list->fault, fault);
    }
    if (!list->damage->fault.error) {
        list->damage->fault = fault;
    }
    ++*counter;
    return ST_OK;
}

/* Makes room for a row. The bytes of a node that was read allow one row, not several. */
static enum st_error make_row_room(struct st_listing *list)
{
    if (list->count < list->capacity) {
        return ST_OK;
    }
    size_t capacity = list->capacity ? list->capacity * 2 : 256;
    if (!st_affordable(&list->registry->memory,
                       capacity * (sizeof(*list->rows) + sizeof(*list->bases)))) {
        return st_bad_root(list->fault, "nodes_used", list->registry->root.nodes_used);
    }
    struct st_row *rows = realloc(list->rows, capacity * sizeof(*rows));
    list->rows = rows ? rows : list->rows;
    uint32_t *bases = rows ? realloc(list->bases, capacity * sizeof(*bases)) : NULL;
    list->bases = bases ? bases : list->bases;
    list->capacity = bases ? capacity : list->capacity;
    return bases ? ST_OK : st_no_memory(list->fault);
}

static struct st_row row_of(uint32_t ordinal, const struct st_node *node)
{
    return (struct st_row){
        .serial = node->serial,
        .handle = node->handle,
        .name = node->name,
        .ordinal = ordinal,
        .created = node->created,
        .references = node->references,
        .fortran = node->fortran,
        .combiner = node->combiner,
        .flags = node->flags,
    };
}

static enum st_error add_row(struct st_listing *list, uint32_t ordinal, const struct st_node *node)
{
    enum st_error error = make_row_room(list);
    if (!error) {
        list->bases[list->count] = node->base;
        list->rows[list->count++] = row_of(ordinal, node);
    }
    return error;
}

static enum st_error mark_slot(struct st_listing *list, const char *field, uint32_t slot,
                               unsigned with)
{
    struct st_fault fault;
    if (slot == 0) {
        return ST_OK;
    }
    if (slot - 1 >= list->registry->root.nodes_used) {
        st_bad_root(&fault, field, slot);
        return list_damage(list, &list->unread, fault);
    }
    unsigned char *marks = st_mark_of(&list->marks, slot - 1);
    if (!marks) {
        return st_no_memory(list->fault);
    }
    *marks |= (unsigned char)with;
    return ST_OK;
}

static enum st_error mark_table(struct st_listing *list)
{
    struct st_registry *registry = list->registry;
    struct st_table table;
    if (!registry->root.table) {
        return ST_OK;
    }
    enum st_error error = st_read_table(registry, &table, list->fault);
    uint32_t *slots = error ? NULL : malloc(PIECE * sizeof(*slots));
    if (!error && !slots) {
        error = st_no_memory(list->fault);
    }
    uint64_t count = error ? 0 : UINT64_C(1) << table.log2_slots;
    for (uint64_t i = 0; i < count && !error; i += PIECE) {
        size_t part = count - i < PIECE ? (size_t)(count - i) : PIECE;
        error =
            st_about(st_read_at(registry, registry->root.table + sizeof table + i * sizeof(*slots),
                                slots, part * sizeof(*slots), list->fault),
                     "table", ST_NO_NODE, list->fault);
        for (size_t j = 0; j < part && !error; j++) {
            error = mark_slot(list, "slot of the table", slots[j], ROW_LIVE);
        }
    }
    free(slots);
    return error;
}

static enum st_error mark_ring(struct st_listing *list)
{
    uint32_t *ring;
    enum st_error error = st_read_ring(list->registry, &ring, list->fault);
    for (uint32_t i = 0; !error && i < list->registry->root.ring_slots; i++) {
        error = mark_slot(list, "slot of the ring", ring[i], ROW_TOMBSTONE);
    }
    free(ring);
    return error;
}

/* Reads all nodes in use, as far as they can be read in one row. Beyond a gap it reads only nodes
 * that something refers to: so a wrong number of nodes does not cost time. */
static enum st_error read_all(struct st_listing *list)
{
    const struct st_root *root = &list->registry->root;
    enum st_error error = ST_OK;
    struct st_fault fault = {0};
    struct st_node *nodes = malloc(PIECE * sizeof(*nodes));
    if (!nodes) {
        return st_no_memory(list->fault);
    }
    for (uint32_t first = 0, count; first < root->nodes_used && !error; first += count) {
        uint32_t chunk_left = root->nodes_per_chunk - first % root->nodes_per_chunk;
        count = root->nodes_used - first;
        count = count < chunk_left ? count : chunk_left;
        count = count < PIECE ? count : PIECE;
        if (st_read_nodes(list->registry, first, count, nodes, &fault)) {
            break;
        }
        if (!st_marks_reach(&list->marks, first + count)) {
            error = st_no_memory(list->fault);
        }
        for (uint32_t i = 0; i < count && !error; i++) {
            error = nodes[i].serial ? add_row(list, first + i, &nodes[i]) : ST_OK;
        }
    }
    free(nodes);
    return st_is_final(&fault) ? st_fail(list->fault, fault) : error;
}

/* Adds a node that is in the table or the ring. */
static enum st_error list_marked(struct st_listing *list, uint32_t ordinal,
                                 const struct st_node *node)
{
    struct st_fault fault;
    if (st_check_node(ordinal, node, &fault)) {
        if (fault.error == ST_NO_SUCH_NODE) {
            st_bad_node(&fault, ordinal, "serial", 0);
        }
        return list_damage(list, &list->unread, fault);
    }
    return add_row(list, ordinal, node);
}

/* Keeps the rows of the nodes that were read in one row and are marked. */
static enum st_error keep_marked(struct st_listing *list)
{
    size_t read = list->count, next = 0;
    enum st_error error = ST_OK;
    list->count = 0;
    list->unmarked = list->registry->root.nodes_used - list->marks.reach;
    for (uint32_t i = 0; i < list->marks.reach && !error; i++) {
        struct st_fault fault;
        bool there = next < read && list->rows[next].ordinal == i;
        struct st_node node = {.serial = there ? list->rows[next].serial : 0,
                               .combiner = there ? list->rows[next].combiner : 0};
        if (!list->marks.row[i]) {
            list->unmarked += there;
        } else if (!there || st_check_node(i, &node, &fault)) {
            error = list_marked(list, i, &node); /* reports the damage; the row is not kept */
        } else {
            list->bases[list->count] = list->bases[next];
            list->rows[list->count++] = list->rows[next];
        }
        next += there;
    }
    return error;
}

/* Adds the nodes beyond the row, one by one. */
static enum st_error list_strays(struct st_listing *list)
{
    size_t count;
    uint32_t *strays = st_marks_strays(&list->marks, &count);
    enum st_error error = strays ? ST_OK : st_no_memory(list->fault);
    struct st_fault fault = {0};
    uint64_t unreadable = 0; /* address of the page: memory is mapped by pages */
    for (size_t i = 0; i < count && !error; i++) {
        struct st_node node;
        uint64_t address;
        if (st_node_address(list->registry, strays[i], &address, &fault) ||
            (fault.error && address / ST_PAGE == unreadable) ||
            st_read_nodes(list->registry, strays[i], 1, &node, &fault)) {
            unreadable = fault.address / ST_PAGE;
            error = list_damage(list, &list->unread, fault);
        } else {
            fault = (struct st_fault){0};
            error = list_marked(list, strays[i], &node);
        }
    }
    free(strays);
    return error;
}

/* Adds the node that `field` of the node `from` names, if it is not in the list yet. */
static enum st_error list_below_one(struct st_listing *list, const char *field, uint32_t from,
                                    uint32_t ordinal)
{
    struct st_fault fault;
    struct st_node node;
    if (ordinal >= list->registry->root.nodes_used) {
        st_bad_node(&fault, from, field, ordinal);
        return list_damage(list, &list->in_part, fault);
    }
    unsigned char *marks = st_mark_of(&list->marks, ordinal);
    if (!marks) {
        return st_no_memory(list->fault);
    }
    if (*marks) {
        return ST_OK;
    }
    *marks = ROW_KNOWN;
    if (st_read_used(list->registry, field, ordinal, &node, &fault)) {
        return list_damage(list, &list->unread, fault);
    }
    return add_row(list, ordinal, &node);
}

static enum st_error list_entries(struct st_listing *list, uint32_t ordinal)
{
    struct st_node node;
    struct st_fault fault = {0};
    uint64_t bytes = 0, count = 0, widths = 0;
    if (!st_read_node(list->registry, ordinal, &node, &fault) && node.block &&
        !st_open_block(list->registry, "block", ordinal, node.block, &bytes, &fault)) {
        widths = (node.flags & ST_OFFSETS_64 ? 8u : 4u) + (node.flags & ST_LENGTHS_64 ? 8u : 4u);
        count = node.args[0] < 0 ? 0 : (uint64_t)node.args[0];
        if (count > bytes / (widths + 4)) {
            st_bad_node(&fault, ordinal, "length", bytes);
        }
    }
    if (fault.error) {
        return list_damage(list, &list->in_part, fault);
    }
    uint64_t at = node.block + sizeof(struct st_block) + count * widths;
    enum st_error error = ST_OK;
    for (uint64_t e = 0; !error && e < count; e++) {
        uint32_t base;
        if (st_read_at(list->registry, at + e * sizeof base, &base, sizeof base, &fault)) {
            st_about(fault.error, "block", ordinal, &fault);
            return list_damage(list, &list->in_part, fault);
        }
        error = list_below_one(list, "types", ordinal, base);
    }
    return error;
}

/* Adds types that are alive only below another type. Added rows are visited in turn. */
static enum st_error list_below(struct st_listing *list)
{
    enum st_error error = ST_OK;
    for (size_t i = 0; i < list->count && !error; i++) {
        const struct st_row *row = &list->rows[i];
        if (row->flags & ST_ELIDED) {
            continue;
        }
        if (st_has_base(row->combiner)) {
            error = list_below_one(list, "base", row->ordinal, list->bases[i]);
        } else if (row->combiner == ST_STRUCT) {
            error = list_entries(list, row->ordinal);
        }
    }
    return error;
}

static int by_serial(const void *a, const void *b)
{
    uint64_t x = ((const struct st_row *)a)->serial;
    uint64_t y = ((const struct st_row *)b)->serial;
    return (x > y) - (x < y);
}

static void sort_rows(struct st_listing *list)
{
    for (size_t i = 1; i < list->count; i++) {
        if (list->rows[i - 1].serial > list->rows[i].serial) {
            qsort(list->rows, list->count, sizeof(*list->rows), by_serial);
            return;
        }
    }
}

enum st_error st_registry_rows(struct st_registry *registry, struct st_row **rows, size_t *count,
                               struct st_damage *damage, struct st_fault *fault)
{
    struct st_fault scratch;
    struct st_damage ignored;
    struct st_listing list = {.registry = registry,
                              .damage = damage ? damage : &ignored,
                              .fault = fault ? fault : &scratch};
    *list.damage = (struct st_damage){0};
    enum st_error error = read_all(&list);
    if (!error) {
        error = mark_table(&list);
    }
    if (!error) {
        error = mark_ring(&list);
    }
    if (!error) {
        error = keep_marked(&list);
    }
    if (!error) {
        error = list_strays(&list);
    }
    if (!error && list.unmarked) {
        error = list_below(&list);
    }
    for (size_t i = 0; i < list.count && !error; i++) {
        unsigned marks = *st_mark_of(&list.marks, list.rows[i].ordinal);
        list.rows[i].live = marks & ROW_LIVE;
        list.rows[i].tombstone = (marks & ROW_TOMBSTONE) && !(marks & ROW_LIVE);
        if (list.rows[i].live) { /* it may soon become a tombstone: that does not count yet */
            list.rows[i].flags &= (uint8_t)~ST_FREED;
        }
    }
    st_marks_deinit(&list.marks);
    free(list.bases);
    if (error) {
        free(list.rows);
        return error;
    }
    sort_rows(&list);
    *rows = list.rows;
    *count = list.count;
    list.damage->all = list.count + list.unread;
    list.damage->read = list.count > list.in_part ? list.count - list.in_part : 0;
    return ST_OK;
}

/* They are recorded in a row before any type of the user: the row ends at the first piece without
 * one. */
enum st_error st_registry_predefined(struct st_registry *registry, struct st_row **out,
                                     size_t *count, struct st_fault *fault)
{
    enum { FEW = 512 };
    const struct st_root *root = &registry->root;
    struct st_row *rows = NULL;
    size_t found = 0;
    uint32_t first = 0;
    for (bool more = true; more && first < root->nodes_used;) {
        struct st_node node;
        size_t bytes = (found + FEW) * sizeof(*rows);
        bool paid = st_affordable(&registry->memory, bytes);
        struct st_row *longer = paid ? realloc(rows, bytes) : NULL;
        if (!longer) {
            free(rows);
            return paid ? st_no_memory(fault) : st_bad_root(fault, "nodes_used", root->nodes_used);
        }
        rows = longer;
        more = false;
        for (uint32_t i = 0; i < FEW && first < root->nodes_used; i++, first++) {
            struct st_fault here = {0};
            if (st_read_node(registry, first, &node, &here)) {
                if (st_is_final(&here)) {
                    free(rows);
                    return st_fail(fault, here);
                }
                if (here.error == ST_UNREADABLE) {
                    more = false;
                    break;
                }
            } else if (node.combiner == ST_NAMED) {
                rows[found] = row_of(first, &node);
                rows[found++].live = true;
                more = true;
            }
        }
    }
    *out = rows;
    *count = found;
    return ST_OK;
}
