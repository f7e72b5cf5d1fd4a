/* SPDX-License-Identifier: BSD-3-Clause */
/* Data from rank to rank, and the edges of topologies. */
#include <stdlib.h>

#include "../words.h"
#include "core/agree/edges.h"
#include "core/agree/rules.h"
#include "differing_internal.h"
#include "report/catalogue.h"

static char *pair_data_of(const struct st_rank_pair *pair)
{
    return elements_of(pair->length, pair->hash[0], pair->flags & ST_COLLECTIVE_UNIFORM);
}

/* Finds what a call sends to a rank of the communicator, or receives from it, as st_pairs_read(). NULL: it
 * says nothing of it. */
static const struct st_rank_pair *find_pair(const struct published_call *call, bool sends,
                                            int32_t member)
{
    const struct st_rank_pairs *pairs = call->pairs;
    const uint32_t count = pairs == NULL ? 0 : sends ? pairs->sends : pairs->receives;
    const struct st_rank_pair *list =
        pairs == NULL ? NULL : pairs->list + (sends ? 0 : pairs->sends);
    if (member < 0 || count == 0 || (count > 1 && (uint32_t)member >= count)) {
        return NULL;
    }
    return &list[count == 1 ? 0 : member];
}

/* Two calls of which one sends other data than the other receives, or names other edges. */
struct unequal_calls {
    const struct published_call *from, *to;
    struct st_rank_pair sent, received; /* of edges: `length` says how many */
    enum st_agreement agreement;
};

/* "1 edge", "2 edges", "no edge" */
static char *edges_of(int64_t count)
{
    return count == 0 ? text_of("no edge")
                      : text_of("%lld edge%s", (long long)count, count == 1 ? "" : "s");
}

static char *unequal_message(const struct unequal_calls *unequal)
{
    const struct published_call *from = unequal->from, *to = unequal->to;
    const struct st_rank_pair *sent = &unequal->sent, *received = &unequal->received;
    if (unequal->agreement == ST_DIFFERS_IN_SIGNATURE) {
        return text_of("sends %s to rank %d in %s, which receives %s from it", pair_data_of(sent),
                       to->rank, differing_function(from), pair_data_of(received));
    }
    const bool by_weight = sent->length == received->length;
    return text_of("names %s to rank %d in %s, which names %s %s it", edges_of(sent->length),
                   to->rank, differing_function(from),
                   by_weight ? "other weights" : edges_of(received->length),
                   by_weight ? "for" : "from");
}

/* "sends 99 x MPI_INT to rank 0 in MPI_Gatherv, which receives 100 x MPI_INT from it" */
static json_t *pair_record(const struct unequal_calls *unequal, int64_t number, const char *found)
{
    char *message = unequal_message(unequal);
    json_t *record = differing_two(unequal->to, unequal->from, number, found);
    const struct st_check_row *row = &st_check_rows[differing_check(unequal->agreement)];
    json_object_set_new(record, "message", json_string(message));
    json_object_set_new(record, "id", json_string(row->id));
    json_object_set_new(record, "severity", json_string(st_severity_name(row->severity)));
    json_object_set_new(record, "advice", json_string(st_agreement_advice(unequal->agreement)));
    free(message);
    return record;
}

/* Calls `each` for every edge of a call to a rank, or from it. Returns false if they are not known, or if
 * `each` returns false. */
static bool list_edges(const struct published_call *call, bool sends, int32_t member,
                       bool (*each)(const struct st_rank_pair *edge, void *context), void *context)
{
    const struct st_rank_pairs *pairs = call->pairs;
    const uint32_t count = pairs == NULL ? 0 : sends ? pairs->sends : pairs->receives;
    for (uint32_t i = 0; i < count; i++) {
        const struct st_rank_pair *edge = &pairs->list[i + (sends ? 0 : pairs->sends)];
        if (st_pair_peer(edge) == member && !each(edge, context)) {
            return false;
        }
    }
    return pairs != NULL;
}

static bool add_edge(const struct st_rank_pair *edge, void *context)
{
    return st_edges_add(context, edge);
}

static bool sum_edge(const struct st_rank_pair *edge, void *context)
{
    st_edge_sum_add(context, edge);
    return true;
}

/* What goes along edges. */
static bool are_edges_unequal(struct unequal_calls *unequal)
{
    struct st_edges sent = {.count = 0}, received = {.count = 0};
    return list_edges(unequal->from, true, unequal->to->call.member, add_edge, &sent) &&
           list_edges(unequal->to, false, unequal->from->call.member, add_edge, &received) &&
           st_edges_are_unequal(&sent, &received, &unequal->sent, &unequal->received);
}

/* The edges themselves. */
static bool are_named_unequal(struct unequal_calls *unequal)
{
    struct st_edge_sum named = {.count = 0}, expected = {.count = 0};
    unequal->agreement = ST_DIFFERS_IN_EDGES;
    if (!list_edges(unequal->from, true, unequal->to->call.member, sum_edge, &named) ||
        !list_edges(unequal->to, false, unequal->from->call.member, sum_edge, &expected)) {
        return false;
    }
    unequal->sent.length = named.count;
    unequal->received.length = expected.count;
    return st_edge_sums_differ(&named, &expected);
}

/* Fills in the rest. */
static bool are_unequal(struct unequal_calls *unequal)
{
    const struct published_call *from = unequal->from, *to = unequal->to;
    const bool is_inter = (from->call.flags & ST_COLLECTIVE_INTER) != 0;
    if (from == to || from->call.function != to->call.function ||
        (is_inter && !st_collective_are_opposite(&from->call, &to->call))) {
        return false;
    }
    const uint32_t rules = st_rules_of(differing_function(from));
    if (rules & ST_RULE_EDGES) {
        return are_edges_unequal(unequal);
    }
    if (rules & ST_RULE_NAMED_EDGES) {
        return are_named_unequal(unequal);
    }
    const struct st_rank_pair *sent = find_pair(from, true, to->call.member),
                              *received = find_pair(to, false, from->call.member);
    if (sent == NULL || received == NULL || !st_pairs_differ(sent, received)) {
        return false;
    }
    unequal->sent = *sent;
    unequal->received = *received;
    return true;
}

json_t *differing_pair_record(const struct published_call *calls, size_t count, int64_t number,
                              const char *found)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            struct unequal_calls unequal = {
                .from = &calls[i], .to = &calls[k], .agreement = ST_DIFFERS_IN_SIGNATURE};
            if (are_unequal(&unequal)) {
                return pair_record(&unequal, number, found);
            }
        }
    }
    return NULL;
}

/* True if the call of this member of the communicator is among them. A peer that is no member, MPI_PROC_NULL, is
 * negative. */
static bool has_member(const struct published_call *list, size_t count, int32_t member)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].call.member == member) {
            return true;
        }
    }
    return member < 0;
}

/* How many of the calls are of the other group than one of them. With `is_root`: of its root. */
static size_t count_opposite(const struct published_call *list, size_t count,
                             const struct st_collective *call, bool is_root)
{
    size_t opposite = 0;
    for (size_t i = 0; i < count; i++) {
        opposite += st_collective_are_opposite(&list[i].call, call) &&
                    (!is_root || list[i].call.root == ST_ROOT_SELF);
    }
    return opposite;
}

/* True if all ranks are there from which a call of an intercommunicator receives, or to which it sends. */
static bool has_other_group(const struct published_call *list, size_t count,
                            const struct published_call *one, size_t rows)
{
    const struct st_collective *call = &one->call;
    if (!(call->flags & ST_COLLECTIVE_ROOT)) {
        return count_opposite(list, count, call, false) >= (rows > 1 ? rows : 1);
    }
    return call->root == ST_ROOT_SELF ? count_opposite(list, count, call, false) >= rows
                                      : count_opposite(list, count, call, true) == 1;
}

/* True if MPI_PROC_NULL was passed as root: such a rank of an intercommunicator exchanges nothing. */
static bool takes_no_part(const struct st_collective *call)
{
    return call->flags & ST_COLLECTIVE_INTER && call->flags & ST_COLLECTIVE_ROOT &&
           call->root == ST_ROOT_NONE;
}

/* True if the calls are there of all ranks that exchange data: one that receives from all of them, or sends to them, has an
 * entry for each. */
static bool has_each(const struct published_call *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct st_rank_pairs *pairs = list[i].pairs;
        const struct st_collective *call = &list[i].call;
        if (takes_no_part(call)) {
            continue;
        }
        const size_t rows = pairs->sends > pairs->receives ? pairs->sends : pairs->receives;
        if (call->flags & ST_COLLECTIVE_INTER
                ? !has_other_group(list, count, &list[i], rows)
                : rows > count ||
                      (call->flags & ST_COLLECTIVE_ROOT && !has_member(list, count, call->root))) {
            return false;
        }
    }
    return count != 0;
}

/* True if the calls of all ranks at the ends of edges are known. */
static bool has_neighbours(const struct published_call *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct st_rank_pairs *pairs = list[i].pairs;
        for (uint32_t k = 0; k < pairs->sends + pairs->receives; k++) {
            if (!has_member(list, count, st_pair_peer(&pairs->list[k]))) {
                return false;
            }
        }
    }
    return true;
}

enum differing_pairs differing_known_pairs(const struct published_call *calls, size_t count)
{
    const uint32_t rules = count != 0 ? st_rules_of(differing_function(&calls[0])) : 0;
    for (size_t i = 0; i < count; i++) {
        if (calls[i].pairs == NULL && !takes_no_part(&calls[i].call)) {
            return DIFFERING_PAIRS_GONE;
        }
    }
    const bool has_all = rules & (ST_RULE_EDGES | ST_RULE_NAMED_EDGES)
                             ? has_neighbours(calls, count)
                             : has_each(calls, count);
    return has_all ? DIFFERING_PAIRS_ALL : DIFFERING_PAIRS_TO_COME;
}
