/*
 * A type as repetitions of other types, in the order of its type map: what of a datatype its type
 * signature, and any other property that is built from below, depends on. No displacements.
 *
 *     for (int64_t i = 0; i < st_parts(type); i++) {
 *         struct st_type_part part;
 *         if (!st_part(type, i, &part)) { ... a number that leaves 64 bits ... }
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

/* How many: the members of a struct, one of any other constructor, none of a basic type, of an
 * OPAQUE one and of a tombstone whose inside was not kept. */
int64_t st_parts(const struct st_type *type);

/* Whether it is made of other types, be they none (a struct without members). */
bool st_has_parts(const struct st_type *type);

/* The part `index` < st_parts(). False: `times` leaves 64 bits (it is then INT64_MAX). O(1), but
 * for (h)indexed, whose block lengths are added up. */
bool st_part(const struct st_type *type, int64_t index, struct st_type_part *part);

/* Types by address, numbered in the order in which they came. */
struct st_type_set {
    const struct st_type **types;
    size_t count, capacity;
    uint32_t *slots; /* number + 1; open addressing */
    size_t slot_count;
};

#define ST_NOT_IN_SET SIZE_MAX

void st_type_set_deinit(struct st_type_set *set); /* of a zeroed set, too */
/* The number of `type`, or ST_NOT_IN_SET. */
size_t st_type_set_find(const struct st_type_set *set, const struct st_type *type);
/* `type` is not in it. False: no memory. */
bool st_type_set_add(struct st_type_set *set, const struct st_type *type);

/* Adds `type` and all that is below it to an empty set, bases before the types that are made of
 * them, each once; leaves out those (and what is only below those) for which `known` is true. No
 * recursion. False: no memory. */
bool st_type_set_below(struct st_type_set *set, const struct st_type *type,
                       bool (*known)(const struct st_type *type, const void *context),
                       const void *context);

#endif
