/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/address/typemap.h"

void st_typemap_init(struct st_typemap *map, struct st_indexes *indexes,
                     const struct st_place *root)
{
    *map = (struct st_typemap){.indexes = indexes};
    st_route_init(&map->route, root);
}

void st_typemap_deinit(struct st_typemap *map)
{
    st_route_deinit(&map->route);
}

enum st_error st_typemap_seek(struct st_typemap *map, int64_t number)
{
    int64_t rest;
    enum st_error error = st_route_at(&map->route, map->indexes, ST_SENT_ELEMENTS, number, &rest);
    map->number = error ? (struct st_amount){.error = error} : (struct st_amount){.value = number};
    map->byte = error ? (struct st_amount){.error = error}
                      : st_route_number(&map->route, map->indexes, ST_SENT_BYTES);
    return error;
}

enum st_error st_typemap_next(struct st_typemap *map)
{
    struct st_amount one = st_route_amount(&map->route, ST_SENT_ELEMENTS);
    struct st_amount size = st_route_amount(&map->route, ST_SENT_BYTES);
    enum st_error error = st_route_next(&map->route, map->indexes);
    if (!error) {
        map->number = st_plus(map->number, one);
        map->byte = st_plus(map->byte, size);
    }
    return error;
}
