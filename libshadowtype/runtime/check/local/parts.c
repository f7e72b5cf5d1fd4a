/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks buffers, counts and their datatypes. */
#include <stdio.h>

#include "runtime/record/arena.h"
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"
#include "runtime/record/layouts.h"
#include "runtime/record/lock.h"
#include "runtime/record/table.h"
#include "runtime/wrap/parts.h"
#include "runtime/check/quick.h"
#include "runtime/record/meaning.h"

/* Returns true in a neighbourhood collective if this rank has no neighbour on this side. */
static bool is_alone(const struct st_facts *facts, const struct st_part *part)
{
    const struct st_form *form = facts->form;
    return form->neighbours && facts->has_comm &&
           st_ask_neighbours(facts->values[form->comm], part->access == ST_READ) == 0;
}

static void find_negative_count(struct st_facts *facts, const struct st_part *part)
{
    st_find(facts, &(struct st_found){.check = ST_ARGUMENT_COUNT,
                                      .parameter = part->count,
                                      .message = "passes a negative count",
                                      .advice = "is the number computed, and can it overflow?"});
}

/* Reports an array of the part that is null. Returns false if none is. `needed`: data is
 * transferred. */
static bool find_null_array(struct st_facts *facts, const struct st_part *part, bool needed)
{
    bool of_neighbours = facts->form->neighbours;
    if (part->counts && !facts->values[part->count]) {
        st_find_null(facts, part->count,
                     of_neighbours ? "pass a count for each neighbour"
                                   : "pass a count for each rank");
    } else if (needed && part->types && !facts->values[part->type]) {
        st_find_null(facts, part->type,
                     of_neighbours ? "pass a datatype for each neighbour"
                                   : "pass a datatype for each rank");
    } else if (needed && part->displs >= 0 && !facts->values[part->displs]) {
        st_find_null(facts, part->displs,
                     of_neighbours ? "pass a displacement for each neighbour"
                                   : "pass a displacement for each rank");
    } else {
        return false;
    }
    return true;
}

/* Returns true if elements of the type from address 0 on would be in memory that no program has. A
 * type with absolute displacements is not. */
static bool is_nowhere(uint64_t type)
{
    int64_t lb, extent;
    return st_ask_true_extent(type, &lb, &extent) && extent > 0 && lb < ST_LOWEST_ADDRESS;
}

/* Computes where a block begins, in bytes from the buffer's address. Returns false if that is not
 * known. */
static bool block_start(const struct st_facts *facts, const struct st_part *part, int64_t member,
                        int64_t *start)
{
    int64_t lb, extent = 1;
    *start = 0;
    if (part->displs < 0) {
        return !part->counts;
    }
    if (!facts->values[part->displs] ||
        (!part->types && !st_ask_extent(facts->values[part->type], &lb, &extent))) {
        return false;
    }
    return !__builtin_mul_overflow(st_number_at(facts, part->displs, member), extent, start);
}

static struct st_spot spot_at(const struct st_facts *facts, const struct st_part *part,
                              int64_t member, int64_t count, enum st_which which)
{
    struct st_spot spot = {.which = which, .copies = count};
    int64_t start;
    if (part->buffer < 0 || st_is_in_place(facts->values[part->buffer]) ||
        !block_start(facts, part, member, &start)) {
        return spot;
    }
    spot.in_memory = true;
    spot.address = facts->values[part->buffer] + (uint64_t)start;
    return spot;
}

struct st_spot st_spot_in(const struct st_facts *facts, const struct st_part *part,
                          enum st_which which)
{
    bool none = part->counts && !facts->values[part->count];
    return spot_at(facts, part, 0, none ? 0 : st_part_count(facts, part, 0), which);
}

static void find_null_buffer(struct st_facts *facts, const struct st_part *part, uint64_t type,
                             struct st_spot spot)
{
    char message[120];
    snprintf(message, sizeof message, "passes a null pointer as '%s', with data to transfer",
             facts->form->parameters[part->buffer].name);
    st_find(facts,
            &(struct st_found){
                .check = ST_BUFFER_NULL,
                .parameter = part->buffer,
                .message = message,
                .type = type,
                .spot = spot,
                .advice = "pass the address of the data; MPI_BOTTOM goes with a datatype whose "
                          "displacements are absolute addresses"});
}

/* Returns true if this rank's side of the part is written. */
static bool is_written(const struct st_facts *facts, const struct st_part *part)
{
    return part->access == ST_WRITE || (part->access == ST_BCAST && !st_is_root(facts));
}

static void find_self_overlap(struct st_facts *facts, const struct st_part *part, uint64_t type,
                              int64_t count, struct st_spot spot)
{
    char message[160];
    if (count == 1) {
        snprintf(message, sizeof message, "receives into a datatype that names a byte twice");
    } else {
        snprintf(message, sizeof message,
                 "receives into %lld or more elements of a datatype, which name a byte twice",
                 (long long)count);
    }
    st_find(facts, &(struct st_found){.check = ST_DATATYPE_SELF_OVERLAP,
                                      .parameter = part->type,
                                      .message = message,
                                      .type = type,
                                      .spot = spot,
                                      .advice = "what arrives in such a byte is left open; is a "
                                                "stride or an extent too small?"});
}

static void find_suspicious(struct st_facts *facts, const struct st_part *part, uint64_t type,
                            bool reversed, struct st_spot spot)
{
    st_find(facts,
            &(struct st_found){
                .check = ST_DATATYPE_SUSPICIOUS,
                .parameter = part->type,
                .message = reversed
                               ? "uses a struct whose upper bound is below its lower bound"
                               : "uses a datatype whose elements are misaligned at this address",
                .type = type,
                .spot = spot,
                .advice = reversed ? "are the operands of a subtraction of addresses switched?"
                                   : "take displacements by offsetof or MPI_Get_address: is the "
                                     "compiler's padding left out?"});
}

/* Checks what the layout of `count` elements shows. */
static void check_shape(struct st_facts *facts, const struct st_part *part, uint64_t type,
                        int64_t member, int64_t count)
{
    struct st_shape shape;
    if (part->buffer < 0 || count <= 0 || st_quick_type(type) || !st_shape_of(type, &shape)) {
        return;
    }
    uint64_t address = facts->values[part->buffer];
    bool several = count > 1;
    if (is_written(facts, part) && shape.overlaps_at && shape.overlaps_at <= count) {
        find_self_overlap(facts, part, type, shape.overlaps_at,
                          spot_at(facts, part, member, count, ST_ELEMENTS_TWICE));
    } else if (shape.reversed) {
        find_suspicious(facts, part, type, true,
                        spot_at(facts, part, member, count, ST_NO_ELEMENT));
    } else if (part->displs < 0 && (!shape.modulus[several] ||
                                    address % shape.modulus[several] != shape.remainder[several])) {
        find_suspicious(facts, part, type, false,
                        spot_at(facts, part, member, count, ST_ELEMENT_MISALIGNED));
    }
}

/* Returns true if the buffer is MPI_IN_PLACE: nothing else of the part is significant then. */
static bool check_in_place(struct st_facts *facts, const struct st_part *part)
{
    if (part->buffer < 0 || !st_is_in_place(facts->values[part->buffer])) {
        return false;
    }
    bool inter = facts->has_comm && facts->comm.inter;
    bool unknown = facts->form->comm >= 0 && !facts->has_comm;
    bool allowed = part->in_place == ST_EVERYWHERE    ? !inter
                   : part->in_place == ST_AT_THE_ROOT ? !inter && (st_is_root(facts) || unknown)
                                                      : false;
    if (allowed || (unknown && part->in_place != ST_NEVER)) {
        return true;
    }
    char message[160];
    const char *name = facts->form->parameters[part->buffer].name;
    if (part->in_place == ST_NEVER) {
        snprintf(message, sizeof message, "passes MPI_IN_PLACE as '%s' to %s", name,
                 facts->form->name);
    } else if (inter) {
        snprintf(message, sizeof message, "passes MPI_IN_PLACE in an intercommunicator");
    } else {
        snprintf(message, sizeof message, "passes MPI_IN_PLACE as '%s' and is not the root", name);
    }
    st_find(facts, &(struct st_found){.check = ST_ARGUMENT_IN_PLACE,
                                      .parameter = part->buffer,
                                      .message = message,
                                      .advice = "MPI-4.0, 6.2: MPI_IN_PLACE stands for one buffer "
                                                "of the collectives that say so, at the root where "
                                                "there is one"});
    return true;
}

static void check_part(struct st_facts *facts, const struct st_part *part)
{
    const struct st_form *form = facts->form;
    if (!st_part_is_significant(facts, part) || check_in_place(facts, part)) {
        return;
    }
    int64_t members = st_part_members(facts, part);
    if (part->counts && !facts->values[part->count]) {
        if (members > 0) {
            find_null_array(facts, part, false);
        }
        return;
    }
    for (int64_t i = 0; i < members; i++) {
        int64_t count = st_part_count(facts, part, i);
        if (count < 0) {
            find_negative_count(facts, part);
            return;
        }
        if (count && find_null_array(facts, part, true)) {
            return;
        }
        if (part->types && !facts->values[part->type]) {
            continue;
        }
        uint64_t type = st_part_type(facts, part, i);
        if (!count) { /* then neither library uses the type */
            continue;
        }
        bool sound = st_quick_type(type) || st_check_type(facts, part->type, type, ST_USE_TRANSFER);
        /* MPI_Reduce_scatter writes this rank's block only. */
        bool mine =
            form->op < 0 || !part->counts || part->access != ST_WRITE || i == facts->comm.rank;
        if (sound && mine && part->buffer >= 0 && !facts->values[part->buffer] && count > 0 &&
            !st_part_is_shifted(facts, part, i) && is_nowhere(type) && !is_alone(facts, part)) {
            find_null_buffer(facts, part, type, spot_at(facts, part, i, count, ST_FIRST_ELEMENT));
            return;
        }
        if (!sound) {
            return;
        }
        check_shape(facts, part, type, i, count);
    }
    if (members < 0 && part->type >= 0 && !part->types &&
        !st_quick_type(facts->values[part->type])) {
        st_check_type(facts, part->type, facts->values[part->type], ST_USE_TRANSFER);
    }
}

/* Returns false if the communicator of a neighbourhood collective has no known neighbours. */
static bool check_topology(struct st_facts *facts)
{
    int comm = facts->form->comm;
    if (!facts->form->neighbours || !facts->has_comm || st_found_at(facts, comm) ||
        st_ask_neighbours(facts->values[comm], true) >= 0) {
        return true;
    }
    st_find(facts, &(struct st_found){.check = ST_ARGUMENT_COMM,
                                      .parameter = comm,
                                      .message = "passes a communicator that has no topology",
                                      .advice = "MPI_Cart_create, MPI_Graph_create and "
                                                "MPI_Dist_graph_create make one that has"});
    return false;
}

int64_t st_part_bytes(const struct st_facts *facts, const struct st_part *part)
{
    int64_t count = (int64_t)facts->values[part->count], bytes;
    if (st_found_at(facts, part->type) || st_found_at(facts, part->count) || count <= 0) {
        return 0;
    }
    bool locked = st_lock();
    uint32_t node = st_table_find(facts->values[part->type]);
    bool is_alive = node != ST_NO_NODE && !(st_node_at(node)->flags & ST_FREED);
    st_unlock(locked);
    int64_t size = is_alive ? st_ask_size(facts->values[part->type]) : 0;
    return size <= 0 || __builtin_mul_overflow(size, count, &bytes) ? 0 : bytes;
}

/* Returns true if the call puts data into the memory whose size it passes, or takes data from it. */
static bool needs_room(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    if (!form->part_count) {
        return (int64_t)facts->values[form->room_bytes] > 0;
    }
    const struct st_part *part = &form->parts[0];
    return !facts->found && st_part_count(facts, part, 0) > 0 &&
           st_ask_size(st_part_type(facts, part, 0)) > 0;
}

/* Checks the memory of a window, or of a buffer to attach; the output of MPI_Pack, the input of
 * MPI_Unpack. */
static void check_room(struct st_facts *facts)
{
    int room = facts->form->room;
    if (room < 0 || facts->values[room] || !needs_room(facts)) {
        return;
    }
    char message[120];
    snprintf(message, sizeof message, "passes a null pointer as '%s'%s",
             facts->form->parameters[room].name,
             facts->form->part_count ? ", with data to transfer" : " of more than 0 bytes");
    st_find(facts,
            &(struct st_found){.check = ST_BUFFER_NULL,
                               .parameter = room,
                               .message = message,
                               .advice = "pass the address of the memory; is malloc's result "
                                         "checked?"});
}

void st_check_parts(struct st_facts *facts)
{
    if (!check_topology(facts)) {
        return;
    }
    for (int i = 0; i < facts->form->part_count; i++) {
        check_part(facts, &facts->form->parts[i]);
    }
    check_room(facts);
    /* MPI_Pack_size and similar functions have a count and no buffer. */
    const struct st_form *form = facts->form;
    for (int i = 0; i < form->parameter_count && !form->part_count; i++) {
        if (form->parameters[i].role == ST_ROLE_COUNT && (int64_t)facts->values[i] < 0) {
            find_negative_count(facts, &(struct st_part){.count = (int8_t)i});
        }
    }
}
