/*
 * What only the algebra (core/layout) can say of a type: its bytes, whether it names one twice, and at
 * which addresses its basic elements are aligned. Asked once for a type, and remembered.
 */
#ifndef ST_RUNTIME_RECORD_LAYOUTS_H
#define ST_RUNTIME_RECORD_LAYOUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/type.h"

struct st_shape {
    uint64_t serial;     /* whose: 0 for nobody's */
    int64_t overlaps_at; /* the smallest count that names a byte twice; 0: none, or undecided */
    /* With [0] for one element and [1] for several: aligned where address % modulus == remainder;
     * modulus 0: nowhere, 1: not known, or everywhere. */
    uint32_t modulus[2], remainder[2];
    bool reversed; /* a struct whose ub is below its lb */
    bool has_extent;
    int64_t extent;                 /* bytes */
    const struct st_layout *layout; /* the cache's; NULL: not known */
};

/* The shape of a live derived type; false: it cannot be said. */
bool st_shape_of(uint64_t type, struct st_shape *shape);

/* A datatype of the registry as a tree, a freed one too: by its handle, by its node. NULL: it cannot
 * be read. The caller holds the recorder's lock; the tree is gone when it gives it back. */
const struct st_type *st_tree_of_handle(uint64_t handle);
const struct st_type *st_tree_of_node(uint32_t ordinal);
/* The same of any live type, and its node. The caller holds the recorder's lock, and the pointer, and
 * what it points to, are good as long; st_layout_ref() keeps the layout. NULL: not known. */
const struct st_shape *st_shape_at(uint64_t handle, uint32_t *ordinal);

#endif
