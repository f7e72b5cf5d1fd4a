/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the algebra (core/layout) finds out about a type: its bytes, whether it names a byte twice, and at which
 * addresses its basic elements are aligned. Computed once for each type, and kept.
 */
#ifndef ST_RUNTIME_RECORD_LAYOUTS_H
#define ST_RUNTIME_RECORD_LAYOUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/type.h"

struct st_shape {
    uint64_t serial;     /* of the type's node; 0: the entry is free */
    int64_t overlaps_at; /* the smallest count that names a byte twice; 0: none, or undecided */
    /* With [0] for one element and [1] for several: aligned where address % modulus == remainder;
     * modulus 0: nowhere, 1: not known, or everywhere. */
    uint32_t modulus[2], remainder[2];
    bool reversed; /* a struct whose ub is below its lb */
    bool has_extent;
    int64_t extent;                 /* bytes */
    const struct st_layout *layout; /* the cache's; NULL: not known */
};

/* Finds the shape of a live derived type. Returns false if it is not known. */
bool st_shape_of(uint64_t type, struct st_shape *shape);

/* Return a datatype of the registry, live or freed, as a tree: by its handle, or by its node. NULL if it cannot
 * be read. The caller holds the recorder's lock; the tree is valid until it is released. */
const struct st_type *st_tree_of_handle(uint64_t handle);
const struct st_type *st_tree_of_node(uint32_t ordinal);
/* Returns the shape of any live type, and sets *ordinal to its node; NULL if it is not known. The caller holds the
 * recorder's lock; the shape is valid until it is released. st_layout_ref() keeps the layout. */
const struct st_shape *st_shape_at(uint64_t handle, uint32_t *ordinal);

#endif
