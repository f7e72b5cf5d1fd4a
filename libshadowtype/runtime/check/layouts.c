#include "runtime/check/layouts.h"

#include <string.h>

#include "core/decode.h"
#include "core/layout/alignment.h"
#include "core/layout/layout.h"
#include "core/layout/self_overlap.h"
#include "runtime/check/types.h"
#include "runtime/lock.h"
#include "runtime/root.h"

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
    enum st_found found =
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
    shape->overlaps_at = 0;
    shape->modulus[0] = shape->modulus[1] = 1;
    shape->remainder[0] = shape->remainder[1] = 0;
    shape->reversed =
        type->combiner == ST_STRUCT && type->extent != ST_EXTENT_UNKNOWN && type->extent < 0;
    st_layouts_init(&layouts);
    if (!type->measure.unknown &&
        st_self_overlap(&layouts, type, INT64_MAX, &effort, &self) == ST_YES)
        shape->overlaps_at = self.count;
    if (!type->measure.unknown && st_layout_of(&layouts, type, &effort, &layout) == ST_OK)
        align(layout, type, shape);
    st_layouts_deinit(&layouts);
}

static struct st_shape *place_of(uint64_t serial)
{
    return &shapes[serial * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_SHAPES)];
}

bool st_shape_of(uint64_t handle, struct st_shape *shape)
{
    struct st_meaning meaning;
    bool locked = st_lock();
    st_type_meaning(handle, &meaning);
    bool derived = meaning.life == ST_LIVE_TYPE && meaning.node->combiner != ST_OPAQUE &&
                   !(meaning.node->flags & ST_PREDEFINED);
    if (derived) {
        struct st_shape *known = place_of(meaning.node->serial);
        if (known->serial != meaning.node->serial) {
            const struct st_type *type = st_tree_of_handle(handle);
            if (type) {
                work_out(type, known);
                known->serial = meaning.node->serial;
            } else {
                derived = false;
            }
        }
        *shape = *known;
    }
    st_unlock(locked);
    return derived;
}
