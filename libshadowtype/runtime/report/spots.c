/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/spots.h"

#include <ctype.h>
#include <string.h>

#include "core/address/address.h"
#include "core/address/pieces.h"
#include "core/layout/ascending.h"
#include "core/overlap/elements.h"
#include "core/overlap/self_overlap.h"
#include "runtime/record/root.h"

/* The most work for one question: some milliseconds in the worst case. */
enum { STEPS = 1 << 16, MOST_ELEMENTS = 1 << 12 };

/* A search for elements, and its data. */
struct st_search_state {
    struct st_spots *spots;
    const struct st_spot *spot;
    const struct st_type *type;
    const char *name;
    struct st_place root;
    struct st_route route;
    struct st_indexes indexes;
    struct st_layouts layouts;
    struct st_effort effort;
};

/* Copies the name, because the trees of the type are freed before the report is written. Returns
 * NULL if there are too many names. */
static const char *leaf_name(struct st_spots *spots, const struct st_type *leaf)
{
    const char *name = leaf ? leaf->basic.name : NULL;
    size_t i = 0;
    if (!name || strlen(name) >= ST_MOST_NAME) {
        return NULL;
    }
    while (i < spots->name_count && strcmp(spots->names[i], name) != 0) {
        i++;
    }
    if (i == ST_MOST_NAMES) {
        return NULL;
    }
    if (i == spots->name_count) {
        strcpy(spots->names[spots->name_count++], name);
    }
    return spots->names[i];
}

/* --- a found element ------------------------------------------------------------------------ */

/* Writes "cell_t{0}(STRUCT)[1][0](MPI_INT)". Returns false if there is not enough room. */
static bool put_address(const struct st_search_state *state, char *text, size_t room)
{
    struct st_writer writer = {.bytes = text, .room = room};
    st_put(&writer, state->name);
    if (writer.length >= room) {
        return false;
    }
    for (int form = ST_ADDRESS_LONG; form >= ST_ADDRESS_SHORT; form--) {
        if (st_address_format(&state->route, (enum st_address_form)form, text + writer.length,
                              room - writer.length) < room - writer.length) {
            return true;
        }
    }
    return false;
}

/* Adds the element at the end of the route. */
static void add_spot(struct st_search_state *state)
{
    struct st_spots *spots = state->spots;
    if (spots->count == ST_MOST_SPOTS ||
        !put_address(state, spots->texts[spots->count], ST_MOST_SPOT_TEXT)) {
        return;
    }
    const struct st_displacement *at = &state->route.displacement;
    struct st_element *element = &spots->elements[spots->count];
    *element = (struct st_element){.rank = st_root.world_rank,
                                   .address = spots->texts[spots->count],
                                   .nowhere = at->laps != 0};
    element->byte = at->value + st_route_bounds(&state->route).low;
    if (state->route.place.leaf) {
        element->type = leaf_name(spots, state->route.place.type);
    }
    element->in_memory = state->spot->in_memory;
    element->at = state->spot->address + (uint64_t)element->byte;
    spots->count++;
}

/* Adds the element at the end of a path, which starts at the repetition (at the type, if there is
 * no buffer). In a pair it goes to the member that contains byte `at`, counted from the buffer's
 * address. */
static void add_path(struct st_search_state *state, const struct st_path *path, const int64_t *at)
{
    enum st_error error = ST_OK;
    st_route_restart(&state->route, &state->root);
    for (size_t i = !state->spot->copies; i < path->length && !error; i++) {
        error = st_route_down(&state->route, path->index[i]);
    }
    const struct st_place *place = &state->route.place;
    if (!error && at && place->leaf && place->type->basic.class_ == ST_CLASS_PAIR) {
        int64_t within = *at - state->route.displacement.value;
        state->route.member = within >= place->type->basic.members[1].offset;
    }
    if (!error) {
        add_spot(state);
    }
}

/* Adds the element that contains number `at` of what is sent. */
static void add_number(struct st_search_state *state, enum st_unit unit, int64_t at)
{
    int64_t rest;
    st_route_restart(&state->route, &state->root);
    if (!st_route_at(&state->route, &state->indexes, unit, at, &rest)) {
        add_spot(state);
    }
}

/* --- which elements ------------------------------------------------------------------------- */

static void add_at(struct st_search_state *state, int64_t copies, int64_t at, size_t most)
{
    struct st_path paths[ST_MOST_SPOTS] = {{0}};
    size_t found = 0;
    st_elements_at(&state->layouts, state->type, copies, at, &state->effort, paths, most, &found);
    for (size_t i = 0; i < found; i++) {
        add_path(state, &paths[i], &at);
        st_path_deinit(&paths[i]);
    }
}

static void add_twice(struct st_search_state *state)
{
    struct st_self_overlap self;
    if (st_self_overlap(&state->layouts, state->type, INT64_MAX, &state->effort, &self) == ST_YES) {
        add_at(state, self.count, self.at, ST_MOST_SPOTS);
    }
}

static void add_misaligned(struct st_search_state *state)
{
    struct st_path path = {0};
    size_t found = 0;
    st_elements_misaligned(&state->layouts, state->type, state->spot->copies, state->spot->address,
                           &state->effort, &path, 1, &found);
    if (found) {
        add_path(state, &path, NULL);
        st_path_deinit(&path);
    }
}

static void add_back(struct st_search_state *state)
{
    int64_t element;
    if (st_ascending(state->type, &element) == ST_NO) {
        add_number(state, ST_SENT_ELEMENTS, element - 1);
        add_number(state, ST_SENT_ELEMENTS, element);
    }
}

static void add_unlike(struct st_search_state *state)
{
    st_route_restart(&state->route, &state->root);
    if (st_route_first(&state->route, &state->indexes) || !state->route.place.leaf) {
        return;
    }
    const char *first = state->route.place.type->basic.name;
    add_spot(state);
    for (int i = 0; i < MOST_ELEMENTS; i++) {
        if (st_route_next(&state->route, &state->indexes) || !state->route.place.leaf) {
            return;
        }
        if (strcmp(first, state->route.place.type->basic.name) != 0) {
            add_spot(state);
            return;
        }
    }
}

static void search_spots(struct st_search_state *state)
{
    switch (state->spot->which) {
    case ST_FIRST_ELEMENT:
        add_number(state, ST_SENT_ELEMENTS, 0);
        break;
    case ST_ELEMENT_OF_BYTE:
        add_number(state, ST_SENT_BYTES, state->spot->number);
        break;
    case ST_ELEMENT_NUMBER:
        add_number(state, ST_SENT_ELEMENTS, state->spot->number);
        break;
    case ST_ELEMENTS_TWICE:
        add_twice(state);
        break;
    case ST_ELEMENT_MISALIGNED:
        add_misaligned(state);
        break;
    case ST_ELEMENT_NEGATIVE:
        add_at(state, 1, state->type->measure.true_lb, 1);
        break;
    case ST_ELEMENTS_BACK:
        add_back(state);
        break;
    case ST_ELEMENTS_UNLIKE:
        add_unlike(state);
        break;
    case ST_NO_ELEMENT:
    case ST_ENTRY:
        break;
    }
}

void st_spots_of(struct st_spots *spots, const struct st_spot *spot, const struct st_type *type,
                 const char *name)
{
    struct st_search_state state = {.spots = spots,
                                    .spot = spot,
                                    .type = type,
                                    .name = name,
                                    .root = spot->copies ? st_place_repeat(type, 0, spot->copies)
                                                         : st_place_of(type, 0),
                                    .effort = st_effort_of(STEPS)};
    st_route_init(&state.route, &state.root);
    st_indexes_init(&state.indexes);
    st_layouts_init(&state.layouts);
    search_spots(&state);
    st_layouts_deinit(&state.layouts);
    st_indexes_deinit(&state.indexes);
    st_route_deinit(&state.route);
}

/* --- an entry of a type that does not exist yet ----------------------------------------------- */

/* MPI_Type_create_hindexed_c makes a HINDEXED, for example. */
void st_spot_of_entry(struct st_spots *spots, const struct st_spot *spot, const char *call)
{
    static const char *const before[] = {"MPI_Type_", "create_"};
    struct st_writer writer = {.bytes = spots->texts[0], .room = ST_MOST_SPOT_TEXT - 1};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        if (strncmp(call, before[i], strlen(before[i])) == 0) {
            call += strlen(before[i]);
        }
    }
    size_t length = strlen(call);
    if (length > 2 && strcmp(call + length - 2, "_c") == 0) {
        length -= 2;
    }
    st_put(&writer, "newtype(");
    for (size_t i = 0; i < length; i++) {
        char letter = (char)toupper((unsigned char)call[i]);
        st_put_bytes(&writer, &letter, 1);
    }
    st_put(&writer, ")[");
    st_put_number(&writer, spot->number);
    st_put(&writer, "]");
    writer.bytes[writer.length] = 0;
    spots->elements[0] = (struct st_element){
        .rank = st_root.world_rank, .address = spots->texts[0], .nowhere = true};
    spots->count = 1;
}

/* --- the picture ---------------------------------------------------------------------------- */

void st_picture_of(struct st_spots *spots, struct st_reported_type *shown,
                   const struct st_type *type)
{
    const struct st_typed_piece *list = spots->typed;
    struct st_pieces found = {.list = spots->typed, .most = ST_MOST_PIECES};
    struct st_layouts layouts;
    struct st_effort effort = st_effort_of(STEPS);
    const struct st_measure *measure = &type->measure;
    shown->serial = type->serial;
    shown->ordinal = type->ordinal;
    if (measure->unknown || __builtin_sub_overflow(measure->ub, measure->lb, &shown->extent)) {
        return;
    }
    shown->measured = true;
    shown->size = measure->size;
    shown->lb = measure->lb;
    shown->true_lb = measure->true_lb;
    shown->true_extent = measure->true_ub - measure->true_lb;
    st_layouts_init(&layouts);
    if (st_pieces_of(&found, &layouts, type, &effort)) {
        for (size_t i = 0; i < found.count; i++) {
            spots->pieces[i] = (struct st_piece){.offset = list[i].from,
                                                 .length = list[i].length,
                                                 .type = leaf_name(spots, list[i].leaf)};
        }
        shown->blocks.list = spots->pieces;
        shown->blocks.count = found.count;
        shown->blocks.left_out = found.left_out;
    }
    st_layouts_deinit(&layouts);
}
