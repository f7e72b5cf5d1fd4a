/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/quick.h"

#include "runtime/wrap/constants.h"
#include "runtime/record/arena.h"

struct st_quick st_quick;
_Atomic uint32_t st_quick_epoch;
_Atomic uint64_t st_quick_right[1 << ST_LOG2_RIGHT];
_Thread_local struct st_quick_comm st_quick_last __attribute__((tls_model("initial-exec")));

enum { MOST_BASIC = 128 }; /* of which it is seen to that they share no place */

static bool is_basic(const struct st_node *node)
{
    return node->serial && node->combiner == ST_NAMED && node->args[0] > 0 && node->handle;
}

/* Of types that share a place the last one has it; the others take the long way. */
static void put_type(const struct st_node *node, uint32_t number)
{
    uint32_t place = st_quick_place(node->handle);
    bool solid = node->args[0] == node->args[1] && node->args[0] == node->args[2];
    st_quick.types[place] = node->handle;
    st_quick.basic[place].node = number;
    st_quick.basic[place].bytes = solid ? (uint32_t)node->args[0] : 0;
}

/* Reads the basic types with data: the first nodes of the registry. */
static void read_types(void)
{
    uint64_t handles[MOST_BASIC];
    uint32_t count = 0;
    for (uint32_t i = 0; i < st_root.nodes_used && count < MOST_BASIC; i++) {
        if (is_basic(st_node_at(i))) {
            handles[count++] = st_node_at(i)->handle;
        }
    }
    if (!st_quick.multiplier) {
        st_quick.multiplier = st_quick_spread(handles, count);
    }
    for (uint32_t i = 0; i < st_root.nodes_used; i++) {
        if (is_basic(st_node_at(i))) {
            put_type(st_node_at(i), i);
        }
    }
    /* Handle 0 has its place here and is no type: fill the place with another value. */
    if (!st_quick.types[0]) {
        st_quick.types[0] = 1;
    }
}

/* --- derived types ------------------------------------------------------------------------- */

enum { LOG2_DERIVED = 5 };
static struct st_quick_derived derived[1 << LOG2_DERIVED];

static bool is_committed(const struct st_node *node)
{
    return (node->flags & (ST_COMMITTED | ST_FREED)) == ST_COMMITTED;
}

static struct st_quick_derived *look_up(struct st_quick_derived *known, uint64_t type)
{
    uint32_t ordinal;
    const struct st_shape *shape = st_shape_at(type, &ordinal);
    if (!shape || !shape->layout || !shape->has_extent || shape->reversed ||
        !is_committed(st_node_at(ordinal))) {
        return NULL;
    }
    *known = (struct st_quick_derived){.handle = type,
                                       .serial = shape->serial,
                                       .node = st_node_at(ordinal),
                                       .shape = shape,
                                       .ordinal = ordinal,
                                       .count = -1};
    return known;
}

struct st_quick_derived *st_quick_derived(uint64_t type)
{
    struct st_quick_derived *known =
        &derived[type * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_DERIVED)];
    if (atomic_load_explicit(&st_lock_armed, memory_order_relaxed)) {
        return NULL;
    }
    bool stands = known->handle == type && known->node && known->node->serial == known->serial &&
                  known->shape->serial == known->serial && is_committed(known->node);
    return stands ? known : look_up(known, type);
}

bool st_quick_shaped(const void *buffer, int64_t count, uint64_t type, uint8_t access)
{
    const struct st_quick_derived *known = count > 0 ? st_quick_derived(type) : NULL;
    if (!known) {
        return false;
    }
    const struct st_shape *shape = known->shape;
    uint32_t modulus = shape->modulus[count > 1];
    bool twice = access == ST_WRITE && shape->overlaps_at && shape->overlaps_at <= count;
    return !twice && modulus && ((uintptr_t)buffer & (modulus - 1)) == shape->remainder[count > 1];
}

void st_quick_begin(bool world)
{
    struct st_comm_facts facts;
    st_quick.in_place = st_numbers.in_place;
    st_quick.request_null = st_numbers.null[ST_KIND_REQUEST];
    st_quick.any_source = (int32_t)st_numbers.any_source;
    st_quick.any_tag = (int32_t)st_numbers.any_tag;
    st_quick.tag_ub = (uint32_t)st_numbers.tag_ub;
    read_types();
    if (world && st_ask_comm(st_numbers.comm_world, &facts)) {
        st_quick.world_size = facts.size;
        st_quick.world_rank = facts.rank;
        st_quick.world = st_numbers.comm_world;
    }
}
