/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/element.h"

#include <stdio.h>
#include <string.h>

#include "core/address/address.h"
#include "core/address/locate.h"
#include "report/writer.h"
#include "runtime/record/arena.h"
#include "runtime/record/layouts.h"

void st_type_text(uint32_t number, char *text, size_t room)
{
    const struct st_node *node = st_node_at(number);
    const struct st_block *name = st_pointer(node->name);
    struct st_writer writer = {.bytes = text, .room = room - 1};
    if (name) {
        st_put_bytes(&writer, (const char *)(name + 1), (size_t)name->bytes);
    } else {
        st_put_hex(&writer, node->handle);
    }
    text[writer.length < room ? writer.length : room - 1] = 0;
}

static void put_element(struct st_element_text *element, uint32_t node,
                        const struct st_route *route)
{
    char rest[160], name[sizeof element->address - sizeof rest];
    const char *leaf = st_address_name(&route->place);
    size_t length = st_address_format(route, ST_ADDRESS_LONG, rest, sizeof rest);
    if (length >= sizeof rest) {
        st_address_format(route, ST_ADDRESS_SHORT, rest, sizeof rest);
    }
    /* For a basic type the name is enough. */
    st_type_text(node, name, sizeof name);
    if (leaf && route->depth <= 1 && strchr(rest, '(')) {
        *strchr(rest, '(') = 0;
    }
    snprintf(element->address, sizeof element->address, "%s%s", name, rest);
    snprintf(element->type, sizeof element->type, "%s", leaf ? leaf : "");
    element->size = leaf ? route->place.type->basic.size : 0;
}

bool st_element_along(struct st_element_text *element, uint32_t node, int64_t count,
                      uint64_t address, const struct st_path *path, uint64_t where)
{
    const struct st_type *type = st_tree_of_node(node);
    enum st_error error = ST_OK;
    if (!type) {
        return false;
    }
    struct st_place root =
        count == 1 ? st_place_of(type, address) : st_place_repeat(type, address, count);
    struct st_route route;
    st_route_init(&route, &root);
    for (size_t i = count == 1; i < path->length && !error; i++) {
        error = st_route_down(&route, path->index[i]);
    }
    element->byte = (int64_t)(where - address);
    if (!error) {
        put_element(element, node, &route);
    }
    st_route_deinit(&route);
    return !error;
}

bool st_element_at(struct st_element_text *element, uint32_t node, int64_t count, uint64_t address,
                   uint64_t where)
{
    const struct st_type *type = st_tree_of_node(node);
    if (!type) {
        return false;
    }
    struct st_place root =
        count == 1 ? st_place_of(type, address) : st_place_repeat(type, address, count);
    struct st_indexes indexes;
    struct st_locate locate;
    element->byte = (int64_t)(where - address);
    st_indexes_init(&indexes);
    st_locate_init(&locate, &indexes, &root, element->byte);
    locate.steps = 1 << 14;
    bool found = st_locate_next(&locate) == ST_LOCATED;
    if (found) {
        put_element(element, node, &locate.route);
    }
    st_locate_deinit(&locate);
    st_indexes_deinit(&indexes);
    return found;
}
