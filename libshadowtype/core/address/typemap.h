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
 * seek costs O(depth · log), next O(1) on average (route.h). A type whose inside is not known
 * comes as one entry of its own, with place.opaque set; what the numbers of the entries behind it
 * are, is then not known.
 */
#ifndef ST_CORE_ADDRESS_TYPEMAP_H
#define ST_CORE_ADDRESS_TYPEMAP_H

#include "core/address/route.h"

struct st_typemap {
    struct st_route route;
    struct st_amount number; /* of the entry, from 0 */
    struct st_amount byte;   /* its first byte in what MPI sends */
    struct st_indexes *indexes;
};

void st_typemap_init(struct st_typemap *map, struct st_indexes *indexes,
                     const struct st_place *root);
void st_typemap_deinit(struct st_typemap *map);

/* To the entry with this number. ST_OUT_OF_RANGE: the map is shorter. ST_INSIDE_UNKNOWN:
 * map.route stands at the type that hides it. ST_OVERFLOW, ST_NO_MEMORY. */
enum st_error st_typemap_seek(struct st_typemap *map, int64_t number);
/* To the entry after this one. The same errors; ST_OUT_OF_RANGE after the last. */
enum st_error st_typemap_next(struct st_typemap *map);

#endif
