/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/paired.h"

#include "runtime/ranks/node.h"
#include "runtime/ranks/signed.h"
#include "runtime/record/lock.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/parts.h"

/* --- writing ------------------------------------------------------------------------------- */

struct st_rank_pair st_pair_of(uint64_t type, int64_t count)
{
    struct st_collective call = {0};
    st_sign(&call, type, count);
    return (struct st_rank_pair){
        .hash = {call.hash[0], call.hash[1]}, .length = call.length, .flags = call.flags};
}

/* Returns the pair for one element of a type. Predefined types of the last calls are known: their
 * signature never changes. The caller holds the lock. */
static struct st_rank_pair one_of(uint64_t type)
{
    enum { LOG2_KNOWN = 4 };
    static struct st_known_pair {
        uint64_t type;
        bool is_known;
        struct st_rank_pair one;
    } known[1 << LOG2_KNOWN];
    struct st_known_pair *entry = &known[type * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_KNOWN)];
    if (!entry->is_known || entry->type != type) {
        *entry = (struct st_known_pair){type, st_sign_stays(type), st_pair_of(type, 1)};
    }
    return entry->one;
}

/* Returns the pair for `count` elements; `one` is that for one element. */
static struct st_rank_pair repeat_pair(const struct st_rank_pair *one, uint64_t type, int64_t count)
{
    struct st_rank_pair pair = *one;
    if (!(one->flags & ST_COLLECTIVE_UNIFORM) || count < 0 ||
        __builtin_mul_overflow(one->length, count, &pair.length)) {
        return st_pair_of(type, count);
    }
    if (pair.length == 0) {
        pair.hash[0] = 0;
    }
    return pair;
}

static void write_pairs(const struct st_facts *facts, const struct st_part *part,
                        struct st_rank_pair *list, int64_t count)
{
    if (part->types) {
        for (int64_t i = 0; i < count; i++) {
            list[i] = st_pair_of(st_part_type(facts, part, i), st_part_count(facts, part, i));
        }
        return;
    }
    const uint64_t type = facts->values[part->type];
    const struct st_rank_pair one = st_pair_of(type, 1);
    for (int64_t i = 0; i < count; i++) {
        list[i] = repeat_pair(&one, type, st_part_count(facts, part, i));
    }
}

/* Returns how many entries a part has; 0 if it has no data here. */
static int64_t count_pairs(const struct st_facts *facts, const struct st_part *part)
{
    if (!st_part_is_significant(facts, part) || st_is_in_place(facts->values[part->buffer]) ||
        (part->counts && !facts->values[part->count]) ||
        (part->types && !facts->values[part->type])) {
        return 0;
    }
    return part->counts ? facts->comm.size : 1;
}

struct st_rank_pair *st_pairs_room(int64_t sends, int64_t receives, struct st_collective *call)
{
    bool locked = st_lock();
    struct st_rank_pairs *pairs = st_pairs_take(&st_ranks_node.area->pairs, (uint64_t)sends,
                                                (uint64_t)receives, &call->pairs);
    st_unlock(locked);
    return pairs ? pairs->list : NULL;
}

/* --- rows ---------------------------------------------------------------------------------- */

/* What this rank sends, or receives, in a call. */
struct st_row_side {
    const struct st_part *part; /* NULL: nothing */
    struct st_rank_pair one;    /* of one element */
    int64_t entries;            /* 0, 1, or one for each rank */
};

/* Returns false if a side does not fit into a row. */
static bool begin_side(const struct st_facts *facts, const struct st_part *part,
                       struct st_row_side *side)
{
    *side = (struct st_row_side){.entries = count_pairs(facts, part), .part = part};
    if (!side->entries) {
        return true;
    }
    if (part->types) {
        return false;
    }
    side->one = one_of(facts->values[part->type]);
    return side->one.flags & ST_COLLECTIVE_UNIFORM;
}

/* Stores the length of what this rank sends to, or receives from, another one. Returns false if it is not known. */
static inline bool store_length(const struct st_row_side *side, int64_t count, int64_t *length)
{
    int64_t product;
    if (count < 0 || __builtin_mul_overflow(side->one.length, count, &product)) {
        return false;
    }
    ST_ROW_STORE(*length, product);
    return true;
}

/* Fills in one direction. Returns false if a length is not known. */
static bool fill_side(const struct st_facts *facts, const struct st_row_side *side, int direction,
                      struct st_rank_row *row)
{
    const struct st_part *part = side->part;
    const int64_t entries = side->entries;
    const void *counts = (const void *)(uintptr_t)facts->values[part->count];
    bool known = true;
    ST_ROW_STORE(row->element[direction], side->one.hash[0]);
    if (!part->counts) {
        return !entries ||
               store_length(side, st_part_count(facts, part, 0), &row->lengths[0][direction]);
    }
    if (facts->form->parameters[part->count].width == sizeof(int32_t)) {
        for (int64_t i = 0; i < entries && known; i++) {
            known = store_length(side, ((const int32_t *)counts)[i], &row->lengths[i][direction]);
        }
    } else {
        for (int64_t i = 0; i < entries && known; i++) {
            known = store_length(side, ((const int64_t *)counts)[i], &row->lengths[i][direction]);
        }
    }
    return known;
}

/* MPI_IN_PLACE in a function without root: what this rank receives is what it sends. */
static void fill_in_place(const struct st_comm *comm, bool to_all, struct st_rank_row *row)
{
    const uint32_t sends = to_all ? 1 : row->receives;
    ST_ROW_STORE(row->sends, sends);
    ST_ROW_STORE(row->element[0], row->element[1]);
    for (uint32_t i = 0; i < sends; i++) {
        ST_ROW_STORE(row->lengths[i][0], row->lengths[to_all ? (uint32_t)comm->rank : i][1]);
    }
}

/* Fills in the row of a call. Returns false if the data does not fit into it. */
static bool fill_row(const struct st_facts *facts, const struct st_comm *comm,
                     struct st_rank_row *row)
{
    const struct st_form *form = facts->form;
    struct st_row_side send, receive;
    if (!begin_side(facts, &form->parts[0], &send) ||
        !begin_side(facts, &form->parts[1], &receive) || !fill_side(facts, &send, 0, row) ||
        !fill_side(facts, &receive, 1, row)) {
        return false;
    }
    ST_ROW_STORE(row->sends, (uint32_t)send.entries);
    ST_ROW_STORE(row->receives, (uint32_t)receive.entries);
    if (form->root < 0 && !row->sends && row->receives) {
        fill_in_place(comm, !form->parts[0].counts, row);
    }
    return row->sends + row->receives != 0;
}

/* Leaves the data in the row of the call. Returns false if it must be left in the ring. */
static bool leave_row(const struct st_facts *facts, const struct st_comm *comm,
                      struct st_collective *call)
{
    /* The ring has more room: ranks that only send to the root may be hundreds of calls ahead, and the agents of several
     * nodes ask for the data some time later. */
    if (facts->comm.inter || facts->form->root >= 0 || facts->comm.size > ST_ROW_RANKS ||
        st_ranks_node.firsts) {
        return false;
    }
    bool locked = st_lock();
    struct st_rank_row *row = st_row_begin(&st_ranks_node.area->pairs, call);
    ST_ROW_STORE(row->member, comm->rank);
    ST_ROW_STORE(row->function, call->function);
    const bool fits = fill_row(facts, comm, row);
    if (!fits) {
        ST_ROW_STORE(row->sends, 0);
        ST_ROW_STORE(row->receives, 0);
    }
    st_row_end(row, call);
    st_unlock(locked);
    if (fits) {
        call->pairs = st_row_place(call);
    }
    return fits;
}

/* --- the ring ------------------------------------------------------------------------------ */

bool st_pairs_leave(const struct st_form *form, const struct st_comm *comm, const uint64_t *values,
                    struct st_collective *call)
{
    const bool inter = comm->flags & ST_COMM_INTER;
    const struct st_facts facts = {.form = form,
                                   .values = values,
                                   .has_comm = true,
                                   .comm = {.size = inter ? comm->remote.size : comm->group.size,
                                            .rank = comm->rank,
                                            .inter = inter}};
    if (leave_row(&facts, comm, call)) {
        return true;
    }
    const struct st_part *send = &form->parts[0], *receive = &form->parts[1];
    int64_t sends = count_pairs(&facts, send), receives = count_pairs(&facts, receive);
    /* MPI_IN_PLACE in a function without root: the receive buffer is sent, by its counts. */
    bool in_place = form->root < 0 && sends == 0 && !inter;
    bool to_all = !send->counts;
    if (in_place) {
        sends = to_all ? 1 : receives;
    }
    struct st_rank_pair *list = st_pairs_room(sends, receives, call);
    if (!list) {
        return false;
    }
    write_pairs(&facts, receive, list + sends, receives);
    if (!in_place) {
        write_pairs(&facts, send, list, sends);
    } else {
        for (int64_t i = 0; i < sends; i++) {
            list[i] = receives ? list[sends + (to_all ? comm->rank : i)] : (struct st_rank_pair){0};
        }
    }
    return true;
}

/* --- comparing ----------------------------------------------------------------------------- */

/* Compares both directions between this rank and another one. */
static void compare_pair(const struct st_pairing *pairing, const struct st_collective *other,
                         st_pairs_differ_fn *differ)
{
    const struct st_collective *mine = pairing->differing->mine;
    struct st_unequal_pair unequal = {.from = mine, .to = other};
    if (!differ(&unequal)) {
        unequal = (struct st_unequal_pair){.from = other, .to = mine};
        if (!differ(&unequal)) {
            return;
        }
    }
    if (st_meeting_tells(pairing->meeting, pairing->key)) {
        st_differs_tell_pair(pairing->differing, &unequal);
    }
}

/* On an intercommunicator nothing is sent within a group. */
static bool may_exchange(const struct st_collective *mine, const struct st_collective *other)
{
    return !(mine->flags & ST_COLLECTIVE_INTER) || st_collective_are_opposite(mine, other);
}

/* Compares both directions between this rank and the one of this index. If their calls differ otherwise, that is told
 * where the ranks meet, and is what is wrong. Returns false if that rank's data is not there any more. */
static bool compare_with(const struct st_pairing *pairing, uint32_t rank,
                         st_pairs_differ_fn *differ)
{
    const struct st_collective *mine = pairing->differing->mine;
    const struct st_rank_area *area = st_node_area(rank);
    struct st_collective other;
    if (!area || !st_node_find_call(rank, pairing->key, mine, &other) || !other.pairs ||
        other.function != mine->function || !may_exchange(mine, &other) ||
        st_collective_compare(mine, &other) != ST_CALLS_AGREE) {
        return true;
    }
    compare_pair(pairing, &other, differ);
    return st_pairs_are_there(&area->pairs, other.pairs);
}

bool st_pairs_compare(const struct st_pairing *pairing, st_pairs_differ_fn *differ)
{
    bool there = true;
    for (uint32_t i = 0, count = st_node_ranks(); i < count; i++) {
        there &= compare_with(pairing, i, differ);
    }
    return there;
}

bool st_counts_compare(const struct st_pairing *pairing)
{
    const struct st_collective *mine = pairing->differing->mine;
    const struct st_rank_row *row = st_row_of(&st_ranks_node.area->pairs, mine);
    /* All ranks of a communicator have a row for the call, or none has. */
    if (row->key != pairing->key) {
        return st_pairs_compare(pairing, st_counts_differ);
    }
    const struct st_row_mine own = st_row_mine(row);
    bool there = true;
    for (uint32_t i = 0, count = st_node_ranks(); i < count; i++) {
        const struct st_rank_area *area = st_node_known_area(i);
        const struct st_rank_row *other = area ? st_row_of(&area->pairs, mine) : NULL;
        if (other && !st_rows_agree(&own, other) &&
            st_rows_compare(row, other) == ST_ROWS_ARE_NOT_ENOUGH) {
            there &= compare_with(pairing, i, st_counts_differ);
        }
    }
    return there;
}

bool st_counts_differ(struct st_unequal_pair *unequal)
{
    const struct st_collective *from = unequal->from, *to = unequal->to;
    const struct st_rank_area *sender = st_node_area(from->rank);
    const struct st_rank_area *receiver = st_node_area(to->rank);
    return sender && receiver &&
           st_pairs_read(&sender->pairs, from->pairs, true, to->member, &unequal->sent) &&
           st_pairs_read(&receiver->pairs, to->pairs, false, from->member, &unequal->received) &&
           st_pairs_differ(&unequal->sent, &unequal->received);
}

bool st_pairs_between(const struct st_collective *call, bool sends, int32_t peer,
                      bool (*each)(const struct st_rank_pair *pair, void *context), void *context)
{
    const struct st_rank_area *area = st_node_area(call->rank);
    const uint32_t count = area ? st_pairs_count(&area->pairs, call->pairs, sends) : 0;
    for (uint32_t i = 0; i < count; i++) {
        struct st_rank_pair pair;
        if (!st_pairs_read(&area->pairs, call->pairs, sends, (int32_t)i, &pair) ||
            (st_pair_peer(&pair) == peer && !each(&pair, context))) {
            return false;
        }
    }
    return area && st_pairs_are_there(&area->pairs, call->pairs);
}
