/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with the requests that a call names: before the call. */
#include <stdatomic.h>

#include "runtime/check/checks.h"
#include "runtime/check/failed.h"
#include "runtime/check/gone.h"
#include "runtime/check/request_room.h"
#include "runtime/check/twice.h"
#include "runtime/objects/alive.h"
#include "runtime/objects/graves.h"
#include "runtime/objects/operations.h"
#include "runtime/objects/pending_seals.h"
#include "runtime/objects/seals.h"
#include "runtime/record/lock.h"
#include "runtime/report/finding.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/constants.h"

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

/* Returns true if the call is MPI_Wait or MPI_Waitall: it returns when each of its requests is complete. */
static bool waits_for_all(const struct st_form *form)
{
    for (int i = 0; i < form->parameter_count; i++) {
        const enum st_role role = form->parameters[i].role;
        if (role == ST_ROLE_FLAG || role == ST_ROLE_INDEX || role == ST_ROLE_OUTCOUNT) {
            return false;
        }
    }
    return true;
}

/* A wait for a persistent request that is not active. In the array of MPI_Waitall it may be meant: a
 * program can have all its requests there and start some of them. But MPICH waits for ever if it is a
 * collective call's. */
static void check_inactive(struct st_facts *facts, int number, bool is_array,
                           const struct st_record *record)
{
    const struct st_form *made_by = st_form_table[record->function];
    struct st_found found = {.check = ST_REQUEST_INACTIVE,
                             .parameter = number,
                             .message = "waits for a persistent request that was not started",
                             .advice = "call MPI_Start before MPI_Wait",
                             .other_call = made_by->name,
                             .other_site = record->site};
    if (is_array) {
        found.advice = "call MPI_Start or MPI_Startall before MPI_Waitall";
        found.severity = made_by->collective >= 0 ? 0 : ST_SEVERITY_NOTE;
    }
    st_find(facts, &found);
}

/* The places that call MPI_Wait with MPI_REQUEST_NULL: a program may do it millions of times, and a note
 * costs a hundred times as much as the call. */
enum { NOTED_PLACES = 61 };
static _Atomic uint64_t noted_places[NOTED_PLACES];

/* MPI_Wait of MPI_REQUEST_NULL returns at once (MPI-4.0, 3.7.3). Correct programs do it: a rank at the
 * border of a grid has no neighbour to wait for. Noted once a place, whoever has called that. */
static void note_null(struct st_facts *facts, int number)
{
    const uint64_t place = (uint64_t)facts->call->pc;
    _Atomic uint64_t *noted = &noted_places[place % NOTED_PLACES];
    if (atomic_load_explicit(noted, memory_order_relaxed) == place) {
        return;
    }
    atomic_store_explicit(noted, place, memory_order_relaxed);
    st_find(facts,
            &(struct st_found){.check = ST_REQUEST_INACTIVE,
                               .severity = ST_SEVERITY_NOTE,
                               .parameter = number,
                               .message = "waits for MPI_REQUEST_NULL",
                               .advice = "there is nothing to wait for: MPI_Wait returns at once",
                               .other_site = ST_NO_SITE});
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
    case ST_ROLE_DONES:
        if (!active && waits_for_all(facts->form)) {
            check_inactive(facts, number, role == ST_ROLE_DONES, &record);
        }
        break;
    default:
        break;
    }
}

bool st_requests_find_active(struct st_checked *checked, int number)
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
    if (count <= 0 || !facts->values[number] || !st_request_room_take(checked, count)) {
        checked->request_count = 0;
        return;
    }
    bool pointer = facts->form->parameters[number].pointer;
    bool waits = role == ST_ROLE_DONE || role == ST_ROLE_DONES;
    if (waits && st_requests_find_active(checked, number)) {
        if (role == ST_ROLE_DONE && checked->requests[0].record.number == ST_NO_RECORD &&
            waits_for_all(facts->form)) {
            note_null(facts, number);
        }
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
    if (role == ST_ROLE_STARTS) {
        st_twice_started(checked, number);
    }
    if (!waits) {
        return;
    }
    st_twice_before(checked, number);
    st_check_gone_requests(checked);
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
