/* SPDX-License-Identifier: BSD-3-Clause */
#include "left.h"

#include <stdlib.h>
#include <string.h>

#include "../findings/merged.h"
#include "../words.h"
#include "core/model/hash.h"
#include "report/catalogue.h"
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

static bool is_told(const struct shared *left, const struct st_collective *call)
{
    uint32_t place = st_collective_place(call->comm, call->number, ST_SEGMENT_LOG2_MEETINGS);
    return left->meetings[place].told == st_collective_key(call->comm, call->number);
}

/* --- the calls ------------------------------------------------------------------------------- */

struct calls {
    struct st_collective *list; /* the calls of one communicator are adjacent, in the order of
                                   their numbers */
    size_t count;
};

static int by_order(const void *a, const void *b)
{
    const struct st_collective *x = a, *y = b;
    if (x->comm != y->comm) {
        return (x->comm > y->comm) - (x->comm < y->comm);
    }
    if (x->number != y->number) {
        return (x->number > y->number) - (x->number < y->number);
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static struct calls read_calls(const struct shared *left)
{
    enum { ROOM = 1 << ST_AREA_LOG2_CALLS };
    struct calls calls = {zeroed((size_t)left->rank_count * ROOM + 1, sizeof *calls.list), 0};
    for (uint32_t rank = 0; rank < left->rank_count; rank++) {
        const struct st_rank_area *area = shared_area(left, rank);
        for (size_t i = 0; area != NULL && i < ROOM; i++) {
            struct st_collective *call = &calls.list[calls.count];
            uint64_t key = area->calls[i].key;
            if (key != 0 && st_rank_call_read(&area->calls[i], key, call) && call->rank == rank &&
                call->number != 0 && st_collective_key(call->comm, call->number) == key) {
                /* The two groups of an intercommunicator pass different arguments. So their calls
                 * form no classes. */
                if (call->flags & ST_COLLECTIVE_INTER) {
                    call->flags = ST_COLLECTIVE_VAGUE;
                }
                calls.count++;
            }
        }
    }
    qsort(calls.list, calls.count, sizeof *calls.list, by_order);
    return calls;
}

/* --- in words -------------------------------------------------------------------------------- */

static int world_rank(const struct shared *left, const struct st_collective *call)
{
    return shared_rank(left, call->rank);
}

static char *function_of(const struct shared *left, const struct st_collective *call)
{
    return shared_function(left, call->rank, call->called);
}

static const char *operation_of(const struct st_collective *call)
{
    static const char *const names[] = {
        "MPI_MAX", "MPI_MIN",  "MPI_SUM",  "MPI_PROD",   "MPI_LAND",   "MPI_BAND",  "MPI_LOR",
        "MPI_BOR", "MPI_LXOR", "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_NO_OP", "MPI_REPLACE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (st_hash_text(1, names[i]) == call->operation) {
            return names[i];
        }
    }
    return "another operation";
}

static json_t *frames_of(const struct shared *left, const struct st_collective *call)
{
    return shared_frames(left, call->rank, call->place);
}

/* Ranks whose calls agree. */
struct class
{
    const struct st_collective *call; /* the call of one of them */
    struct report ranks;
};

/* "ranks 0-2" */
static char *class_text(const struct class *class)
{
    return text_of("%s %s", class->ranks.rank_count == 1 ? "rank" : "ranks",
                   report_ranks(&class->ranks));
}

/* Says what a class does that another class does differently: "passes root 1". */
static char *deed_of(const struct shared *left, const struct class *class,
                     enum st_agreement agreement)
{
    const struct st_collective *call = class->call;
    const char *s = class->ranks.rank_count == 1 ? "s" : "", *es = *s != '\0' ? "es" : "";
    switch (agreement) {
    case ST_DIFFERS_IN_CALL:
        return text_of("call%s %s", s, function_of(left, call));
    case ST_DIFFERS_IN_ROOT:
        return text_of("pass%s root %d", es, (int)call->root);
    case ST_DIFFERS_IN_OPERATION:
        return text_of("pass%s %s", es, operation_of(call));
    case ST_DIFFERS_IN_PLACE:
        return text_of("pass%s %s", es,
                       call->flags & ST_COLLECTIVE_PLACED ? "MPI_IN_PLACE" : "a buffer");
    case ST_DIFFERS_IN_TAG:
        return text_of("pass%s tag %lld", es, (long long)call->length);
    case ST_DIFFERS_IN_SIGNATURE:
        return text_of("pass%s %lld basic elements", es, (long long)call->length);
    default:
        return text_of("pass%s other arguments", es);
    }
}

/* "passes root 1 to MPI_Bcast where ranks 0-2 pass root 0" */
static char *message_of(const struct shared *left, const struct class *lead,
                        const struct class *odd)
{
    enum st_agreement agreement = st_collective_compare(lead->call, odd->call);
    const char *function = function_of(left, odd->call), *deed = deed_of(left, odd, agreement);
    /* MPI_Comm_dup and MPI_Comm_dup_with_info */
    if (agreement == ST_DIFFERS_IN_ARGUMENTS && lead->call->called != odd->call->called) {
        agreement = ST_DIFFERS_IN_CALL;
        deed = deed_of(left, odd, agreement);
    }
    if (agreement == ST_DIFFERS_IN_CALL) {
        return text_of("%s where %s %s", deed, class_text(lead), deed_of(left, lead, agreement));
    }
    if (agreement == ST_DIFFERS_IN_ARGUMENTS) {
        return text_of("%s to %s than %s", deed, function, class_text(lead));
    }
    return text_of("%s to %s where %s %s", deed, function, class_text(lead),
                   deed_of(left, lead, agreement));
}

static enum st_check check_of(enum st_agreement agreement)
{
    switch (agreement) {
    case ST_DIFFERS_IN_CALL:
        return ST_COLLECTIVE_CALL;
    case ST_DIFFERS_IN_ROOT:
        return ST_COLLECTIVE_OTHER_ROOT;
    case ST_DIFFERS_IN_OPERATION:
        return ST_COLLECTIVE_OP;
    case ST_DIFFERS_IN_PLACE:
        return ST_COLLECTIVE_OTHER_PLACE;
    case ST_DIFFERS_IN_SIGNATURE:
        return ST_COLLECTIVE_TYPE;
    default:
        return ST_COLLECTIVE_ARGUMENT;
    }
}

static enum st_severity severity_of(const struct class *lead, const struct class *odd)
{
    const enum st_agreement agreement = st_collective_compare(lead->call, odd->call);
    const enum st_check check = check_of(agreement);
    return agreement == ST_DIFFERS_IN_ARGUMENTS && odd->call->flags & ST_COLLECTIVE_MAY
               ? ST_SEVERITY_WARNING
               : st_check_rows[check].severity;
}

/* --- the finding ------------------------------------------------------------------------------ */

enum { MOST_CLASSES = 8 };
struct classes {
    struct class list[MOST_CLASSES];
    size_t count;
};

/* Sorts the calls with one number into classes. */
static void find_classes(const struct shared *left, const struct st_collective *calls, size_t count,
                         struct classes *classes)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < classes->count &&
               (st_collective_compare(classes->list[at].call, &calls[i]) != ST_CALLS_AGREE ||
                st_collective_are_apart(classes->list[at].call, &calls[i]))) {
            at++;
        }
        if (at == MOST_CLASSES) {
            continue;
        }
        if (at == classes->count) {
            classes->list[classes->count++].call = &calls[i];
        }
        report_add_rank(&classes->list[at].ranks, world_rank(left, &calls[i]));
    }
}

/* The largest class leads. Of equally large classes the one with the lowest rank leads. */
static bool leads(const struct class *class, const struct class *other)
{
    if (class->ranks.rank_count != other->ranks.rank_count) {
        return class->ranks.rank_count > other->ranks.rank_count;
    }
    return class->ranks.ranks[0] < other->ranks.ranks[0];
}

static void sort_classes(struct classes *classes)
{
    for (size_t i = 1; i < classes->count; i++) {
        for (size_t k = i; k > 0 && leads(&classes->list[k], &classes->list[k - 1]); k--) {
            struct class class = classes->list[k];
            classes->list[k] = classes->list[k - 1];
            classes->list[k - 1] = class;
        }
    }
}

/* Adds the classes that differ first. */
static void add_classes(const struct shared *left, const struct classes *classes, json_t *others,
                        json_t *ranks)
{
    for (size_t i = classes->count; i-- > 0;) {
        const struct class *class = &classes->list[i];
        json_array_append_new(others, json_pack("{s:i, s:s, s:s, s:o}", "rank",
                                                class->ranks.ranks[0], "label", class_text(class),
                                                "call", function_of(left, class->call), "site",
                                                frames_of(left, class->call)));
        for (size_t k = 0; k < class->ranks.rank_count; k++) {
            json_array_append_new(ranks, json_integer(class->ranks.ranks[k]));
        }
    }
}

static char *order_of(const struct st_collective *call, size_t class_count)
{
    unsigned long long number = call->number;
    /* Calls that are counted for each pair of ranks have a tag (runtime/ranks/partners.h). */
    if (call->flags & ST_COLLECTIVE_TAG) {
        return text_of("both are call %llu of it between the two", number);
    }
    return text_of("%s collective call %llu of their communicator",
                   class_count > 2 ? "all are" : "both are", number);
}

/* NUMBER: how many records were made before. */
static json_t *record_of(const struct shared *left, const struct classes *classes, size_t number)
{
    const struct class *lead = &classes->list[0], *odd = &classes->list[classes->count - 1];
    const struct st_check_row *row =
        &st_check_rows[check_of(st_collective_compare(lead->call, odd->call))];
    json_t *others = json_array(), *ranks = json_array();
    add_classes(left, classes, others, ranks);
    char *order = order_of(odd->call, classes->count);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:I, s:i, s:I, s:o, s:o, s:[[s, s], [s, s]]}",
        "record", "finding", "id", row->id, "severity", st_severity_name(severity_of(lead, odd)),
        "subject", class_text(odd), "message", message_of(left, lead, odd), "rank",
        odd->ranks.ranks[0], "ranks", ranks, "pid", (json_int_t)left->ranks[odd->call->rank].pid,
        "count", 1, "n", FIRST_NUMBER + (json_int_t)number, "site", frames_of(left, odd->call),
        "other", others, "lines", "order", order, "found",
        is_unfinished(left) ? "by mpipp, when the job had ended: no rank lived to compare them"
                            : "by mpipp, when the job had ended: no rank waited for the others");
}

/* Compares the calls with one number. Returns NULL if they agree. */
static json_t *compare_number(const struct shared *left, const struct st_collective *calls,
                              size_t count, size_t number)
{
    struct classes classes = {0};
    find_classes(left, calls, count, &classes);
    sort_classes(&classes);
    /* Drops the classes that need not agree with the first one. */
    while (classes.count > 1 &&
           st_collective_compare(classes.list[0].call, classes.list[classes.count - 1].call) ==
               ST_CALLS_AGREE) {
        classes.count--;
    }
    return classes.count > 1 ? record_of(left, &classes, number) : NULL;
}

/* Compares the calls of each communicator, up to the first number that has a finding. */
static json_t *compare_calls(const struct shared *left, const struct calls *calls)
{
    json_t *records = json_array();
    uint64_t done = 0; /* a communicator that has a finding already */
    for (size_t from = 0, end; from < calls->count; from = end) {
        const struct st_collective *first = &calls->list[from];
        for (end = from; end < calls->count && calls->list[end].comm == first->comm &&
                         calls->list[end].number == first->number;) {
            end++;
        }
        if (first->comm == done || st_ended_has(left->ended, first->comm) || is_told(left, first)) {
            continue;
        }
        json_t *record = compare_number(left, first, end - from, json_array_size(records));
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

/* True if two ranks of a world have made different numbers of collective calls on MPI_COMM_WORLD. */
static bool has_unequal_ends(const struct shared *left)
{
    enum { MOST_WORLDS = 16 };
    struct st_collective ends[MOST_WORLDS], last;
    size_t count = 0;
    for (uint32_t rank = 0; rank < left->rank_count; rank++) {
        size_t at = 0;
        if (!find_last_call(left, rank, &last)) {
            continue;
        }
        while (at < count && ends[at].comm != last.comm) {
            at++;
        }
        if (at < count && ends[at].number != last.number) {
            return true;
        }
        if (at == count && count < MOST_WORLDS) {
            ends[count++] = last;
        }
    }
    return false;
}

json_t *left_compare(void)
{
    struct shared left = {0};
    if (!shared_map(&left)) {
        return json_array();
    }
    if (!is_unfinished(&left) && !has_unequal_ends(&left)) {
        shared_unmap(&left);
        return json_array();
    }
    struct calls calls = read_calls(&left);
    json_t *records = compare_calls(&left, &calls);
    free(calls.list);
    shared_unmap(&left);
    return records;
}
