/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/words.h"

#include "runtime/objects/handle_name.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/signed.h"
#include "runtime/record/root.h"
#include "runtime/wrap/constants.h"

void st_put_elements(struct st_writer *writer, int64_t length, uint64_t element, bool uniform)
{
    if (length == 0) {
        st_put(writer, "nothing");
        return;
    }
    st_put_number(writer, length);
    st_put(writer, " x ");
    if (!uniform) {
        st_put(writer, "several basic types");
    } else if (!st_put_signed_element(writer, element)) {
        st_put(writer, "a basic type");
    }
}

/* Returns false if its beginning is not known. */
static bool find_beginning(const struct st_side_of_data *side, struct st_beginning *beginning)
{
    if (side->uniform || side->length == 0) {
        *beginning = st_beginning_uniform(side->hash[0], side->length);
        return true;
    }
    const struct st_rank_area *area = st_node_area(side->rank);
    return area && st_runs_find(&area->runs, side->hash, side->length, beginning);
}

static void put_element(struct st_writer *writer, uint64_t element)
{
    if (!element) {
        st_put(writer, "not there");
    } else if (!st_put_signed_element(writer, element)) {
        st_put(writer, "another basic type");
    }
}

static void put_unknown(struct st_writer *writer)
{
    st_put(writer, "not known: of each of its last ");
    st_put_number(writer, ST_RUNS_TYPES);
    st_put(writer, " datatypes a rank publishes the first ");
    st_put_number(writer, ST_MOST_RUNS);
    st_put(writer, " runs of equal elements");
}

bool st_put_first_difference(struct st_writer *writer, const struct st_side_of_data sides[2])
{
    struct st_beginning beginnings[2];
    struct st_first_difference first;
    if (sides[0].uniform && sides[1].uniform) {
        return false;
    }
    if (!find_beginning(&sides[0], &beginnings[0]) || !find_beginning(&sides[1], &beginnings[1]) ||
        !st_beginnings_differ(&beginnings[0], &beginnings[1], &first)) {
        put_unknown(writer);
        return true;
    }
    st_put(writer, "element ");
    st_put_number(writer, first.index);
    st_put(writer, " is ");
    put_element(writer, first.element[0]);
    st_put(writer, " in ");
    st_put(writer, sides[0].who);
    st_put(writer, ", ");
    put_element(writer, first.element[1]);
    st_put(writer, " in ");
    st_put(writer, sides[1].who);
    return true;
}

void st_put_rank(struct st_writer *writer, uint32_t rank)
{
    st_put(writer, "rank ");
    st_put_number(writer, st_node_world_rank(rank));
    if (st_node_world(rank) > 1) {
        st_put(writer, " of world ");
        st_put_number(writer, st_node_world(rank));
    }
}

void st_put_comm(struct st_writer *writer, enum st_kind kind, uint64_t handle)
{
    const char *name = st_constant_name(ST_KIND_COMM, handle);
    if (name) {
        st_put(writer, name);
        return;
    }
    if (!st_put_handle_name(writer, kind, handle)) {
        st_put(writer, kind == ST_KIND_WIN    ? "its window"
                       : kind == ST_KIND_FILE ? "its file"
                                              : "its communicator");
    }
}
