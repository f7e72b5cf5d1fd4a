/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/race_report.h"

#include <string.h>

#include "core/model/hash.h"
#include "report/writer.h"
#include "runtime/ranks/agreed.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/words.h"
#include "runtime/record/root.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/constants.h"

enum { MOST_ARGUMENTS = 4, MOST_LINES = 2, MOST_CALLS = 6, TEXT = 4096 };

/* Too large for a stack; mapped for one report. */
struct st_race_text {
    const struct st_race_side *sides[2];     /* the lower rank first */
    struct st_other_call others[MOST_CALLS]; /* both, and what has opened and ended their epochs */
    size_t other_count;
    struct st_argument arguments[2][MOST_ARGUMENTS];
    struct st_line_of_report lines[MOST_LINES];
    int32_t ranks[2];
    struct st_places places;
    struct st_texts texts;
    char bytes[TEXT];
};

static const char *write_number(struct st_race_text *told, int64_t number)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    st_put_number(&writer, number);
    return st_texts_end(&told->texts, &writer);
}

static const char *write_rank(struct st_race_text *told, uint32_t rank)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    st_put_rank(&writer, rank);
    return st_texts_end(&told->texts, &writer);
}

static const char *function_of(const struct st_access_record *call)
{
    return call->function < st_form_count ? st_form_table[call->function]->name
                                          : "a one-sided call";
}

/* --- the calls ------------------------------------------------------------------------------ */

static const char *write_data(struct st_race_text *told, const struct st_access_record *call)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    if (call->kind & ST_ACCESS_LOCAL) {
        st_put_number(&writer, call->length);
        st_put(&writer, call->length == 1 ? " byte" : " bytes");
    } else {
        st_put_elements(&writer, call->length, call->element, call->element != 0);
    }
    return st_texts_end(&told->texts, &writer);
}

static size_t add_target(struct st_race_text *told, const struct st_access_record *call,
                         struct st_argument *list, size_t count)
{
    const char *operation = call->operation ? st_agreed_operation(call->operation) : NULL;
    const int32_t target = st_node_world_rank(st_ranks_node.rank);
    list[count++] = (struct st_argument){"target", write_number(told, target)};
    list[count++] = (struct st_argument){"target_disp", write_number(told, call->displacement)};
    if (operation) {
        list[count++] = (struct st_argument){"op", operation};
    }
    return count;
}

static void add_call(struct st_race_text *told, int which)
{
    const struct st_race_side *side = told->sides[which];
    const struct st_access_record *call = &side->call;
    struct st_argument *list = told->arguments[which];
    size_t count = 0;
    list[count++] = (struct st_argument){"data", write_data(told, call)};
    if (!(call->kind & ST_ACCESS_LOCAL)) {
        count = add_target(told, call, list, count);
    }
    told->ranks[which] = st_node_world_rank(side->origin);
    told->others[told->other_count++] = (struct st_other_call){
        .rank = told->ranks[which],
        .label = write_rank(told, side->origin),
        .call = function_of(call),
        .arguments = list,
        .argument_count = count,
        .site = st_place_read(st_node_area(side->origin), call->place, &told->places),
    };
}

/* --- words ---------------------------------------------------------------------------------- */

static bool is_one_rank(const struct st_race_text *told)
{
    return told->sides[0]->origin == told->sides[1]->origin;
}

/* "put to", "gets from" */
static void put_deed(struct st_writer *writer, const struct st_access_record *call, bool by_one)
{
    const bool reads = call->kind & ST_ACCESS_READS, writes = call->kind & ST_ACCESS_WRITES;
    const bool is_atomic = call->kind & ST_ACCESS_ATOMIC;
    if (call->kind & ST_ACCESS_LOCAL) {
        st_put(writer, writes ? "write" : "read");
        st_put(writer, by_one ? "s" : "");
        return;
    }
    st_put(writer, is_atomic && reads && writes ? "update"
                   : is_atomic && writes        ? "accumulate"
                   : writes                     ? "put"
                                                : "get");
    st_put(writer, by_one ? "s" : "");
    st_put(writer, is_atomic && reads && writes ? ""
                   : is_atomic && writes        ? " into"
                   : writes                     ? " to"
                                                : " from");
}

static void put_deeds(struct st_writer *writer, const struct st_race_text *told)
{
    const struct st_access_record *one = &told->sides[0]->call, *other = &told->sides[1]->call;
    const bool by_one = is_one_rank(told);
    put_deed(writer, one, by_one);
    if ((one->kind ^ other->kind) & ~(ST_ACCESS_ALONE | ST_ACCESS_UNCHECKED)) {
        st_put(writer, " and ");
        put_deed(writer, other, by_one);
    }
    if (by_one && one->place == other->place) {
        st_put(writer, " (one call, twice)");
    }
}

static void put_reason(struct st_writer *writer, const struct st_race_pair *pair,
                       const struct st_race_text *told)
{
    const char *one = st_agreed_operation(told->sides[0]->call.operation),
               *other = st_agreed_operation(told->sides[1]->call.operation);
    if (pair->race == ST_RACE_ELEMENTS) {
        st_put(writer, ", by elements that are not the same ones");
    } else if (pair->race == ST_RACE_OPERATIONS && one && other) {
        st_put(writer, ", by ");
        st_put(writer, one);
        st_put(writer, " and ");
        st_put(writer, other);
        st_put(writer, ", which may not meet");
    } else {
        st_put(writer, ", and nothing orders them");
    }
}

/* Writes "put to the same memory, and nothing orders them": without ranks, because in a loop over
 * ranks it is the same finding. */
static const char *write_message(struct st_race_text *told, const struct st_race_pair *pair)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    put_deeds(&writer, told);
    st_put(&writer, " the same memory");
    put_reason(&writer, pair, told);
    return st_texts_end(&told->texts, &writer);
}

static const char *write_subject(struct st_race_text *told)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    if (is_one_rank(told)) {
        return told->others[0].label;
    }
    st_put(&writer, "ranks ");
    st_put_number(&writer, told->ranks[0]);
    st_put(&writer, " and ");
    st_put_number(&writer, told->ranks[1]);
    return st_texts_end(&told->texts, &writer);
}

/* --- epochs --------------------------------------------------------------------------------- */

static const char *opening_of(const struct st_access_record *call)
{
    switch (call->epoch) {
    case ST_ACCESS_FENCE:
        return "MPI_Win_fence";
    case ST_ACCESS_STARTED:
        return "MPI_Win_start";
    default:
        return call->opened & ST_ACCESS_OPENED_ALL ? "MPI_Win_lock_all" : "MPI_Win_lock";
    }
}

static bool are_one_site(const struct st_frames *one, const struct st_frames *other)
{
    const struct st_frame *a = one->list, *b = other->list;
    return one->count && other->count && a->offset == b->offset &&
           strcmp(a->module ? a->module : "", b->module ? b->module : "") == 0 &&
           strcmp(a->text ? a->text : "", b->text ? b->text : "") == 0;
}

/* A call of both sides at one place, by what both do there, is one entry. */
static void add_call_of_epoch(struct st_race_text *told, const char *call, uint32_t rank,
                              uint32_t place, const char *remark)
{
    const struct st_frames site = st_place_read(st_node_area(rank), place, &told->places);
    if (!site.count) {
        return;
    }
    for (size_t i = 2; i < told->other_count; i++) {
        if (strcmp(told->others[i].call, call) == 0 &&
            strcmp(told->others[i].remark, remark) == 0 &&
            are_one_site(&told->others[i].site, &site)) {
            if (told->others[i].rank != st_node_world_rank(rank)) {
                told->others[i].label = write_subject(told);
            }
            return;
        }
    }
    told->others[told->other_count++] = (struct st_other_call){.rank = st_node_world_rank(rank),
                                                               .label = write_rank(told, rank),
                                                               .call = call,
                                                               .site = site,
                                                               .remark = remark};
}

static void add_epochs(struct st_race_text *told)
{
    for (int i = 0; i < 2; i++) {
        const struct st_access_record *call = &told->sides[i]->call;
        if (call->opened) {
            add_call_of_epoch(told, opening_of(call), told->sides[i]->origin,
                              call->opened & ~ST_ACCESS_OPENED_ALL, "opens the epoch");
        }
    }
    for (int i = 0; i < 2; i++) {
        const struct st_race_side *side = told->sides[i];
        const bool by_origin = side->end_rank == side->origin;
        if (side->has_ended && side->end_place && side->end_function < st_form_count) {
            add_call_of_epoch(told, st_form_table[side->end_function]->name, side->end_rank,
                              side->end_place,
                              by_origin ? "completes it" : "completes it at the target");
        }
    }
}

static const char *epoch_text(const struct st_access_record *call)
{
    switch (call->epoch) {
    case ST_ACCESS_FENCE:
        return "MPI_Win_fence";
    case ST_ACCESS_STARTED:
        return "MPI_Win_start";
    case ST_ACCESS_EXCLUSIVE:
        return "MPI_Win_lock, exclusive";
    case ST_ACCESS_SHARED:
        return "MPI_Win_lock, shared";
    case ST_ACCESS_NO_CHECK:
        return "a lock with MPI_MODE_NOCHECK";
    default:
        return "none";
    }
}

static const char *write_epochs(struct st_race_text *told)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    const char *one = epoch_text(&told->sides[0]->call), *other = epoch_text(&told->sides[1]->call);
    if (strcmp(one, other) == 0) {
        st_put(&writer, "both of ");
        st_put(&writer, one);
        return st_texts_end(&told->texts, &writer);
    }
    for (int i = 0; i < 2; i++) {
        st_put(&writer, i ? "; " : "");
        st_put(&writer, told->others[i].label);
        st_put(&writer, ": ");
        st_put(&writer, i ? other : one);
    }
    return st_texts_end(&told->texts, &writer);
}

static const char *write_window(struct st_race_text *told, uint64_t handle, uint64_t first,
                                uint64_t last)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    st_put(&writer, first == last ? "byte " : "bytes ");
    st_put_number(&writer, (int64_t)first);
    if (first != last) {
        st_put(&writer, " to ");
        st_put_number(&writer, (int64_t)last);
    }
    st_put(&writer, " at ");
    st_put_rank(&writer, st_ranks_node.rank);
    st_put(&writer, " of ");
    st_put_comm(&writer, ST_KIND_WIN, handle);
    return st_texts_end(&told->texts, &writer);
}

/* --- the finding ---------------------------------------------------------------------------- */

static const char *race_advice(const struct st_race_pair *pair)
{
    switch (pair->race) {
    case ST_RACE_ELEMENTS:
        return "accumulate into one element by one basic datatype, or put a synchronization "
               "between "
               "the two";
    case ST_RACE_OPERATIONS:
        return "use one operation (or MPI_NO_OP), give the window accumulate_ops in its info, or "
               "put a synchronization between the two";
    default:
        return "put a fence, a barrier after the end of the first one's epoch, or an exclusive "
               "lock "
               "between them; or use MPI_Accumulate with MPI_REPLACE and MPI_Get_accumulate";
    }
}

static uint32_t race_name(const struct st_race_text *told)
{
    const struct st_race_side *one = told->sides[0], *other = told->sides[1];
    const uint64_t first = st_hash_word(1, (uint64_t)one->origin << 32 | one->call.place);
    return (uint32_t)(st_hash_word(first, (uint64_t)other->origin << 32 | other->call.place) >> 40);
}

static bool is_local(const struct st_race_pair *pair)
{
    return (pair->sides[0].call.kind | pair->sides[1].call.kind) & ST_ACCESS_LOCAL;
}

static enum st_check check_of(const struct st_race_pair *pair)
{
    if (is_local(pair)) {
        return ST_RMA_LOCAL;
    }
    return pair->race == ST_RACE_CONFLICT ? ST_RMA_CONFLICT : ST_RMA_ATOMIC;
}

/* In the unified memory model a load may coincide with an update, and a store with a read (MPI-4.0,
 * 12.4): the value is one of the two. */
static enum st_severity severity_of(const struct st_race_pair *pair)
{
    const bool both_write = pair->sides[0].call.kind & pair->sides[1].call.kind & ST_ACCESS_WRITES;
    return is_local(pair) && !both_write ? ST_SEVERITY_WARNING : 0;
}

static void add_finding(struct st_race_text *told, const struct st_race_pair *pair)
{
    told->lines[0] = (struct st_line_of_report){
        "window", write_window(told, pair->handle, pair->first, pair->last)};
    told->lines[1] = (struct st_line_of_report){"epoch", write_epochs(told)};
    const struct st_between between = {
        .subject = write_subject(told),
        .others = told->others,
        .other_count = told->other_count,
        .lines = told->lines,
        .line_count = MOST_LINES,
        .ranks = told->ranks,
        .rank_count = is_one_rank(told) ? 1 : 2,
    };
    st_find_at(&(struct st_found){.check = check_of(pair),
                                  .severity = severity_of(pair),
                                  .parameter = -1,
                                  .message = write_message(told, pair),
                                  .advice = race_advice(pair),
                                  .between = &between,
                                  .by_other = true,
                                  .other_site = race_name(told)},
               told->others[0].call, ST_NO_SITE, 1);
}

/* Sorts by rank; accesses of one rank in the order in which it made them. */
static bool are_sorted(const struct st_race_side *one, const struct st_race_side *other)
{
    return one->origin == other->origin
               ? one->call.number <= other->call.number
               : st_node_world_rank(one->origin) <= st_node_world_rank(other->origin);
}

void st_race_tell(const struct st_race_pair *pair)
{
    if (pair->race == ST_RACE_OPERATIONS && pair->mixes_operations) {
        return;
    }
    struct st_race_text *told = st_map(sizeof *told);
    if (!told) {
        return;
    }
    const bool is_sorted = are_sorted(&pair->sides[0], &pair->sides[1]);
    told->texts = (struct st_texts){told->bytes, sizeof told->bytes, 0};
    told->sides[0] = &pair->sides[!is_sorted];
    told->sides[1] = &pair->sides[is_sorted];
    add_call(told, 0);
    add_call(told, 1);
    add_epochs(told);
    add_finding(told, pair);
    st_unmap(told, sizeof *told);
}

/* --- accesses that are wrong by themselves ------------------------------------------------------------ */

static const char *write_unattached(struct st_race_text *told, const struct st_wrong_access *access)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    put_deed(&writer, &access->side.call, true);
    st_put(&writer, access->how == ST_ATTACHMENT_ENDED
                        ? " memory that the target has detached from the window"
                        : " memory that the target has not attached to the window");
    return st_texts_end(&told->texts, &writer);
}

static void put_bytes(struct st_writer *writer, uint64_t bytes)
{
    st_put_number(writer, (int64_t)bytes);
    st_put(writer, bytes == 1 ? " byte" : " bytes");
}

static const char *write_memory(struct st_race_text *told, const struct st_wrong_access *access)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    put_bytes(&writer, access->last - access->first + 1);
    st_put(&writer, " from ");
    st_put_hex(&writer, access->first);
    st_put(&writer, " on");
    st_put(&writer, " at ");
    st_put_rank(&writer, st_ranks_node.rank);
    st_put(&writer, " of ");
    st_put_comm(&writer, ST_KIND_WIN, access->handle);
    return st_texts_end(&told->texts, &writer);
}

/* "right", "12 bytes" */
static void put_distance(struct st_writer *writer, uint64_t bytes)
{
    if (bytes == 0) {
        st_put(writer, "right");
    } else {
        put_bytes(writer, bytes);
    }
}

static const char *write_nearest(struct st_race_text *told, const struct st_wrong_access *access)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    const struct st_attached_memory *nearest = &access->nearest;
    if (!access->has_nearest) {
        return "none";
    }
    put_bytes(&writer, nearest->to - nearest->from);
    st_put(&writer, " from ");
    st_put_hex(&writer, nearest->from);
    st_put(&writer, nearest->state == ST_ATTACHED_BEFORE ? " on, until MPI_Win_detach" : " on");
    if (nearest->to <= access->first) {
        st_put(&writer, ", which end ");
        put_distance(&writer, access->first - nearest->to);
        st_put(&writer, " before it");
    } else if (nearest->from > access->last) {
        st_put(&writer, ", which begin ");
        put_distance(&writer, nearest->from - access->last - 1);
        st_put(&writer, " after it");
    }
    return st_texts_end(&told->texts, &writer);
}

static void tell_access(struct st_race_text *told, size_t line_count, enum st_check check,
                        const char *message, const char *advice)
{
    const struct st_race_side *side = told->sides[0];
    const struct st_between between = {.subject = told->others[0].label,
                                       .others = told->others,
                                       .other_count = told->other_count,
                                       .lines = told->lines,
                                       .line_count = line_count,
                                       .ranks = told->ranks,
                                       .rank_count = 1};
    st_find_at(
        &(struct st_found){.check = check,
                           .parameter = -1,
                           .message = message,
                           .advice = advice,
                           .between = &between,
                           .by_other = true,
                           .other_site =
                               (uint32_t)(st_hash_word(side->origin, side->call.place) >> 40)},
        told->others[0].call, ST_NO_SITE, 1);
}

static void tell_unattached(struct st_race_text *told, const struct st_wrong_access *access)
{
    told->lines[0] = (struct st_line_of_report){"window", write_memory(told, access)};
    told->lines[1] = (struct st_line_of_report){"attached", write_nearest(told, access)};
    tell_access(
        told, 2, ST_RMA_RANGE, write_unattached(told, access),
        "attach all of it by MPI_Win_attach before others know its address, and detach it when "
        "their accesses are complete; is the displacement that of MPI_Get_address at the "
        "target?");
}

static void tell_asserted(struct st_race_text *told, const struct st_wrong_access *access)
{
    const bool is_fence = access->side.call.epoch == ST_ACCESS_FENCE;
    struct st_writer writer = st_texts_begin(&told->texts);
    put_deed(&writer, &access->side.call, true);
    st_put(&writer, " memory of a rank that has asserted MPI_MODE_NOPUT");
    const char *message = st_texts_end(&told->texts, &writer);
    add_call_of_epoch(told, is_fence ? "MPI_Win_fence" : "MPI_Win_post", st_ranks_node.rank,
                      access->asserted, "asserts it");
    told->lines[0] = (struct st_line_of_report){
        "window", write_window(told, access->handle, access->first, access->last)};
    tell_access(told, 1, ST_RMA_ASSERT, message,
                is_fence ? "leave MPI_MODE_NOPUT out of the fence that begins the epoch"
                         : "leave MPI_MODE_NOPUT out of MPI_Win_post");
}

static void tell_unchecked(struct st_race_text *told, const struct st_wrong_access *access)
{
    static const char *const messages[] = {
        [ST_BROKEN_NO_CHECK] =
            "begins an epoch with MPI_MODE_NOCHECK, and nothing orders that after "
            "MPI_Win_post of its target",
        [ST_BROKEN_NO_CHECK_POST] = "passes MPI_MODE_NOCHECK to MPI_Win_start, and its target does "
                                    "not to MPI_Win_post"};
    const struct st_race_side *side = told->sides[0];
    add_call_of_epoch(told, "MPI_Win_start", side->origin, side->call.opened, "begins the epoch");
    add_call_of_epoch(told, "MPI_Win_post", st_ranks_node.rank, access->asserted,
                      "exposes the memory");
    told->lines[0] = (struct st_line_of_report){
        "window", write_window(told, access->handle, access->first, access->last)};
    tell_access(told, 1, ST_RMA_ASSERT, messages[access->broken],
                access->broken == ST_BROKEN_NO_CHECK
                    ? "a barrier or a message after MPI_Win_post has to order them; or leave "
                      "MPI_MODE_NOCHECK out of both calls"
                    : "pass it to both calls or to neither");
}

void st_wrong_access_tell(const struct st_wrong_access *access)
{
    struct st_race_text *told = st_map(sizeof *told);
    if (!told) {
        return;
    }
    told->texts = (struct st_texts){told->bytes, sizeof told->bytes, 0};
    told->sides[0] = &access->side;
    add_call(told, 0);
    if (access->broken == ST_BROKEN_NO_PUT) {
        tell_asserted(told, access);
    } else if (access->broken) {
        tell_unchecked(told, access);
    } else {
        tell_unattached(told, access);
    }
    st_unmap(told, sizeof *told);
}
