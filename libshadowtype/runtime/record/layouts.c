#include "runtime/record/layouts.h"

#include <string.h>

#include "core/decode/decode.h"
#include "core/layout/alignment.h"
#include "core/layout/layout.h"
#include "core/overlap/self_overlap.h"
#include "runtime/record/arena.h"
#include "runtime/record/lock.h"
#include "runtime/record/table.h"

/* What one question may cost: some milliseconds at the very worst. */
enum { STEPS = 1 << 16, LOG2_SHAPES = 9 };

static struct st_shape shapes[1 << LOG2_SHAPES];
static struct st_registry *registry;

/* The registry is this process' own, and nobody changes it meanwhile: the lock is held. What is asked
 * for may be more than that: pages ahead, which need not be there. A part of one page always is. */
static enum st_read_result read_own(uint64_t address, void *buffer, size_t length, void *context)
{
    (void)context;
    if (address % ST_PAGE + length > ST_PAGE)
        return ST_READ_FAILED;
    memcpy(buffer, st_pointer(address), length);
    return ST_READ_OK;
}

static bool is_open(void)
{
    struct st_fault fault = {0};
    bool changed;
    if (!registry && st_registry_open(&registry, read_own, NULL, st_address(&st_root), &fault))
        registry = NULL;
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

static void align(const struct st_layout *layout, const struct st_type *type,
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
        st_self_overlap(&layouts, type, INT64_MAX, &effort, &self) == ST_YES)
        shape->overlaps_at = self.count;
    if (!type->measure.unknown && st_layout_of(&layouts, type, &effort, &layout) == ST_OK) {
        align(layout, type, shape);
        shape->layout = layout->doubt ? NULL : st_layout_ref(layout);
    }
    st_layouts_deinit(&layouts);
}

static struct st_shape *place_of(uint64_t serial)
{
    return &shapes[serial * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_SHAPES)];
}

const struct st_shape *st_shape_at(uint64_t handle, uint32_t *ordinal)
{
    *ordinal = st_table_find(handle);
    if (*ordinal == ST_NO_NODE || st_node_at(*ordinal)->combiner == ST_OPAQUE)
        return NULL;
    uint64_t serial = st_node_at(*ordinal)->serial;
    struct st_shape *known = place_of(serial);
    if (known->serial == serial)
        return known;
    const struct st_type *type = st_tree_of_node(*ordinal);
    if (!type)
        return NULL;
    if (known->layout)
        st_layout_release(known->layout);
    known->serial = 0;
    work_out(type, known);
    known->serial = serial;
    return known;
}

bool st_shape_of(uint64_t handle, struct st_shape *shape)
{
    uint32_t ordinal;
    bool locked = st_lock();
    const struct st_shape *known = st_shape_at(handle, &ordinal);
    bool derived = known && !(st_node_at(ordinal)->flags & ST_PREDEFINED);
    if (derived)
        *shape = *known;
    st_unlock(locked);
    return derived;
}
