/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes a node and all below it. */
#include "core/decode/decode_internal.h"

#include <stdlib.h>
#include <string.h>

static enum st_error check_counts(const struct st_type *type, struct st_fault *fault)
{
    static const char *const counts[] = {"count", "ndims", "blocklength"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int at = st_combiner_find_argument(type->combiner, counts[i]);
        if (at >= 0 && type->args[at] < 0) {
            return st_bad_node(fault, type->ordinal, counts[i], (uint64_t)type->args[at]);
        }
    }
    for (int64_t i = 0; type->lengths && i < type->entries; i++) {
        if (type->lengths[i] < 0) {
            return st_bad_node(fault, type->ordinal, "blocklength", (uint64_t)type->lengths[i]);
        }
    }
    return ST_OK;
}

/* Returns true if the name is valid: it is used in sentences and in element addresses. */
static bool sound_name(const struct st_type *type)
{
    for (const char *c = type->name; type->combiner == ST_NAMED && c && *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            return false;
        }
    }
    return true;
}

static void name_leaf(struct st_type *type)
{
    static const char *const f90[] = {"MPI_REAL", "MPI_COMPLEX", "MPI_INTEGER"};
    type->leaf = type->combiner == ST_NAMED ||
                 (type->combiner >= ST_F90_REAL && type->combiner <= ST_F90_INTEGER);
    if (type->combiner == ST_NAMED) {
        type->basic = st_basic_of(type->name ? type->name : "", type->args[1]);
    } else if (type->leaf) {
        type->basic = st_basic_of(f90[type->combiner - ST_F90_REAL], type->args[2]);
        type->basic.name = st_combiner_name(type->combiner);
    }
}

/* A type whose bases are not decoded yet. */
struct st_undecoded {
    struct st_undecoded *below;
    struct st_type *type;
    const uint32_t *bases; /* of a struct; for others `base` */
    uint32_t base;
    int64_t next; /* the entry to visit next */
};

/* Decodes one node and its arrays; *pending then lists what is below it. */
static enum st_error decode_one(struct st_registry *registry, uint32_t ordinal,
                                struct st_undecoded *pending, struct st_fault *fault)
{
    struct st_node node;
    enum st_error error = st_read_node(registry, ordinal, &node, fault);
    if (error) {
        return error;
    }
    bool live = true;
    if (node.flags & ST_FREED) {
        error = st_is_live(registry, ordinal, node.handle, &live, fault);
        if (error && st_is_final(fault)) {
            return error;
        }
    }
    if (live) {
        st_drop_freed(&node);
    }
    struct st_pool *pool = &registry->types->pool;
    if (!st_types_affordable(registry, sizeof(struct st_type))) {
        return st_bad_root(fault, "nodes_used", registry->root.nodes_used);
    }
    struct st_type *type = st_pool_take(pool, sizeof(*type));
    if (!type) {
        return st_no_memory(fault);
    }
    *type = (struct st_type){
        .handle = node.handle,
        .serial = node.serial,
        .ordinal = ordinal,
        .combiner = node.combiner,
        .flags = node.flags,
        .created = node.created,
        .committed = node.committed,
        .freed = node.freed,
        .references = node.references,
        .handles = node.handles,
        .fortran = node.fortran,
        .args = {node.args[0], node.args[1], node.args[2]},
        .lb = node.lb,
        .extent = node.extent,
    };
    char *name;
    error = st_registry_name(registry, ordinal, node.name, &name, fault);
    if (error) {
        return error;
    }
    if (name) {
        size_t length = strlen(name) + 1;
        bool paid = st_types_affordable(registry, length);
        char *copy = paid ? st_pool_take(pool, length) : NULL;
        if (copy) {
            memcpy(copy, name, length);
        }
        free(name);
        if (!copy) {
            return paid ? st_no_memory(fault) : st_bad_node(fault, ordinal, "name", node.name);
        }
        type->name = copy;
    }
    pending->type = type;
    pending->next = 0;
    bool based = st_has_base(type->combiner) && !st_elided(type);
    pending->base = based ? node.base : ST_NO_NODE;
    if (based && node.base == ST_NO_NODE) {
        return st_bad_node(fault, ordinal, "base", node.base);
    }
    error = st_decode_arrays(registry, type, &node, &pending->bases, fault);
    if (!error) {
        error = check_counts(type, fault);
    }
    name_leaf(type);
    if (!error && !sound_name(type)) {
        error = st_bad_node(fault, ordinal, "name", node.name);
    }
    if (!error && type->leaf && type->basic.size > ST_MOST_BASIC) {
        error = st_bad_node(fault, ordinal, "size", (uint64_t)type->basic.size);
    }
    return error;
}

/* Stores the next base to visit. Returns false if none is left. */
static bool next_base(const struct st_undecoded *pending, uint32_t *ordinal)
{
    if (pending->bases) {
        if (pending->next >= pending->type->entries) {
            return false;
        }
        *ordinal = pending->bases[pending->next];
        return true;
    }
    *ordinal = pending->base;
    return pending->base != ST_NO_NODE && pending->next == 0;
}

static void set_base(struct st_undecoded *pending, const struct st_type *base)
{
    if (pending->bases) {
        /* The array belongs to the pool, and the type is not published yet. */
        const struct st_type **types = (const struct st_type **)(uintptr_t)pending->type->types;
        types[pending->next] = base;
    } else {
        pending->type->base = base;
    }
    pending->next++;
}

/* The current position. A walk in a circle comes back to the node that it remembers: the last one
 * whose depth was a power of two (Brent's algorithm). */
struct st_descent {
    size_t depth, remembered_at;
    uint32_t remembered;
};

static bool in_a_circle(struct st_descent *descent, uint32_t ordinal)
{
    descent->depth++;
    if (descent->remembered_at && descent->depth > descent->remembered_at &&
        descent->remembered == ordinal) {
        return true;
    }
    if ((descent->depth & (descent->depth - 1)) == 0) {
        descent->remembered_at = descent->depth;
        descent->remembered = ordinal;
    }
    return false;
}

static void go_up(struct st_descent *descent)
{
    if (--descent->depth < descent->remembered_at) {
        descent->remembered_at = 0;
    }
}

static enum st_error push_node(struct st_registry *registry, struct st_undecoded **top,
                               uint32_t ordinal, struct st_descent *descent, struct st_fault *fault)
{
    if (in_a_circle(descent, ordinal)) {
        return st_fail(fault, (struct st_fault){.error = ST_CYCLE, .node = ordinal});
    }
    struct st_undecoded *pending = calloc(1, sizeof(*pending));
    if (!pending) {
        return st_no_memory(fault);
    }
    pending->below = *top;
    *top = pending;
    enum st_error error = decode_one(registry, ordinal, pending, fault);
    if (error == ST_NO_SUCH_NODE && pending->below) {
        error = st_bad_node(fault, pending->below->type->ordinal,
                            pending->below->bases ? "types" : "base", ordinal);
    }
    return error;
}

/* Returns true if all that is shown of a predefined type is final. */
static bool is_settled(const struct st_registry *registry, const struct st_type *type)
{
    return type->combiner == ST_NAMED && type->args[0] >= 0 &&
           registry->root.state != ST_STATE_LOADED && !(registry->root.changes & 1) &&
           !st_lasting_leaf(registry->lasting, type->ordinal);
}

/* Goes depth first with a stack on the heap: a tree may be a million levels deep. */
static enum st_error decode_tree(struct st_registry *registry, uint32_t ordinal,
                                 struct st_fault *fault)
{
    struct st_undecoded *top = NULL;
    struct st_descent descent = {0};
    struct st_types_mark mark = st_types_mark(registry->types);
    enum st_error error = push_node(registry, &top, ordinal, &descent, fault);
    while (top && !error) {
        uint32_t below;
        if (next_base(top, &below)) {
            const struct st_type *base = st_types_get(registry->types, below);
            base = base ? base : st_lasting_leaf(registry->lasting, below);
            if (base) {
                set_base(top, base);
            } else {
                error = push_node(registry, &top, below, &descent, fault);
            }
            continue;
        }
        st_measure(top->type);
        if (!st_types_put(registry->types, top->type)) {
            error = st_no_memory(fault);
            break;
        }
        mark = st_types_mark(registry->types);
        if (is_settled(registry, top->type)) {
            st_lasting_keep_leaf(registry->lasting, top->type);
        }
        struct st_undecoded *done = top;
        top = top->below;
        go_up(&descent);
        free(done);
    }
    if (error) { /* frees the memory; else each attempt at a damaged type would cost as much
                    again */
        st_types_give_back(registry->types, mark);
    }
    while (top) {
        struct st_undecoded *next = top->below;
        free(top);
        top = next;
    }
    return error;
}

enum st_error st_registry_type(struct st_registry *registry, uint32_t ordinal, uint64_t serial,
                               const struct st_type **out, struct st_fault *fault)
{
    struct st_fault scratch;
    fault = fault ? fault : &scratch;
    struct st_type *type = st_types_get(registry->types, ordinal);
    if (!type) {
        enum st_error error = decode_tree(registry, ordinal, fault);
        if (error) {
            return error;
        }
        type = st_types_get(registry->types, ordinal);
    }
    if (!type || (serial && type->serial != serial)) {
        return st_fail(fault, (struct st_fault){.error = ST_NO_SUCH_NODE, .node = ordinal});
    }
    *out = type;
    return ST_OK;
}

enum st_handle_state st_registry_find(struct st_registry *registry, uint64_t handle,
                                      const struct st_type **type, struct st_fault *fault)
{
    uint32_t ordinal;
    bool live;
    enum st_error error = st_find_node(registry, handle, &ordinal, &live, fault);
    if (!error && ordinal == ST_NO_NODE) {
        return ST_UNKNOWN_HANDLE;
    }
    error = error ? error : st_registry_type(registry, ordinal, 0, type, fault);
    if (error) {
        return ST_FIND_FAILED;
    }
    return live ? ST_LIVE : ST_TOMBSTONE;
}
