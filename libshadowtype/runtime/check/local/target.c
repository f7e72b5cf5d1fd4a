/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The datatypes of a one-sided call: that of its own buffer compared with the one at the target
 * (MPI-4.0, 12.3). Both are arguments of one call, and must match like those of a send and its
 * receive: match-type, match-truncation. And a type that is written at the target must not name a
 * byte twice: datatype-self-overlap.
 */
#include <stdio.h>

#include "core/signature/signature_match.h"
#include "report/writer.h"
#include "runtime/check/checks.h"
#include "runtime/check/quick.h"
#include "runtime/ranks/signed.h"
#include "runtime/ranks/words.h"
#include "runtime/record/layouts.h"
#include "runtime/record/lock.h"
#include "runtime/record/table.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/parts.h"

enum { WORK = 1 << 20, MOST_WORDS = 200 };

/* `count` elements of a datatype, for one part of the call. */
struct st_transfer_end {
    const struct st_part *part;
    uint64_t type;
    int64_t count;
};

struct st_transfer {
    struct st_transfer_end from, to;
};

/* Returns the part at the target; NULL if the call has one datatype for all of its parts. */
static const struct st_part *target_part(const struct st_form *form)
{
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].buffer < 0 && form->parts[i].type >= 0 && form->parts[i].count >= 0) {
            return &form->parts[i];
        }
    }
    return NULL;
}

bool st_has_target_type(const struct st_form *form)
{
    return form->there >= 0 && target_part(form);
}

static struct st_transfer_end end_of(const struct st_facts *facts, const struct st_part *part)
{
    return (struct st_transfer_end){.part = part,
                                    .type = facts->values[part->type],
                                    .count = (int64_t)facts->values[part->count]};
}

/* --- match-type, match-truncation ---------------------------------------------------------- */

static enum st_message_fit fit_of(const struct st_transfer *transfer)
{
    struct st_message_space sent, room;
    st_sign_message(&sent, transfer->from.type, transfer->from.count);
    st_sign_message(&room, transfer->to.type, transfer->to.count);
    const struct st_message message = {.hash = {sent.data.hash[0], sent.data.hash[1]},
                                       .length = sent.data.length,
                                       .bytes = sent.data.bytes,
                                       .called = st_message_called(0, sent.data.flags)};
    return st_message_fits(&message, &room);
}

/* Compares the two datatypes themselves. Returns false if the difference cannot be described. */
static bool match_ends(const struct st_transfer *transfer, struct st_match *match)
{
    bool is_known = false;
    bool locked = st_lock();
    const struct st_type *from = st_tree_of_handle(transfer->from.type);
    const struct st_type *to = st_tree_of_handle(transfer->to.type);
    struct st_signatures *signatures = from && to ? st_signatures_new() : NULL;
    if (signatures) {
        st_signatures_bound(signatures, WORK);
        st_match(signatures, from, transfer->from.count, to, transfer->to.count, match);
        is_known = !match->bytes && match->at[0].present &&
                   (match->verdict == ST_MATCH_DIFFERENT || match->verdict == ST_MATCH_PREFIX);
        st_signatures_free(signatures);
    }
    st_unlock(locked);
    return is_known;
}

static const char *transfer_verb(const struct st_facts *facts, const struct st_transfer *transfer)
{
    const struct st_form *form = facts->form;
    if (transfer->to.part->buffer >= 0) {
        return form->op >= 0 ? "fetches" : "gets";
    }
    return form->op >= 0 ? "accumulates" : "puts";
}

/* Writes the elements. Returns true if they are all equal. */
static bool put_end(struct st_writer *writer, const struct st_transfer_end *end)
{
    struct st_message_space space;
    st_sign_message(&space, end->type, end->count);
    if (space.data.flags & ST_MESSAGE_SIGNED) {
        st_put_elements(writer, space.data.length, space.data.hash[0],
                        space.data.flags & ST_MESSAGE_UNIFORM);
    } else {
        st_put_number(writer, space.data.bytes);
        st_put(writer, " bytes");
    }
    if (end->part->buffer < 0) {
        st_put(writer, " at the target");
    }
    return space.data.flags & ST_MESSAGE_UNIFORM;
}

static void put_difference(struct st_writer *writer, const struct st_match *match)
{
    char text[ST_ELEMENT_TEXT];
    if (match->verdict != ST_MATCH_DIFFERENT || !match->at[1].present || match->agreed < 0) {
        return;
    }
    st_put(writer, ": element ");
    st_put_number(writer, match->agreed);
    st_put(writer, " is ");
    st_element_text(&match->at[0].element, text);
    st_put(writer, text);
    st_put(writer, ", and ");
    st_element_text(&match->at[1].element, text);
    st_put(writer, text);
    st_put(writer, " where it goes");
}

/* Returns the ordinal of a datatype's node, which may be ST_NO_NODE. */
static uint32_t node_of(uint64_t type)
{
    bool locked = st_lock();
    uint32_t node = st_table_find(type);
    st_unlock(locked);
    return node;
}

/* Returns the element of this rank's own buffer that has no counterpart. */
static struct st_spot own_spot(const struct st_facts *facts, const struct st_transfer_end *own,
                               const struct st_match_element *at)
{
    if (!at->present || at->place.number < 0) {
        return (struct st_spot){.which = ST_NO_ELEMENT};
    }
    return (struct st_spot){.which = ST_ELEMENT_NUMBER,
                            .copies = own->count,
                            .in_memory = true,
                            .address = facts->values[own->part->buffer],
                            .number = at->place.number};
}

static void find_misfit(struct st_facts *facts, const struct st_transfer *transfer,
                        enum st_message_fit fit)
{
    struct st_match match;
    char bytes[MOST_WORDS];
    struct st_texts texts = {bytes, sizeof bytes, 0};
    if (!match_ends(transfer, &match)) {
        return;
    }
    struct st_writer writer = st_texts_begin(&texts);
    st_put(&writer, transfer_verb(facts, transfer));
    st_put(&writer, " ");
    const bool sent_alike = put_end(&writer, &transfer->from);
    st_put(&writer, fit == ST_MESSAGE_TOO_LONG ? " into room for " : " into ");
    if (!put_end(&writer, &transfer->to) || !sent_alike) {
        put_difference(&writer, &match);
    }
    const bool is_from = transfer->from.part->buffer >= 0;
    const struct st_transfer_end *own = is_from ? &transfer->from : &transfer->to;
    const struct st_transfer_end *there = is_from ? &transfer->to : &transfer->from;
    const bool is_long = fit == ST_MESSAGE_TOO_LONG;
    const uint32_t node = node_of(there->type);
    st_find(facts,
            &(struct st_found){
                .check = is_long ? ST_MATCH_TRUNCATION : ST_MATCH_TYPE,
                .parameter = is_long ? there->part->count : there->part->type,
                .message = st_texts_end(&texts, &writer),
                .type = own->type,
                .other_node = node,
                .has_other_node = node != ST_NO_NODE && there->type != own->type,
                .spot = own_spot(facts, own, &match.at[is_from ? 0 : 1]),
                .advice = is_long ? "count and datatype of both sides are arguments of this call: "
                                    "let them name as much data"
                                  : "count and datatype of both sides are arguments of this call: "
                                    "let their basic datatypes be the same, in the same order"});
}

static void check_transfer(struct st_facts *facts, const struct st_transfer *transfer)
{
    const struct st_transfer_end *from = &transfer->from, *to = &transfer->to;
    if ((from->type == to->type && from->count <= to->count) || from->count <= 0 || to->count < 0 ||
        st_found_at(facts, from->part->type) || st_found_at(facts, to->part->type) ||
        st_found_at(facts, from->part->count) || st_found_at(facts, to->part->count) ||
        !st_part_is_significant(facts, from->part) || !st_part_is_significant(facts, to->part)) {
        return;
    }
    const enum st_message_fit fit = fit_of(transfer);
    if (fit != ST_MESSAGE_FITS) { /* where they end inside an element: if a difference is found */
        find_misfit(facts, transfer, fit);
    }
}

/* --- datatype-self-overlap ----------------------------------------------------------------- */

static void check_written(struct st_facts *facts, const struct st_transfer_end *there)
{
    struct st_shape shape;
    const struct st_form *form = facts->form;
    const bool is_read = form->parts[0].access == ST_WRITE ||
                         (form->op >= 0 && facts->values[form->op] == st_numbers.op_no_op);
    if (is_read || there->count <= 0 || st_quick_type(there->type) ||
        st_found_at(facts, there->part->type) || !st_part_is_significant(facts, there->part) ||
        !st_shape_of(there->type, &shape) || !shape.overlaps_at ||
        shape.overlaps_at > there->count) {
        return;
    }
    st_find(facts, &(struct st_found){
                       .check = ST_DATATYPE_SELF_OVERLAP,
                       .parameter = there->part->type,
                       .message = "writes at the target by a datatype that names a byte twice",
                       .type = there->type,
                       .spot = {.which = ST_ELEMENTS_TWICE, .copies = there->count},
                       .advice = "what arrives in such a byte is left open; is a stride or an "
                                 "extent too small?"});
}

void st_check_target(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    const struct st_transfer_end there = end_of(facts, target_part(form));
    for (int i = 0; i < form->part_count; i++) {
        const struct st_part *part = &form->parts[i];
        if (part == there.part || part->type < 0 || part->count < 0) {
            continue;
        }
        const struct st_transfer_end own = end_of(facts, part);
        check_transfer(facts, part->access == ST_WRITE ? &(struct st_transfer){there, own}
                                                       : &(struct st_transfer){own, there});
    }
    check_written(facts, &there);
}
