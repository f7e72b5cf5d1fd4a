/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/decoded.h"

#include <string.h>

#include "core/model/combiners.h"
#include "core/model/type.h"
#include "report/writer.h"
#include "runtime/record/arena.h"
#include "runtime/wrap/constants.h"
#include "runtime/record/layouts.h"
#include "runtime/wrap/parts.h"
#include "runtime/record/meaning.h"
#include "runtime/record/lock.h"
#include "runtime/report/type_text.h"
#include "runtime/wrap/names.h"

bool (*st_decode_handle_name)(struct st_writer *writer, enum st_kind kind, uint64_t handle);

/* Writes the name of a node: that of a basic type, or one that was set. */
static bool put_name(struct st_writer *writer, const struct st_node *node)
{
    const struct st_block *block = st_pointer(node->name);
    if (!block) {
        return false;
    }
    st_put_bytes(writer, (const char *)(block + 1), (size_t)block->bytes);
    return true;
}

static void put_handle(struct st_writer *writer, enum st_kind kind, uint64_t handle)
{
    const char *name = kind == ST_KIND_NONE ? NULL : st_constant_name(kind, handle);
    if (kind == ST_KIND_TYPE) {
        struct st_meaning state;
        bool locked = st_lock();
        st_type_meaning(handle, &state);
        bool named = state.node && put_name(writer, state.node);
        st_unlock(locked);
        if (named) {
            return;
        }
    }
    if (name) {
        st_put(writer, name);
    } else if (!st_decode_handle_name || !st_decode_handle_name(writer, kind, handle)) {
        st_put_hex(writer, handle);
    }
}

/* Returns the name of a constant (names.h) that a parameter of this role may have. */
static const char *constant_name(enum st_role role, uint64_t value)
{
    static const char *const sorts[][2] = {
        [ST_ROLE_DEST] = {"rank"},           [ST_ROLE_SOURCE] = {"rank", "source"},
        [ST_ROLE_TARGET] = {"rank"},         [ST_ROLE_ROOT] = {"rank", "root"},
        [ST_ROLE_ANYTAG] = {"tag"},          [ST_ROLE_ORDER] = {"order"},
        [ST_ROLE_STATUS] = {"status"},       [ST_ROLE_STATUSES] = {"statuses"},
        [ST_ROLE_WEIGHTS] = {"weights"},     [ST_ROLE_ERRCODES] = {"errcodes"},
        [ST_ROLE_ARGV] = {"argv"},           [ST_ROLE_ARGVS] = {"argvs"},
        [ST_ROLE_UNDEFINED] = {"undefined"}, [ST_ROLE_SPLIT_TYPE] = {"split_type"},
        [ST_ROLE_LOCK] = {"lock"},           [ST_ROLE_COLOR] = {"undefined"},
        [ST_ROLE_KEYVAL] = {"keyval"},
    };
    const char *name = NULL;
    for (int i = 0; i < 2 && !name && role < sizeof sorts / sizeof *sorts && sorts[role][i]; i++) {
        name = st_name_of(sorts[role][i], value);
    }
    return name;
}

/* Returns true if it is the address of a buffer whose data is at absolute addresses. */
static bool is_bottom(const struct st_facts *facts, int number)
{
    for (int i = 0; i < facts->form->part_count; i++) {
        if (facts->form->parts[i].buffer == number) {
            return st_part_is_absolute(facts, &facts->form->parts[i]);
        }
    }
    return false;
}

/* Returns true for a pointer to one handle that the program has set. */
static bool shows_handle(enum st_role role)
{
    return role == ST_ROLE_TAKES || role == ST_ROLE_COMMIT || role == ST_ROLE_DONE ||
           role == ST_ROLE_START || role == ST_ROLE_CANCEL || role == ST_ROLE_RELEASE;
}

static uint64_t handle_at(const struct st_parameter *parameter, uint64_t address)
{
    return parameter->width == 4 ? *(const uint32_t *)st_pointer(address)
                                 : *(const uint64_t *)st_pointer(address);
}

/* The call has completed the request: the handle at this address is no longer the one that was
 * passed. */
static bool is_gone(const struct st_parameter *parameter, uint64_t address)
{
    return parameter->role == ST_ROLE_DONE &&
           handle_at(parameter, address) == st_numbers.null[ST_KIND_REQUEST];
}

static void put_pointer(struct st_writer *writer, const struct st_facts *facts, int number)
{
    const struct st_parameter *parameter = &facts->form->parameters[number];
    uint64_t value = facts->values[number];
    if (parameter->width == 0 && st_is_in_place(value)) {
        st_put(writer, "MPI_IN_PLACE");
    } else if (!value) {
        st_put(writer, is_bottom(facts, number) ? "MPI_BOTTOM" : "NULL");
    } else if (shows_handle(parameter->role) && !is_gone(parameter, value)) {
        put_handle(writer, parameter->kind, handle_at(parameter, value));
    } else {
        st_put_hex(writer, value);
    }
}

static void put_value(struct st_writer *writer, const struct st_facts *facts, int number)
{
    const struct st_parameter *parameter = &facts->form->parameters[number];
    uint64_t value = facts->values[number];
    const char *name = constant_name(parameter->role, value);
    if (name) {
        st_put(writer, name);
    } else if (parameter->pointer) {
        put_pointer(writer, facts, number);
    } else if (parameter->kind != ST_KIND_NONE) {
        put_handle(writer, parameter->kind,
                   parameter->kind == ST_KIND_KEYVAL ? (uint32_t)value : value);
    } else {
        st_put_number(writer, (int64_t)value);
    }
}

/* Writes the wrong member of an array of datatypes. */
static void put_member(struct st_writer *writer, const struct st_parameter *parameter,
                       uint64_t type)
{
    if (!type || (parameter->role != ST_ROLE_TYPES && parameter->role != ST_ROLE_BASES)) {
        return;
    }
    st_put(writer, " with ");
    put_handle(writer, ST_KIND_TYPE, type);
}

static void decode_arguments(struct st_decoded *decoded, const struct st_facts *facts,
                             const struct st_found *found)
{
    const struct st_form *form = facts->form;
    for (int i = 0; i < form->parameter_count && i < ST_MOST_ARGUMENTS; i++) {
        struct st_writer writer = st_texts_begin(&decoded->texts);
        put_value(&writer, facts, i);
        if (i == found->parameter) {
            put_member(&writer, &form->parameters[i], found->type);
        }
        decoded->arguments[decoded->argument_count++] = (struct st_argument){
            .name = form->parameters[i].name, .value = st_texts_end(&decoded->texts, &writer)};
    }
}

/* --- the type ------------------------------------------------------------------------------ */

/* `tree` NULL: there is no memory for more than the node. */
static void put_type(struct st_writer *writer, const struct st_node *node,
                     const struct st_type *tree)
{
    if (tree) {
        st_put_type(writer, tree);
        return;
    }
    st_put(writer, "{kind = ");
    st_put(writer, st_combiner_name(node->combiner));
    st_put(writer, ", ...}");
}

static void decode_type(struct st_decoded *decoded, const struct st_node *node,
                        const struct st_type *tree, struct st_places *places)
{
    struct st_reported_type *type = &decoded->types[decoded->type_count++];
    struct st_writer writer = st_texts_begin(&decoded->texts);
    *type = (struct st_reported_type){0};
    st_put_hex(&writer, node->handle);
    type->handle = st_texts_end(&decoded->texts, &writer);
    if (node->name) {
        writer = st_texts_begin(&decoded->texts);
        put_name(&writer, node);
        type->name = st_texts_end(&decoded->texts, &writer);
    }
    writer = st_texts_begin(&decoded->texts);
    put_type(&writer, node, tree);
    type->text = st_texts_end(&decoded->texts, &writer);
    type->created = st_places_of_site(places, node->created);
    type->committed = st_places_of_site(places, node->committed);
    type->freed = st_places_of_site(places, node->freed);
}

/* The caller holds the lock. */
static void decode_found_type(struct st_decoded *decoded, const struct st_found *found,
                              struct st_places *places)
{
    const struct st_node *node = found->has_node ? st_node_at(found->type_node) : NULL;
    if (!node && found->type) {
        struct st_meaning state;
        st_type_meaning(found->type, &state);
        node = state.node;
    }
    if (!node || !node->serial || node->combiner == ST_NAMED) {
        return;
    }
    const struct st_type *tree =
        found->has_node ? st_tree_of_node(found->type_node) : st_tree_of_handle(found->type);
    decode_type(decoded, node, tree, places);
    if (!tree) {
        return;
    }
    struct st_reported_type *shown = &decoded->types[decoded->type_count - 1];
    st_picture_of(&decoded->spots, shown, tree);
    st_spots_of(&decoded->spots, &found->spot, tree, shown->name ? shown->name : shown->handle);
}

/* The caller holds the lock. */
static void decode_other_type(struct st_decoded *decoded, const struct st_found *found,
                              struct st_places *places)
{
    const struct st_node *node = found->has_other_node ? st_node_at(found->other_node) : NULL;
    if (!node || !node->serial || node->combiner == ST_NAMED) {
        return;
    }
    const struct st_type *tree = st_tree_of_node(found->other_node);
    decode_type(decoded, node, tree, places);
    if (tree) {
        st_picture_of(&decoded->other_spots, &decoded->types[decoded->type_count - 1], tree);
    }
}

void st_decode(struct st_decoded *decoded, const struct st_facts *facts,
               const struct st_found *found, struct st_places *places)
{
    decoded->argument_count = decoded->type_count = 0;
    decoded->texts = (struct st_texts){decoded->bytes, sizeof decoded->bytes, 0};
    decoded->spots.count = decoded->spots.name_count = 0;
    decoded->other_spots.count = decoded->other_spots.name_count = 0;
    if (facts) {
        decode_arguments(decoded, facts, found);
    }
    bool locked = st_lock();
    decode_found_type(decoded, found, places);
    decode_other_type(decoded, found, places);
    st_unlock(locked);
    if (found->spot.which == ST_ENTRY && facts) {
        st_spot_of_entry(&decoded->spots, &found->spot, facts->form->name);
    }
}
