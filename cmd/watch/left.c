/* SPDX-License-Identifier: BSD-3-Clause */
#include "left.h"

#include <stdlib.h>
#include <string.h>

#include "../nodes/calls.h"
#include "../nodes/nodes.h"
#include "../words.h"
#include "differing.h"
#include "shared.h"

/* Numbers of these records, different from those of the ranks and of hangs.c. */
#define FIRST_NUMBER (INT64_C(1) << 41)

/* True if some rank has not reached MPI_Finalize. */
static bool is_unfinished(const struct shared *left)
{
    for (uint32_t i = 0; i < left->rank_count; i++) {
        if (left->ranks[i].state == ST_RANK_THERE) {
            return true;
        }
    }
    return false;
}

/* True if one of COUNT calls was made on another node. */
static bool are_far(const struct published_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (calls[i].shared == NULL) {
            return true;
        }
    }
    return false;
}

/* True if a rank of some node has reported the first of COUNT calls with one number. */
static bool is_told(const struct shared *left, const struct published_call *calls, size_t count)
{
    const struct st_collective *call = &calls->call;
    for (size_t i = 0; i < count; i++) {
        if (calls[i].is_told) {
            return true;
        }
    }
    uint32_t place = st_collective_place(call->comm, call->number, ST_SEGMENT_LOG2_MEETINGS);
    return left->meetings[place].told == st_collective_key(call->comm, call->number);
}

/* --- the calls ------------------------------------------------------------------------------- */

struct calls {
    struct published_call *list; /* the calls of one communicator are adjacent, in the order of
                                   their numbers */
    size_t count;
};

static int by_order(const void *a, const void *b)
{
    const struct st_collective *x = &((const struct published_call *)a)->call,
                               *y = &((const struct published_call *)b)->call;
    if (x->comm != y->comm) {
        return (x->comm > y->comm) - (x->comm < y->comm);
    }
    if (x->number != y->number) {
        return (x->number > y->number) - (x->number < y->number);
    }
    const int a_rank = ((const struct published_call *)a)->rank,
              b_rank = ((const struct published_call *)b)->rank;
    return (a_rank > b_rank) - (a_rank < b_rank);
}

static struct calls read_calls(const struct shared *left)
{
    enum { ROOM = 1 << ST_AREA_LOG2_CALLS };
    struct calls calls = {zeroed((size_t)left->rank_count * ROOM + 1, sizeof *calls.list), 0};
    for (uint32_t rank = 0; rank < left->rank_count; rank++) {
        const struct st_rank_area *area = shared_area(left, rank);
        for (size_t i = 0; area != NULL && i < ROOM; i++) {
            struct st_collective *call = &calls.list[calls.count].call;
            uint64_t key = area->calls[i].key;
            if (key != 0 && st_rank_call_read(&area->calls[i], key, call) && call->rank == rank &&
                call->number != 0 && st_collective_key(call->comm, call->number) == key) {
                calls.list[calls.count].rank = shared_rank(left, rank);
                calls.list[calls.count].pid = left->ranks[rank].pid;
                calls.list[calls.count++].shared = left;
            }
        }
    }
    return calls;
}

static void sort_calls(struct calls *calls)
{
    for (size_t i = 0; i < calls->count; i++) {
        /* The two groups of an intercommunicator pass different arguments. So their calls form no
         * classes. */
        if (calls->list[i].call.flags & ST_COLLECTIVE_INTER) {
            calls->list[i].call.flags = ST_COLLECTIVE_VAGUE;
        }
    }
    qsort(calls->list, calls->count, sizeof *calls->list, by_order);
}

/* Compares the calls of each communicator, up to the first number that has a finding. */
static json_t *compare_calls(const struct shared *left, const struct calls *calls,
                             bool is_cut_short)
{
    const char *found = is_cut_short
                            ? "by mpipp, when the job had ended: no rank lived to compare them"
                            : "by mpipp, when the job had ended: no rank waited for the others";
    json_t *records = json_array();
    uint64_t done = 0; /* a communicator that has a finding already */
    for (size_t from = 0, end; from < calls->count; from = end) {
        const struct published_call *first_call = &calls->list[from];
        const struct st_collective *first = &first_call->call;
        for (end = from; end < calls->count && calls->list[end].call.comm == first->comm &&
                         calls->list[end].call.number == first->number;) {
            end++;
        }
        /* A node that has ended a communicator publishes no more calls on it: calls of several nodes with
         * one number were begun before that. */
        const bool far = are_far(first_call, end - from);
        if (first->comm == done || (!far && st_ended_has(left->ended, first->comm))) {
            continue;
        }
        if (is_told(left, first_call, end - from)) {
            done = far ? first->comm : done;
            continue;
        }
        json_t *record = differing_record(first_call, end - from,
                                          FIRST_NUMBER + (int64_t)json_array_size(records), found);
        if (record == NULL) {
            continue;
        }
        json_array_append_new(records, record);
        done = first->comm;
    }
    return records;
}

/* The number of MPI_Finalize in st_collective.called; UINT32_MAX: the rank has not called it. */
static uint32_t number_of_finalize(const struct st_rank_area *area)
{
    for (size_t i = 0; i < ST_AREA_FUNCTIONS; i++) {
        const struct st_rank_function *function = &area->functions[i];
        if (function->number != 0 &&
            strncmp(function->name, "MPI_Finalize", sizeof function->name) == 0) {
            return function->number - 1;
        }
    }
    return UINT32_MAX;
}

/* Finds the call of MPI_Finalize that a rank has left. */
static bool find_last_call(const struct shared *left, uint32_t rank, struct st_collective *last)
{
    const struct st_rank_area *area = shared_area(left, rank);
    const uint32_t finalize = area != NULL ? number_of_finalize(area) : UINT32_MAX;
    for (size_t i = 0; finalize != UINT32_MAX && i < 1 << ST_AREA_LOG2_CALLS; i++) {
        const uint64_t key = area->calls[i].key;
        if (key != 0 && st_rank_call_read(&area->calls[i], key, last) && last->rank == rank &&
            last->called == finalize) {
            return true;
        }
    }
    return false;
}

void left_add_end(struct left_ends *ends, uint64_t comm, uint64_t number)
{
    for (size_t i = 0; i < ends->count; i++) {
        if (ends->list[i].comm == comm && ends->list[i].number == number) {
            return;
        }
    }
    if (ends->count < LEFT_MOST_ENDS) {
        ends->list[ends->count++] = (struct left_end){comm, number};
    }
}

static void find_ends(const struct shared *left, struct left_ends *ends)
{
    struct st_collective last;
    ends->is_unfinished |= is_unfinished(left);
    for (uint32_t rank = 0; rank < left->rank_count; rank++) {
        if (find_last_call(left, rank, &last)) {
            left_add_end(ends, last.comm, last.number);
        }
    }
}

void left_find_ends(struct left_ends *ends)
{
    struct shared left = {0};
    if (shared_map(&left)) {
        find_ends(&left, ends);
        shared_unmap(&left);
    }
}

/* True if two ranks of a world have made different numbers of collective calls on MPI_COMM_WORLD. */
static bool are_unequal(const struct left_ends *ends)
{
    for (size_t i = 1; i < ends->count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (ends->list[i].comm == ends->list[k].comm) {
                return true;
            }
        }
    }
    return false;
}

json_t *left_compare(void)
{
    struct shared left = {0};
    struct left_ends ends = {0};
    if (!shared_map(&left)) {
        return json_array();
    }
    find_ends(&left, &ends);
    nodes_find_ends(&ends);
    if (!ends.is_unfinished && !are_unequal(&ends)) {
        shared_unmap(&left);
        return json_array();
    }
    struct calls calls = read_calls(&left);
    nodes_add_calls(&calls.list, &calls.count);
    sort_calls(&calls);
    json_t *records = compare_calls(&left, &calls, ends.is_unfinished);
    calls_free(calls.list, calls.count);
    shared_unmap(&left);
    return records;
}
