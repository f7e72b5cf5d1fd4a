/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/record/layouts.h"

#include <string.h>

#include "core/decode/decode.h"
#include "core/layout/alignment.h"
#include "core/layout/layout.h"
#include "core/overlap/self_overlap.h"
#include "runtime/record/arena.h"
#include "runtime/record/lock.h"
#include "runtime/record/table.h"

/* The most work for one question: some milliseconds in the worst case. */
enum { STEPS = 1 << 16, LOG2_SHAPES = 9, LOG2_BUILDS = 6 };

static struct st_shape shapes[1 << LOG2_SHAPES];

/* How a type without arrays was built. Types that were built in the same way have the same shape: a
 * program that makes a type anew for each message pays for the algebra once. */
struct st_build {
    uint64_t combiner;
    uint64_t base; /* its serial */
    int64_t args[3], lb, extent;
};

/* The last shape of a build; combiner 0: the entry is empty. */
static struct st_built_shape {
    struct st_build build;
    struct st_shape shape;
} built_shapes[1 << LOG2_BUILDS];

static struct st_registry *registry;

/* Reads this process' own registry. The lock is held, so no other thread changes it. The read-ahead
 * of the cache may ask for pages that are not mapped; a part of one page always is. */
static enum st_read_result read_own(uint64_t address, void *buffer, size_t length, void *context)
{
    (void)context;
    if (address % ST_PAGE + length > ST_PAGE) {
        return ST_READ_FAILED;
    }
    memcpy(buffer, st_pointer(address), length);
    return ST_READ_OK;
}

static bool is_open(void)
{
    struct st_fault fault = {0};
    bool changed;
    if (!registry && st_registry_open(&registry, read_own, NULL, st_address(&st_root), &fault)) {
        registry = NULL;
    }
    return registry && !st_registry_refresh(registry, &changed, &fault);
}

const struct st_type *st_tree_of_handle(uint64_t handle)
{
    struct st_fault fault = {0};
    const struct st_type *type = NULL;
    enum st_handle_state found =
        is_open() ? st_registry_find(registry, handle, &type, &fault) : ST_FIND_FAILED;
    return found == ST_LIVE || found == ST_TOMBSTONE ? type : NULL;
}

const struct st_type *st_tree_of_node(uint32_t ordinal)
{
    struct st_fault fault = {0};
    const struct st_type *type = NULL;
    return is_open() && !st_registry_type(registry, ordinal, 0, &type, &fault) ? type : NULL;
}

static void align_shape(const struct st_layout *layout, const struct st_type *type,
                        struct st_shape *shape)
{
    for (int several = 0; several < 2; several++) {
        struct st_alignment alignment;
        bool somewhere = st_alignment_of(layout, type, 1 + several, &alignment);
        shape->modulus[several] = somewhere ? (uint32_t)alignment.modulus : 0;
        shape->remainder[several] = somewhere ? (uint32_t)alignment.remainder : 0;
    }
}

static void work_out(const struct st_type *type, struct st_shape *shape)
{
    struct st_layouts layouts;
    struct st_effort effort = st_effort_of(STEPS);
    struct st_self_overlap self;
    const struct st_layout *layout;
    shape->layout = NULL;
    shape->has_extent = st_extent(type, &shape->extent);
    shape->overlaps_at = 0;
    shape->modulus[0] = shape->modulus[1] = 1;
    shape->remainder[0] = shape->remainder[1] = 0;
    shape->reversed =
        type->combiner == ST_STRUCT && type->extent != ST_EXTENT_UNKNOWN && type->extent < 0;
    st_layouts_init(&layouts);
    if (!type->measure.unknown &&
        st_self_overlap(&layouts, type, INT64_MAX, &effort, &self) == ST_YES) {
        shape->overlaps_at = self.count;
    }
    if (!type->measure.unknown && st_layout_of(&layouts, type, &effort, &layout) == ST_OK) {
        align_shape(layout, type, shape);
        shape->layout = layout->doubt ? NULL : st_layout_ref(layout);
    }
    st_layouts_deinit(&layouts);
}

static uint64_t mixed(uint64_t number)
{
    return number * UINT64_C(0x9E3779B97F4A7C15);
}

static struct st_shape *shape_place(uint64_t serial)
{
    return &shapes[mixed(serial) >> (64 - LOG2_SHAPES)];
}

/* Returns false if the node alone does not show how its type was built. */
static bool read_build(const struct st_node *node, struct st_build *build)
{
    if (node->block || node->base == ST_NO_NODE || node->flags & ST_ELIDED) {
        return false;
    }
    const struct st_node *base = st_node_at(node->base);
    if (base->combiner == ST_OPAQUE) {
        return false;
    }
    *build = (struct st_build){.combiner = node->combiner,
                               .base = base->serial,
                               .args = {node->args[0], node->args[1], node->args[2]},
                               .lb = node->lb,
                               .extent = node->extent};
    return true;
}

static struct st_built_shape *place_of_build(const struct st_build *build)
{
    uint64_t key = mixed(build->combiner ^ build->base << 8);
    for (int i = 0; i < 3; i++) {
        key = mixed(key ^ (uint64_t)build->args[i]);
    }
    return &built_shapes[key >> (64 - LOG2_BUILDS)];
}

/* Copies *from to *to, with another reference to the layout. */
static void copy_shape(struct st_shape *to, const struct st_shape *from)
{
    if (to->layout) {
        st_layout_release(to->layout);
    }
    *to = *from;
    if (to->layout) {
        st_layout_ref(to->layout);
    }
}

/* Computes the shape of a node's type, or takes that of a type built in the same way. */
static bool find_shape(uint32_t ordinal, struct st_shape *shape)
{
    struct st_build build;
    struct st_built_shape *alike =
        read_build(st_node_at(ordinal), &build) ? place_of_build(&build) : NULL;
    if (alike && memcmp(&alike->build, &build, sizeof build) == 0) {
        copy_shape(shape, &alike->shape);
        return true;
    }
    const struct st_type *type = st_tree_of_node(ordinal);
    if (!type) {
        return false;
    }
    if (shape->layout) {
        st_layout_release(shape->layout);
    }
    work_out(type, shape);
    if (alike) {
        copy_shape(&alike->shape, shape);
        alike->build = build;
    }
    return true;
}

const struct st_shape *st_shape_at(uint64_t handle, uint32_t *ordinal)
{
    *ordinal = st_table_find(handle);
    if (*ordinal == ST_NO_NODE || st_node_at(*ordinal)->combiner == ST_OPAQUE) {
        return NULL;
    }
    uint64_t serial = st_node_at(*ordinal)->serial;
    struct st_shape *known = shape_place(serial);
    if (known->serial == serial) {
        return known;
    }
    known->serial = 0;
    if (!find_shape(*ordinal, known)) {
        return NULL;
    }
    known->serial = serial;
    return known;
}

bool st_shape_of(uint64_t handle, struct st_shape *shape)
{
    uint32_t ordinal;
    bool locked = st_lock();
    const struct st_shape *known = st_shape_at(handle, &ordinal);
    bool derived = known && !(st_node_at(ordinal)->flags & ST_PREDEFINED);
    if (derived) {
        *shape = *known;
    }
    st_unlock(locked);
    return derived;
}
