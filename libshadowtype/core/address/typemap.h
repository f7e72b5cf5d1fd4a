/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The type map (MPI-4.0, 5.1.1), lazily: the basic elements in the order in which MPI sends them,
 * from any number on.
 *
 *     struct st_typemap map;
 *     st_typemap_init(&map, &indexes, &root);
 *     for (error = st_typemap_seek(&map, 1000000000000); !error; error = st_typemap_next(&map)) {
 *         ... map.route.place.type->basic, map.route.displacement, map.number.value ...
 *     }
 *     ... ST_OUT_OF_RANGE: that was the last ...
 *     st_typemap_deinit(&map);
 *
 * seek costs O(depth · log), next O(1) on average (route.h). A type whose inside is not known is
 * one entry, with place.opaque set. The numbers of the entries after it are then not known.
 */
#ifndef ST_CORE_ADDRESS_TYPEMAP_H
#define ST_CORE_ADDRESS_TYPEMAP_H

#include "core/address/route.h"

struct st_typemap {
    struct st_route route;
    struct st_amount number; /* of the entry, counted from 0 */
    struct st_amount byte;   /* the entry's first byte in what MPI sends */
    struct st_indexes *indexes;
};

void st_typemap_init(struct st_typemap *map, struct st_indexes *indexes,
                     const struct st_place *root);
void st_typemap_deinit(struct st_typemap *map);

/* Goes to the entry with this number. Returns ST_OUT_OF_RANGE if the map is shorter;
 * ST_INSIDE_UNKNOWN if a type of unknown inside hides it (map.route is then at that type);
 * ST_OVERFLOW, ST_NO_MEMORY. */
enum st_error st_typemap_seek(struct st_typemap *map, int64_t number);
/* Goes to the next entry. Returns the same errors; ST_OUT_OF_RANGE after the last entry. */
enum st_error st_typemap_next(struct st_typemap *map);

#endif
