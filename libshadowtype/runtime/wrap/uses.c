/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/wrap/uses.h"

#include <string.h>

#include "runtime/wrap/constants.h"
#include "runtime/record/layouts.h"
#include "runtime/wrap/parts.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"

/* What all blocks of a part have in common. */
struct st_block_of {
    struct st_uses *uses;
    const struct st_facts *facts;
    const struct st_part *part;
    uint64_t base;
    uint8_t access;
    bool in_place;
};

void st_uses_init(struct st_uses *uses)
{
    uses->count = 0;
    uses->capacity = ST_USES_INSIDE;
    uses->list = uses->inside;
    uses->mapped = 0;
}

void st_uses_deinit(struct st_uses *uses)
{
    for (size_t i = 0; i < uses->count; i++) {
        if (uses->list[i].buffer.item.of) {
            bool locked = st_lock();
            st_layout_release(uses->list[i].buffer.item.of);
            st_unlock(locked);
        }
    }
    if (uses->mapped) {
        st_unmap(uses->list, uses->mapped);
    }
    st_uses_init(uses);
}

static struct st_use *next_use(struct st_uses *uses)
{
    if (uses->count == uses->capacity) {
        size_t bytes = uses->capacity * 4 * sizeof *uses->list;
        struct st_use *more = st_map(bytes);
        if (!more) {
            return NULL;
        }
        memcpy(more, uses->list, uses->count * sizeof *more);
        if (uses->mapped) {
            st_unmap(uses->list, uses->mapped);
        }
        uses->list = more;
        uses->mapped = bytes;
        uses->capacity *= 4;
    }
    return &uses->list[uses->count];
}

/* Adds the bytes of `count` elements. `shape` must be that of the type of `node`. The caller holds
 * the lock. */
static void add_bytes(const struct st_block_of *of, const struct st_shape *shape, uint32_t node,
                      uint64_t address, int64_t count)
{
    struct st_use *use = next_use(of->uses);
    if (!use) {
        return;
    }
    *use = (struct st_use){.address = address,
                           .count = count,
                           .node = node,
                           .members = 1,
                           .part = of->part,
                           .access = of->access,
                           .active = true,
                           .in_place = of->in_place};
    st_buffer_repeat(&use->buffer, shape->layout, shape->has_extent, shape->extent, count, address);
    if (use->buffer.doubt || !use->buffer.span) {
        return;
    }
    if (use->buffer.item.of) {
        st_layout_ref(use->buffer.item.of);
    }
    of->uses->count++;
}

/* Adds the blocks from `from` on, `members` of them, with `count` elements each. */
static void add_use(const struct st_block_of *of, uint64_t type, int64_t from, int64_t count,
                    int64_t members)
{
    uint32_t node;
    int64_t all;
    if (count <= 0 || members <= 0 || __builtin_mul_overflow(count, members, &all)) {
        return;
    }
    bool locked = st_lock();
    const struct st_shape *shape = st_shape_at(type, &node);
    if (shape && shape->layout && (shape->has_extent || (all == 1 && !from))) {
        size_t before = of->uses->count;
        uint64_t block = (uint64_t)count * (uint64_t)(shape->has_extent ? shape->extent : 0);
        add_bytes(of, shape, node, of->base + (uint64_t)from * block, all);
        if (of->uses->count > before) {
            of->uses->list[before].members = members > INT32_MAX ? INT32_MAX : (int32_t)members;
        }
    }
    st_unlock(locked);
}

/* Adds the block at a displacement: in elements of the type, or in bytes if each block has another
 * type. */
static void add_displaced(const struct st_block_of *of, int64_t member)
{
    const struct st_part *part = of->part;
    uint32_t node;
    int64_t count = st_part_count(of->facts, part, member);
    int64_t displacement = st_number_at(of->facts, part->displs, member);
    if (count <= 0) {
        return;
    }
    bool locked = st_lock();
    const struct st_shape *shape = st_shape_at(st_part_type(of->facts, part, member), &node);
    if (shape && shape->layout && (shape->has_extent || (count == 1 && part->types))) {
        add_bytes(of, shape, node,
                  of->base + (uint64_t)displacement *
                                 (part->types ? UINT64_C(1) : (uint64_t)shape->extent),
                  count);
    }
    st_unlock(locked);
}

static bool is_in_place(const struct st_facts *facts, const struct st_part *part)
{
    return part->in_place != ST_NEVER && facts->values[part->buffer] == st_numbers.in_place;
}

/* Returns the other part of a collective with two parts if it is MPI_IN_PLACE; else NULL. */
static const struct st_part *in_place_beside(const struct st_facts *facts,
                                             const struct st_part *part)
{
    for (int i = 0; i < facts->form->part_count; i++) {
        const struct st_part *other = &facts->form->parts[i];
        if (other != part && other->buffer >= 0 && is_in_place(facts, other) &&
            st_part_is_significant(facts, other)) {
            return other;
        }
    }
    return NULL;
}

/* Returns how the rank's own block is used; 0: not at all. With MPI_IN_PLACE nothing is sent to it,
 * and in some functions it is the input. */
static uint8_t own_access(const struct st_facts *facts, const struct st_part *part, uint8_t access)
{
    const struct st_part *other = in_place_beside(facts, part);
    if (!other || facts->form->op >= 0 || facts->comm.inter) {
        return access;
    }
    if (part->when == ST_AT_ROOT) { /* gather, scatter */
        return 0;
    }
    return other->each || other->displs >= 0 ? access : ST_READ; /* alltoall; allgather */
}

static bool is_null_neighbour(const struct st_facts *facts, int64_t member)
{
    const struct st_form *form = facts->form;
    return form->neighbours && st_ask_neighbour_null(facts->values[form->comm], member);
}

/* Adds blocks of equal length for all ranks, one after the other: all as one, or those around the
 * own block. */
static void add_around(struct st_block_of of, uint8_t own)
{
    uint64_t type = st_part_type(of.facts, of.part, 0);
    int64_t count = st_part_count(of.facts, of.part, 0);
    int64_t rank = of.facts->comm.rank, size = of.facts->comm.size;
    if (own == of.access) {
        add_use(&of, type, 0, count, size);
        return;
    }
    add_use(&of, type, 0, count, rank);
    add_use(&of, type, rank + 1, count, size - rank - 1);
    of.access = own;
    if (own) {
        add_use(&of, type, rank, count, 1);
    }
}

/* Adds the blocks of all ranks or neighbours. */
static void add_each(struct st_block_of of)
{
    const struct st_facts *facts = of.facts;
    const struct st_part *part = of.part;
    uint8_t access = of.access, own = own_access(facts, part, access);
    int64_t members = facts->form->neighbours
                          ? st_ask_neighbours(facts->values[facts->form->comm], access == ST_READ)
                          : facts->comm.size;
    if (part->each && !facts->form->neighbours) {
        add_around(of, own);
        return;
    }
    for (int64_t i = 0; i < members; i++) {
        of.access = !facts->form->neighbours && i == facts->comm.rank ? own : access;
        if (!of.access || is_null_neighbour(facts, i)) {
            continue;
        }
        if (part->displs >= 0) {
            add_displaced(&of, i);
        } else {
            add_use(&of, st_part_type(facts, part, 0), i, st_part_count(facts, part, 0), 1);
        }
    }
}

static int64_t sum_of(const struct st_facts *facts, const struct st_part *part)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < facts->comm.size; i++) {
        if (__builtin_add_overflow(sum, st_part_count(facts, part, i), &sum)) {
            return 0;
        }
    }
    return sum;
}

/* Adds the buffer of a reduction that scatters its result: each rank has input for all, and gets
 * its own part. */
static void add_scattered(struct st_block_of of)
{
    const struct st_facts *facts = of.facts;
    const struct st_part *part = of.part, *other = in_place_beside(facts, part);
    uint64_t type = facts->values[part->type];
    if (facts->comm.inter) {
        return;
    }
    int64_t mine = st_part_count(facts, part, facts->comm.rank);
    int64_t all = part->counts ? sum_of(facts, part) : mine;
    int64_t times = part->counts ? 1 : facts->comm.size;
    if (of.access == ST_READ) {
        add_use(&of, type, 0, all, times);
        return;
    }
    add_use(&of, type, 0, mine, 1);
    if (other) {
        of.access = ST_READ;
        of.in_place = true;
        add_use(&of, type, 0, all, times);
    }
}

/* Adds partitions. MPI uses each from a different time on: one that is sent from when it is ready,
 * one that is received until it has arrived. */
static void add_partitions(const struct st_block_of *of)
{
    const struct st_facts *facts = of->facts;
    const struct st_part *part = of->part;
    int64_t partitions = (int64_t)facts->values[part->times];
    uint64_t type = st_part_type(facts, part, 0);
    int64_t count = st_part_count(facts, part, 0);
    bool apart = partitions <= ST_MOST_PARTITIONS;
    size_t first = of->uses->count;
    for (int64_t i = 0; apart && i < partitions; i++) {
        add_use(of, type, i, count, 1);
    }
    if (!apart) {
        add_use(of, type, 0, count, partitions);
    }
    for (size_t i = first; i < of->uses->count; i++) {
        of->uses->list[i].active = apart && of->access == ST_WRITE;
    }
}

static bool is_sound(const struct st_facts *facts, const struct st_part *part)
{
    const int numbers[] = {part->buffer, part->count, part->type, part->displs};
    for (int i = 0; i < 4; i++) {
        if (numbers[i] >= 0 && st_found_at(facts, numbers[i])) {
            return false;
        }
    }
    if ((part->counts && !facts->values[part->count]) ||
        (part->types && !facts->values[part->type])) {
        return false;
    }
    return part->displs < 0 || facts->values[part->displs];
}

static void add_part(struct st_uses *uses, const struct st_facts *facts, const struct st_part *part)
{
    const struct st_form *form = facts->form;
    if (!part->access || part->buffer < 0 || !is_sound(facts, part) ||
        !st_part_is_significant(facts, part) || is_in_place(facts, part)) {
        return;
    }
    struct st_block_of of = {.uses = uses,
                             .facts = facts,
                             .part = part,
                             .base = facts->values[part->buffer],
                             .access = part->access};
    if (part->access == ST_BCAST) {
        if (!facts->has_comm) {
            return;
        }
        of.access = st_is_root(facts) ? ST_READ : ST_WRITE;
    }
    bool by_rank = part->each || part->counts;
    bool scatters = form->op >= 0 && form->win < 0 && form->comm >= 0 &&
                    (by_rank || (form->part_count > 1 && form->parts[0].each));
    if ((by_rank || scatters) && !facts->has_comm) {
        return;
    }
    if (scatters) {
        add_scattered(of);
    } else if (by_rank) {
        add_each(of);
    } else if (part->times >= 0) {
        add_partitions(&of);
    } else {
        add_use(&of, st_part_type(facts, part, 0), 0, st_part_count(facts, part, 0), 1);
    }
}

void st_uses_of(struct st_uses *uses, const struct st_facts *facts)
{
    st_uses_init(uses);
    for (int i = 0; i < facts->form->part_count; i++) {
        add_part(uses, facts, &facts->form->parts[i]);
    }
}

void st_uses_of_quick(struct st_uses *uses, const struct st_facts *facts)
{
    const struct st_part *part = &facts->form->parts[0];
    struct st_block_of of = {.uses = uses,
                             .facts = facts,
                             .part = part,
                             .base = facts->values[part->buffer],
                             .access = part->access};
    st_uses_init(uses);
    add_use(&of, facts->values[part->type], 0, (int64_t)facts->values[part->count], 1);
}

static int32_t clip_number(int64_t value)
{
    return value >= 0 && value <= INT32_MAX ? (int32_t)value : ST_PEER_NONE;
}

void st_uses_peer(const struct st_facts *facts, int32_t *peer, int32_t *tag)
{
    const struct st_form *form = facts->form;
    int number = form->part_count ? form->parts[0].peer : -1;
    *peer = *tag = ST_PEER_NONE;
    if (number >= 0 && form->parameters[number].role != ST_ROLE_MESSAGE) {
        *peer = (int64_t)facts->values[number] == st_numbers.any_source ? ST_PEER_ANY
                : (int64_t)facts->values[number] == st_numbers.proc_null
                    ? ST_PEER_NULL
                    : clip_number((int64_t)facts->values[number]);
    } else if (form->root >= 0) {
        *peer = clip_number((int64_t)facts->values[form->root]);
    }
    if (form->tag >= 0) {
        *tag = (int64_t)facts->values[form->tag] == st_numbers.any_tag
                   ? ST_PEER_ANY
                   : clip_number((int64_t)facts->values[form->tag]);
    }
}
