/* SPDX-License-Identifier: BSD-3-Clause */
#include "differing_internal.h"

#include <stdlib.h>
#include <string.h>

#include "../findings/merged.h"
#include "../words.h"
#include "core/model/basic.h"
#include "core/model/hash.h"
#include "core/signature/element.h"
#include "report/catalogue.h"

/* --- in words -------------------------------------------------------------------------------- */

const char *differing_function(const struct published_call *call)
{
    return call->shared != NULL ? shared_function(call->shared, call->call.rank, call->call.called)
                                : call->function;
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
    return call->operation == ST_OPERATION_OF_PROGRAM ? ST_OPERATION_OF_PROGRAM_TEXT
                                                      : "another operation";
}

static json_t *frames_of(const struct published_call *call)
{
    return call->shared != NULL ? shared_frames(call->shared, call->call.rank, call->call.place)
                                : json_incref(call->frames);
}

static enum st_agreement compare_calls(const struct published_call *one,
                                       const struct published_call *other)
{
    return st_collective_compare(&one->call, &other->call);
}

/* The name of the basic type with this hash; NULL if it is not known. */
static const char *element_name(uint64_t hash)
{
    const char *name;
    for (size_t i = 0; (name = st_basic_name(i)) != NULL; i++) {
        if (st_element_hash(&(struct st_basic_element){.kind = ST_NAMED, .name = name}) == hash) {
            return name;
        }
    }
    return NULL;
}

char *elements_of(int64_t length, uint64_t hash, bool is_uniform)
{
    if (length == 0) {
        return text_of("nothing");
    }
    const char *name = is_uniform ? element_name(hash) : "several basic types";
    return text_of("%lld x %s", (long long)length, name != NULL ? name : "a basic type");
}

static char *data_of(const struct st_collective *call)
{
    return elements_of(call->length, call->hash[0], call->flags & ST_COLLECTIVE_UNIFORM);
}

static char *root_of(const struct st_collective *call)
{
    const char *name = st_collective_root_name(call);
    return name != NULL ? text_of("%s", name) : text_of("%d", (int)call->root);
}

static void add_argument(json_t *list, const char *name, const char *value)
{
    json_array_append_new(list, json_pack("[s, s]", name, value));
}

/* The arguments on which ranks must agree, as far as the call has them. */
static json_t *arguments_of(const struct published_call *published)
{
    const struct st_collective *call = &published->call;
    json_t *list = json_array();
    if (call->flags & ST_COLLECTIVE_PLACED) {
        add_argument(list, "buffer", "MPI_IN_PLACE");
    }
    if (call->flags & ST_COLLECTIVE_SIGNATURE) {
        add_argument(list, "data", data_of(call));
    }
    if (call->operation != 0) {
        add_argument(list, "op", operation_of(call));
    }
    if (call->flags & ST_COLLECTIVE_ROOT) {
        add_argument(list, "root", root_of(call));
    }
    if (call->flags & ST_COLLECTIVE_TAG) {
        add_argument(list, "tag", text_of("%lld", (long long)call->length));
    }
    if (published->comm != NULL) {
        add_argument(list, "comm", published->comm);
    }
    return list;
}

/* Ranks whose calls agree. */
struct class
{
    const struct published_call *call; /* the call of one of them */
    struct report ranks;
};

/* "ranks 0-2" */
static char *class_text(const struct class *class)
{
    return text_of("%s %s", class->ranks.rank_count == 1 ? "rank" : "ranks",
                   report_ranks(&class->ranks));
}

/* Says what a class does that another class does differently: "passes root 1". */
static char *deed_of(const struct class *class, enum st_agreement agreement)
{
    const struct st_collective *call = &class->call->call;
    const char *s = class->ranks.rank_count == 1 ? "s" : "", *es = *s != '\0' ? "es" : "";
    switch (agreement) {
    case ST_DIFFERS_IN_CALL:
        return text_of("call%s %s", s, differing_function(class->call));
    case ST_DIFFERS_IN_ROOT:
        return text_of("pass%s root %s", es, root_of(call));
    case ST_DIFFERS_IN_OPERATION:
        return text_of("pass%s %s", es, operation_of(call));
    case ST_DIFFERS_IN_PLACE:
        return text_of("pass%s %s", es,
                       call->flags & ST_COLLECTIVE_PLACED ? "MPI_IN_PLACE" : "a buffer");
    case ST_DIFFERS_IN_TAG:
        return text_of("pass%s tag %lld", es, (long long)call->length);
    case ST_DIFFERS_IN_SIGNATURE:
        return text_of("pass%s %s", es, data_of(call));
    default:
        return text_of("pass%s other arguments", es);
    }
}

/* "ranks 0-2", "rank 2 of the other group" */
static char *lead_text(const struct class *lead, const struct class *odd)
{
    const struct st_collective *one = &lead->call->call, *other = &odd->call->call;
    const bool is_inter = (one->flags & ST_COLLECTIVE_INTER) != 0;
    return text_of("%s%s", class_text(lead),
                   is_inter && st_collective_are_opposite(one, other) ? " of the other group" : "");
}

/* "passes root 1 to MPI_Bcast where ranks 0-2 pass root 0" */
static char *message_of(const struct class *lead, const struct class *odd)
{
    enum st_agreement agreement = compare_calls(lead->call, odd->call);
    const char *function = differing_function(odd->call), *deed = deed_of(odd, agreement);
    /* MPI_Comm_dup and MPI_Comm_dup_with_info */
    if (agreement == ST_DIFFERS_IN_ARGUMENTS && lead->call->call.called != odd->call->call.called) {
        agreement = ST_DIFFERS_IN_CALL;
        deed = deed_of(odd, agreement);
    }
    if (agreement == ST_DIFFERS_IN_CALL) {
        return text_of("%s where %s %s", deed, lead_text(lead, odd), deed_of(lead, agreement));
    }
    if (agreement == ST_DIFFERS_IN_ARGUMENTS) {
        return text_of("%s to %s than %s", deed, function, lead_text(lead, odd));
    }
    return text_of("%s to %s where %s %s", deed, function, lead_text(lead, odd),
                   deed_of(lead, agreement));
}

enum st_check differing_check(enum st_agreement agreement)
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
    const enum st_agreement agreement = compare_calls(lead->call, odd->call);
    const enum st_check check = differing_check(agreement);
    return agreement == ST_DIFFERS_IN_ARGUMENTS && odd->call->call.flags & ST_COLLECTIVE_MAY
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
static void find_classes(const struct published_call *calls, size_t count, struct classes *classes)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < classes->count &&
               (compare_calls(classes->list[at].call, &calls[i]) != ST_CALLS_AGREE ||
                st_collective_are_apart(&classes->list[at].call->call, &calls[i].call))) {
            at++;
        }
        if (at == MOST_CLASSES) {
            continue;
        }
        if (at == classes->count) {
            classes->list[classes->count++].call = &calls[i];
        }
        report_add_rank(&classes->list[at].ranks, calls[i].rank);
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
static void add_classes(const struct classes *classes, json_t *others, json_t *ranks)
{
    for (size_t i = classes->count; i-- > 0;) {
        const struct class *class = &classes->list[i];
        json_array_append_new(others,
                              json_pack("{s:i, s:s, s:s, s:o, s:o}", "rank", class->call->rank,
                                        "label", class_text(class), "call",
                                        differing_function(class->call), "arguments",
                                        arguments_of(class->call), "site", frames_of(class->call)));
        for (size_t k = 0; k < class->ranks.rank_count; k++) {
            json_array_append_new(ranks, json_integer(class->ranks.ranks[k]));
        }
    }
}

/* The data of a call up to where it is known. */
static bool find_beginning(const struct published_call *published, struct st_beginning *beginning)
{
    const struct st_collective *call = &published->call;
    if (call->flags & ST_COLLECTIVE_UNIFORM || call->length == 0) {
        *beginning = st_beginning_uniform(call->hash[0], call->length);
        return true;
    }
    if (published->shared == NULL) {
        *beginning = published->beginning;
        return published->has_beginning;
    }
    const struct st_rank_area *area = shared_area(published->shared, call->rank);
    return area != NULL && st_runs_find(&area->runs, call->hash, call->length, beginning);
}

char *difference_of(const struct st_first_difference *first, const char *one, const char *other)
{
    const char *names[2];
    for (size_t i = 0; i < 2; i++) {
        const char *name = element_name(first->element[i]);
        names[i] = first->element[i] == 0 ? "not there"
                   : name != NULL         ? name
                                          : "another basic type";
    }
    return text_of("element %lld is %s in %s, %s in %s", (long long)first->index, names[0], one,
                   names[1], other);
}

/* "element 3 is MPI_INT in rank 1, MPI_FLOAT in rank 0"; NULL if that is not known, or obvious. */
static char *first_difference(const struct class *lead, const struct class *odd)
{
    struct st_beginning one, other;
    struct st_first_difference first;
    if ((lead->call->call.flags & odd->call->call.flags & ST_COLLECTIVE_UNIFORM) != 0 ||
        !find_beginning(odd->call, &one) || !find_beginning(lead->call, &other) ||
        !st_beginnings_differ(&one, &other, &first)) {
        return NULL;
    }
    return difference_of(&first, class_text(odd), class_text(lead));
}

static char *order_of(const struct published_call *published, size_t class_count)
{
    const struct st_collective *call = &published->call;
    unsigned long long number = call->number;
    /* Calls that are counted for each pair of ranks have a tag (runtime/ranks/partners.h). */
    if (call->flags & ST_COLLECTIVE_TAG) {
        return text_of("both are call %llu of it between the two", number);
    }
    return text_of("%s collective call %llu of %s", class_count > 2 ? "all are" : "both are",
                   number, published->comm != NULL ? published->comm : "their communicator");
}

static json_t *lines_of(const struct classes *classes, const char *found)
{
    const struct class *lead = &classes->list[0], *odd = &classes->list[classes->count - 1];
    json_t *lines = json_array();
    json_array_append_new(lines, json_pack("[s, s]", "order", order_of(odd->call, classes->count)));
    if (compare_calls(lead->call, odd->call) == ST_DIFFERS_IN_SIGNATURE) {
        const char *first = first_difference(lead, odd);
        if (first != NULL) {
            json_array_append_new(lines, json_pack("[s, s]", "first", first));
        }
    }
    json_array_append_new(lines, json_pack("[s, s]", "found", found));
    return lines;
}

static json_t *record_of(const struct classes *classes, int64_t number, const char *found)
{
    const struct class *lead = &classes->list[0], *odd = &classes->list[classes->count - 1];
    const enum st_agreement agreement = compare_calls(lead->call, odd->call);
    const struct st_check_row *row = &st_check_rows[differing_check(agreement)];
    json_t *others = json_array(), *ranks = json_array();
    add_classes(classes, others, ranks);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:I, s:i, s:I, s:o, s:o, s:o, s:s}",
                     "record", "finding", "id", row->id, "severity",
                     st_severity_name(severity_of(lead, odd)), "subject", class_text(odd),
                     "message", message_of(lead, odd), "rank", odd->call->rank, "ranks", ranks,
                     "pid", (json_int_t)odd->call->pid, "count", 1, "n", (json_int_t)number, "site",
                     frames_of(odd->call), "other", others, "lines", lines_of(classes, found),
                     "advice", st_agreement_advice(agreement));
}

json_t *differing_two(const struct published_call *lead, const struct published_call *odd,
                      int64_t number, const char *found)
{
    struct classes classes = {.list = {{.call = lead}, {.call = odd}}, .count = 2};
    report_add_rank(&classes.list[0].ranks, lead->rank);
    report_add_rank(&classes.list[1].ranks, odd->rank);
    return record_of(&classes, number, found);
}

/* True if calls are compared two by two: on an intercommunicator, and where ranks of other groups may pass
 * something else. */
static bool are_in_groups(const struct published_call *calls, size_t count)
{
    const uint32_t some = ST_COLLECTIVE_GROUP | ST_COLLECTIVE_SIDE | ST_COLLECTIVE_INTER;
    for (size_t i = 0; i < count; i++) {
        if (calls[i].call.flags & some) {
            return true;
        }
    }
    return false;
}

/* The call that disagrees with most others, of these that of the highest rank; NULL: all agree. */
static const struct published_call *find_odd(const struct published_call *calls, size_t count)
{
    const struct published_call *odd = NULL;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        size_t unlike = 0;
        for (size_t k = 0; k < count; k++) {
            unlike += compare_calls(&calls[i], &calls[k]) != ST_CALLS_AGREE;
        }
        if (unlike > most ||
            (unlike == most && odd != NULL && unlike != 0 && calls[i].rank > odd->rank)) {
            odd = &calls[i];
            most = unlike;
        }
    }
    return odd;
}

/* Two calls that disagree. */
static json_t *two_record(const struct published_call *calls, size_t count, int64_t number,
                          const char *found)
{
    const struct published_call *odd = find_odd(calls, count), *lead = NULL;
    for (size_t i = 0; i < count && odd != NULL; i++) {
        if (compare_calls(&calls[i], odd) != ST_CALLS_AGREE &&
            (lead == NULL || calls[i].rank < lead->rank)) {
            lead = &calls[i];
        }
    }
    return lead != NULL ? differing_two(lead, odd, number, found) : NULL;
}

json_t *differing_record(const struct published_call *calls, size_t count, int64_t number,
                         const char *found)
{
    struct classes classes = {0};
    if (are_in_groups(calls, count)) {
        return two_record(calls, count, number, found);
    }
    find_classes(calls, count, &classes);
    sort_classes(&classes);
    /* Drops the classes that need not agree with the first one. */
    while (classes.count > 1 &&
           compare_calls(classes.list[0].call, classes.list[classes.count - 1].call) ==
               ST_CALLS_AGREE) {
        classes.count--;
    }
    return classes.count > 1 ? record_of(&classes, number, found) : NULL;
}
