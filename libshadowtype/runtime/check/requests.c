/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of requests: made, started, completed, freed, or lost. */
#include <stdio.h>
#include <string.h>

#include "runtime/objects/alive.h"
#include "runtime/check/check_groups.h"
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/check/failed.h"
#include "runtime/check/gone.h"
#include "runtime/check/twice.h"
#include "runtime/report/finding.h"
#include "runtime/report/frames.h"
#include "runtime/objects/graves.h"
#include "runtime/objects/operations.h"
#include "runtime/objects/partitions.h"
#include "runtime/objects/pending_seals.h"
#include "runtime/objects/seals.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"

static uint64_t address_of(const struct st_facts *facts, int number, int64_t member)
{
    return facts->values[number] + (uint64_t)member * facts->form->parameters[number].width;
}

static void report_request(struct st_facts *facts, int number, enum st_check check,
                           const char *message, const char *advice, const struct st_record *record)
{
    st_find(facts,
            &(struct st_found){.check = check,
                               .parameter = number,
                               .message = message,
                               .advice = advice,
                               .other_call = record ? st_form_table[record->function]->name : NULL,
                               .other_site = record ? record->site : ST_NO_SITE});
}

/* --- before -------------------------------------------------------------------------------- */

/* Finds the record of the request that a call names. Reports a wrong handle. */
static bool look_up(struct st_facts *facts, int number, int64_t member, bool may_be_null,
                    struct st_record *copy, struct st_record_name *name)
{
    const struct st_parameter *parameter = &facts->form->parameters[number];
    *name = (struct st_record_name){.number = ST_NO_RECORD};
    if (parameter->pointer && !facts->values[number]) {
        return false;
    }
    uint64_t handle =
        parameter->pointer ? st_handle_at(facts, number, member) : facts->values[number];
    if (handle == st_numbers.null[ST_KIND_REQUEST]) {
        if (!may_be_null) {
            report_request(
                facts, number, ST_REQUEST_NULL, "passes MPI_REQUEST_NULL",
                "MPI_Wait, MPI_Test and MPI_Request_free set a request to MPI_REQUEST_NULL; only "
                "those that wait or test take it again",
                NULL);
        }
        return false;
    }
    bool locked = st_lock();
    const struct st_record *record = st_records_find(
        ST_KIND_REQUEST, handle, parameter->pointer ? address_of(facts, number, member) : 0);
    *name = st_records_name(record);
    if (record) {
        *copy = *record;
    }
    st_unlock(locked);
    if (!record) { /* it may come from a function that was not recorded */
        st_find_dead(facts, number, handle, ST_PASSES);
    }
    return record != NULL;
}

/* What a cancelled operation has sent is not known. */
static void mark_cancelled(struct st_record_name name)
{
    bool locked = st_operations_lock();
    struct st_record *record = st_records_named(name);
    if (record && st_seals_on) {
        st_pending_unseal(record);
    }
    if (record) {
        st_records_mark(record, ST_RECORD_CANCELLED, 0);
    }
    st_operations_unlock(locked);
}

/* Such a request is not also reported as a leak: MPI may have left it in any state. */
static void mark_told(struct st_record_name name)
{
    bool locked = st_operations_lock();
    struct st_record *record = st_records_named(name);
    if (record) {
        st_records_mark(record, ST_RECORD_TOLD, 0);
    }
    st_operations_unlock(locked);
}

/* Returns true if it is erroneous to free or cancel an active request of this call (MPI-4.0, sections
 * 6.12, 6.13 and 12.3.5). */
static bool must_complete(const struct st_form *form)
{
    return form->collective >= 0 || form->win >= 0;
}

static bool only_sends(const struct st_form *form)
{
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].access & ST_WRITE) {
            return false;
        }
    }
    return form->part_count > 0;
}

/* MPI_Request_free of an active request. It may follow MPI_Cancel (3.8.4), and a generalized request
 * has no buffer whose use it would leave open. The standard itself frees requests of sends (3.7.3). */
static void check_free(struct st_facts *facts, int number, const struct st_record *record,
                       struct st_record_name name)
{
    const struct st_form *form = st_form_table[record->function];
    struct st_found found = {
        .check = ST_REQUEST_ACTIVE_FREE,
        .parameter = number,
        .message = "frees a request that is active",
        .advice = "complete it by MPI_Wait or MPI_Test: after MPI_Request_free the program cannot "
                  "find out when its buffer may be used again",
        .other_call = form->name,
        .other_site = record->site};
    if (must_complete(form)) {
        found.severity = ST_SEVERITY_ERROR;
        found.message = form->win >= 0 ? "frees the active request of a one-sided call"
                                       : "frees the active request of a collective call";
        found.advice = "complete it by MPI_Wait or MPI_Test";
        mark_told(name);
    } else if (record->flags & ST_RECORD_CANCELLED || !form->part_count) {
        return;
    } else if (only_sends(form)) {
        found.severity = ST_SEVERITY_NOTE;
    }
    st_find(facts, &found);
}

static void check_cancel(struct st_facts *facts, int number, const struct st_record *record)
{
    const struct st_form *form = st_form_table[record->function];
    if (must_complete(form)) {
        report_request(facts, number, ST_REQUEST_UNKNOWN,
                       form->win >= 0 ? "cancels the request of a one-sided call"
                                      : "cancels the request of a collective call",
                       "complete it by MPI_Wait or MPI_Test: only sends, receives and generalized "
                       "requests can be cancelled",
                       record);
    } else if (!(record->flags & ST_RECORD_ACTIVE)) {
        report_request(facts, number, ST_REQUEST_INACTIVE, "cancels a request that is not active",
                       "only what was started can be cancelled", record);
    } else if (record->flags & ST_RECORD_CANCELLED) {
        report_request(facts, number, ST_REQUEST_INACTIVE, "cancels a request a second time",
                       "cancel a request once, and complete it by MPI_Wait or MPI_Test", record);
    }
}

static void check_one(struct st_checked *checked, int number, int64_t member, enum st_role role,
                      struct st_record_name *name)
{
    struct st_facts *facts = &checked->facts;
    struct st_record record;
    bool waits = role == ST_ROLE_DONE || role == ST_ROLE_DONES || role == ST_ROLE_ASK;
    if (!look_up(facts, number, member, waits, &record, name) || record.flags & ST_RECORD_SHOWN) {
        return;
    }
    bool active = record.flags & ST_RECORD_ACTIVE;
    switch (role) {
    case ST_ROLE_START:
    case ST_ROLE_STARTS:
        if (active) {
            mark_told(*name);
            report_request(facts, number, ST_REQUEST_ACTIVE_START,
                           record.flags & ST_RECORD_PERSISTENT
                               ? "starts a request that is active already"
                               : "starts a request that is not persistent",
                           "complete it first, by MPI_Wait or MPI_Test", &record);
        } else if (record.buffers) {
            st_check_buffered_start(facts, number, &record);
            st_check_start(facts, number, *name);
        }
        break;
    case ST_ROLE_RELEASE:
        if (active) {
            check_free(facts, number, &record, *name);
        }
        break;
    case ST_ROLE_CANCEL:
        check_cancel(facts, number, &record);
        mark_cancelled(*name);
        break;
    case ST_ROLE_DONE:
        if (!active && facts->form->parameters[1].role != ST_ROLE_FLAG) {
            report_request(facts, number, ST_REQUEST_INACTIVE,
                           "waits for a persistent request that was not started",
                           "call MPI_Start before MPI_Wait", &record);
        }
        break;
    default:
        break;
    }
}

/* Room for more members than a call has on its stack, kept from one call to the next. */
static _Atomic(struct st_checked_request *) spare;
enum { SPARE_BYTES = 1 << 20 };

/* Gets room for the members of an array of requests. */
static bool take_room(struct st_checked *checked, int64_t count)
{
    checked->requests = checked->inside;
    checked->mapped = 0;
    checked->request_count = count;
    if (count <= ST_CHECKED_ROOM) {
        return true;
    }
    if (count > INT32_MAX) {
        return false;
    }
    size_t bytes = (size_t)count * sizeof *checked->requests;
    checked->mapped = bytes < SPARE_BYTES ? SPARE_BYTES : bytes;
    checked->requests = bytes <= SPARE_BYTES ? atomic_exchange(&spare, NULL) : NULL;
    if (!checked->requests) {
        checked->requests = st_map(checked->mapped);
    }
    return checked->requests != NULL;
}

static void give_room(struct st_checked *checked)
{
    struct st_checked_request *room = checked->mapped ? checked->requests : NULL;
    if (room && checked->mapped == SPARE_BYTES) {
        room = atomic_exchange(&spare, room);
    }
    if (room) {
        st_unmap(room, checked->mapped);
    }
}

/* Finds the records of requests that are active and may be waited for: nothing is wrong with those.
 * Returns false if there are others. */
static bool find_active(struct st_checked *checked, int number)
{
    const struct st_facts *facts = &checked->facts;
    const uint64_t array = facts->values[number], null = st_numbers.null[ST_KIND_REQUEST];
    const uint32_t width = facts->form->parameters[number].width;
    bool all = true;
    bool locked = st_lock();
    for (int64_t i = 0; i < checked->request_count; i++) {
        struct st_checked_request *request = &checked->requests[i];
        request->handle = st_handle_at(facts, number, i);
        request->record.number = ST_NO_RECORD;
        if (request->handle == null) {
            continue;
        }
        const struct st_record *record =
            st_records_find(ST_KIND_REQUEST, request->handle, array + (uint64_t)i * width);
        if (record && record->flags & ST_RECORD_ACTIVE) {
            request->record = st_records_name(record);
        } else {
            all = false;
        }
    }
    checked->last_serial = st_records_last_serial();
    st_unlock(locked);
    return all;
}

static void check_array(struct st_checked *checked, int number, enum st_role role)
{
    struct st_facts *facts = &checked->facts;
    bool array = role == ST_ROLE_DONES || role == ST_ROLE_STARTS;
    int64_t count = array ? (int64_t)facts->values[facts->form->n] : 1;
    if (count <= 0 || !facts->values[number] || !take_room(checked, count)) {
        checked->request_count = 0;
        return;
    }
    bool pointer = facts->form->parameters[number].pointer;
    bool waits = role == ST_ROLE_DONE || role == ST_ROLE_DONES;
    if (waits && find_active(checked, number)) {
        st_twice_before(checked, number);
        st_check_gone_requests(checked);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        struct st_checked_request *request = &checked->requests[i];
        request->handle = pointer ? st_handle_at(facts, number, i) : facts->values[number];
        check_one(checked, number, i, role, &request->record);
    }
    bool locked = st_lock();
    checked->last_serial = st_records_last_serial();
    st_unlock(locked);
    if (!waits) {
        return;
    }
    st_twice_before(checked, number);
    st_check_gone_requests(checked);
}

/* Returns true if the call says that persistent request `member` is complete. */
static bool is_said_complete(const struct st_facts *facts, int64_t member)
{
    const struct st_form *form = facts->form;
    int64_t outcount = -1;
    for (int i = 0; i < form->parameter_count; i++) {
        if (!facts->values[i]) {
            continue;
        }
        switch (form->parameters[i].role) {
        case ST_ROLE_FLAG:
            if (!st_number_at(facts, i, 0)) {
                return false;
            }
            break;
        case ST_ROLE_INDEX:
            return st_number_at(facts, i, 0) == member;
        case ST_ROLE_OUTCOUNT:
            outcount = st_number_at(facts, i, 0);
            if (outcount == st_numbers.undefined) {
                return false;
            }
            break;
        case ST_ROLE_INDICES:
            for (int64_t k = 0; k < outcount; k++) {
                if (st_number_at(facts, i, k) == member) {
                    return true;
                }
            }
            return false;
        default:
            break;
        }
    }
    return true;
}

/* --- all requests of a call ------------------------------------------------------------------ */

void st_check_requests(struct st_checked *checked)
{
    const struct st_form *form = checked->facts.form;
    struct st_record copy;
    struct st_record_name name;
    bool known;
    st_request_completing(checked);
    for (int i = 0; i < form->parameter_count; i++) {
        enum st_role role = form->parameters[i].role;
        switch (role) {
        case ST_ROLE_DONE:
        case ST_ROLE_DONES:
        case ST_ROLE_START:
        case ST_ROLE_STARTS:
        case ST_ROLE_RELEASE:
        case ST_ROLE_CANCEL:
            check_array(checked, i, role);
            break;
        case ST_ROLE_ASK:
        case ST_ROLE_PREADY:
        case ST_ROLE_ARRIVED:
            known = look_up(&checked->facts, i, 0, role == ST_ROLE_ASK, &copy, &name) &&
                    !(copy.flags & ST_RECORD_SHOWN);
            checked->requests = checked->inside;
            checked->requests[0] = (struct st_checked_request){.record = name};
            if (role == ST_ROLE_PREADY && known) {
                st_check_ready(checked, i, &copy);
            } else if (role == ST_ROLE_ARRIVED && known) {
                st_check_arrived(checked, i, &copy);
            }
            break;
        case ST_ROLE_FULFIL:
            st_check_fulfilled(&checked->facts, i);
            break;
        case ST_ROLE_NEW_REQUEST:
        case ST_ROLE_NEW_PERSISTENT:
            st_requests_mark_lost(&checked->facts, i);
            break;
        default:
            break;
        }
    }
}

/* --- after --------------------------------------------------------------------------------- */

static void add_given(struct st_checked *checked, int number, bool persistent)
{
    const struct st_facts *facts = &checked->facts;
    uint64_t handle = facts->values[number] ? st_handle_at(facts, number, 0) : 0;
    if (!facts->values[number] || handle == st_numbers.null[ST_KIND_REQUEST]) {
        return;
    }
    struct st_record_name name =
        st_buffers_of_request(checked, facts->values[number], handle, persistent);
    if (st_is_partitioned(facts->form)) {
        st_partitions_made(facts, name);
    }
}

/* Returns the record of a member of the array. Several members may have one handle, shared by as
 * many requests (Open MPI returns one for all that are complete at once): each member takes one of
 * them. */
static struct st_record *record_of(const struct st_checked *checked, int64_t member, bool gone)
{
    const struct st_checked_request *request = &checked->requests[member];
    struct st_record *record = st_records_named(request->record);
    if (!record && gone && request->record.number != ST_NO_RECORD) {
        record = st_records_find_by(ST_KIND_REQUEST, request->handle, checked->last_serial);
    }
    return record;
}

static bool is_active_persistent(const struct st_record *record)
{
    const uint8_t both = ST_RECORD_ACTIVE | ST_RECORD_PERSISTENT;
    return (record->flags & both) == both;
}

/* A handle that several requests shared was given back for one of them. It cannot be known for
 * which: the program may have moved its handles. */
static void doubt_rest(const struct st_checked *checked)
{
    for (int64_t i = 0; i < checked->request_count; i++) {
        const struct st_checked_request *request = &checked->requests[i];
        if (request->shared) {
            st_pending_doubt_older(
                st_records_find_by(ST_KIND_REQUEST, request->handle, checked->last_serial),
                checked->last_serial);
        }
    }
}

/* Removes the record of a request that is gone. */
static void remove_request(struct st_checked_request *request, struct st_record *record,
                           enum st_role role, uint16_t by)
{
    request->shared = st_records_older(record) || st_records_newer(record);
    if (!request->shared && !(record->flags & ST_RECORD_SHOWN)) {
        st_graves_bury(record, by, ST_NO_SITE);
    }
    if (role == ST_ROLE_RELEASE && record->flags & ST_RECORD_ACTIVE && record->buffers) {
        st_operation_release(record);
    } else {
        st_operation_remove(record);
    }
}

/* Returns true if a persistent request's operation is complete. The request stays. */
static bool is_ended(const struct st_checked *checked, const struct st_record *record,
                     int64_t member, bool succeeded)
{
    return succeeded && is_active_persistent(record) && is_said_complete(&checked->facts, member);
}

static void complete_requests(struct st_checked *checked, int number, bool succeeded,
                              enum st_role role)
{
    struct st_facts *facts = &checked->facts;
    bool shared = false;
    bool locked = st_operations_lock();
    for (int64_t i = 0; i < checked->request_count; i++) {
        struct st_checked_request *request = &checked->requests[i];
        bool gone = st_handle_at(facts, number, i) == st_numbers.null[ST_KIND_REQUEST];
        struct st_record *record = record_of(checked, i, gone);
        request->shared = false;
        if (record && role != ST_ROLE_RELEASE &&
            (gone || is_ended(checked, record, i, succeeded))) {
            record = st_check_groups_completed(facts, number, i, record, &locked);
        }
        if (record && gone) {
            remove_request(request, record, role, facts->form->number);
            shared = shared || request->shared;
        } else if (record && !succeeded) {
            st_pending_doubt(record);
        } else if (record && is_ended(checked, record, i, succeeded)) {
            st_records_mark(record, 0, ST_RECORD_ACTIVE | ST_RECORD_POSSIBLE);
            st_pending_stop(record);
        }
    }
    if (shared) {
        doubt_rest(checked);
    }
    st_operations_unlock(locked);
}

/* Open MPI starts another request, and returns its handle, if it has not sent yet what a buffered
 * send has taken, or if the request is active. */
static void follow_handle(const struct st_facts *facts, int number, int64_t member,
                          struct st_record *record)
{
    uint64_t handle = st_handle_at(facts, number, member);
    if (handle != record->handle && handle != st_numbers.null[ST_KIND_REQUEST]) {
        st_records_rename(record, handle);
    }
}

static void start_requests(struct st_checked *checked, int number, bool succeeded)
{
    for (int64_t i = 0; i < checked->request_count; i++) {
        bool locked = st_operations_lock();
        struct st_record *record = st_records_named(checked->requests[i].record);
        if (record) {
            follow_handle(&checked->facts, number, i, record);
        }
        if (record && record->flags & ST_RECORD_PERSISTENT) {
            if (succeeded) {
                st_records_started(record);
            } else {
                st_pending_stop(record);
            }
            if (st_is_partitioned(st_form_table[record->function])) {
                st_partitions_reset(checked->requests[i].record);
            }
        }
        st_operations_unlock(locked);
    }
}

/* MPI_Request_get_status says that the operation is complete: its request lives, but its memory
 * belongs to the program again. */
static void complete_asked(struct st_checked *checked, int number, bool succeeded)
{
    if (!succeeded || !is_said_complete(&checked->facts, 0)) {
        return;
    }
    bool locked = st_operations_lock();
    struct st_record *record = st_records_named(checked->requests[0].record);
    bool shared = record && (st_records_older(record) || st_records_newer(record));
    if (record) {
        record = st_check_groups_completed(&checked->facts, number, 0, record, &locked);
    }
    if (record) {
        st_pending_stop(record);
    }
    if (record && shared) { /* it is not known which of them the handle means */
        st_pending_doubt_older(st_records_find(ST_KIND_REQUEST, record->handle, 0), UINT64_MAX);
    }
    st_operations_unlock(locked);
}

void st_check_requests_after(struct st_checked *checked, bool succeeded)
{
    const struct st_form *form = checked->facts.form;
    for (int i = 0; i < form->parameter_count; i++) {
        switch (form->parameters[i].role) {
        case ST_ROLE_DONE:
        case ST_ROLE_DONES:
            st_twice_after(checked);
            complete_requests(checked, i, succeeded, form->parameters[i].role);
            break;
        case ST_ROLE_RELEASE:
            complete_requests(checked, i, succeeded, form->parameters[i].role);
            break;
        case ST_ROLE_ASK:
            complete_asked(checked, i, succeeded);
            break;
        case ST_ROLE_PREADY:
            if (!succeeded) {
                st_partitions_refused(checked);
            }
            break;
        case ST_ROLE_ARRIVED:
            if (succeeded && is_said_complete(&checked->facts, 0)) {
                st_partitions_arrived(checked);
            }
            break;
        case ST_ROLE_START:
        case ST_ROLE_STARTS:
            start_requests(checked, i, succeeded);
            break;
        case ST_ROLE_NEW_REQUEST:
            if (succeeded) {
                add_given(checked, i, false);
            }
            break;
        case ST_ROLE_NEW_PERSISTENT:
            if (succeeded) {
                add_given(checked, i, true);
            }
            break;
        default:
            break;
        }
    }
    give_room(checked);
}
