/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A type as repetitions of other types, in the order of its type map, without displacements. Type
 * signatures, and other properties that are computed bottom-up, depend on this alone.
 *
 *     for (int64_t i = 0; i < st_parts(type); i++) {
 *         struct st_type_part part;
 *         if (!st_part(type, i, &part)) { ... a number does not fit in 64 bits ... }
 *         ... part.times copies of part.base, then the next part ...
 *     }
 */
#ifndef ST_CORE_SIGNATURE_PARTS_H
#define ST_CORE_SIGNATURE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/type.h"

struct st_type_part {
    const struct st_type *base;
    int64_t times; /* 0 or more */
};

/* Returns the number of parts: the members of a struct, one for any other constructor, none for a
 * basic type, an OPAQUE one, and a tombstone whose inside was not kept. */
int64_t st_parts(const struct st_type *type);

/* Returns true if the type is made of other types; also true for a struct without members. */
bool st_has_parts(const struct st_type *type);

/* Stores part `index` < st_parts(). Returns false if `times` does not fit in 64 bits; it is then
 * INT64_MAX. O(1), but for (h)indexed, whose block lengths are added up. */
bool st_part(const struct st_type *type, int64_t index, struct st_type_part *part);

/* A set of types by address, numbered in the order of insertion. */
struct st_type_set {
    const struct st_type **types;
    size_t count, capacity;
    uint32_t *slots; /* number + 1; open addressing */
    size_t slot_count;
};

#define ST_NOT_IN_SET SIZE_MAX

void st_type_set_deinit(struct st_type_set *set); /* may be called for a zeroed set, too */
/* Returns the number of `type`, or ST_NOT_IN_SET. */
size_t st_type_set_find(const struct st_type_set *set, const struct st_type *type);
/* Adds `type`, which must not be in the set. Returns false if there is no memory. */
bool st_type_set_add(struct st_type_set *set, const struct st_type *type);

/* Adds `type` and all types below it to an empty set, each once, bases first. Leaves out the types
 * for which `known` returns true, and all that is below only those. No recursion. Returns false if
 * there is no memory. */
bool st_type_set_below(struct st_type_set *set, const struct st_type *type,
                       bool (*known)(const struct st_type *type, const void *context),
                       const void *context);

#endif
