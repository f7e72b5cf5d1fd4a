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

void st_pairs_compare(const struct st_pairing *pairing, st_pairs_differ_fn *differ)
{
    const struct st_collective *mine = pairing->differing->mine;
    for (uint32_t i = 0, count = st_node_ranks(); i < count; i++) {
        struct st_collective other;
        if (st_node_find_call(i, pairing->key, mine, &other) && other.pairs &&
            other.function == mine->function && may_exchange(mine, &other)) {
            compare_pair(pairing, &other, differ);
        }
    }
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
