/* SPDX-License-Identifier: BSD-3-Clause */
/* What has become of the requests that a call names: made, started, completed, freed. After the call. */
#include "runtime/check/check_groups.h"
#include "runtime/check/checks.h"
#include "runtime/check/request_room.h"
#include "runtime/check/twice.h"
#include "runtime/objects/comms.h"
#include "runtime/objects/graves.h"
#include "runtime/objects/operations.h"
#include "runtime/objects/partitions.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/constants.h"

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

/* Keeps the number of starts of a persistent collective call for the watch from outside: other ranks may wait
 * for another start. */
static void note_persistent(const struct st_record *record)
{
    if (record->flags & ST_RECORD_PERSISTENT && st_form_table[record->function]->collective >= 0) {
        const struct st_record *of = st_records_find(ST_KIND_COMM, record->comm, 0);
        struct st_comm *comm = of && of->serial < record->serial ? st_comms_of(of) : NULL;
        if (comm) {
            st_comms_note_freed(comm, record);
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
    note_persistent(record);
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
    st_request_room_give(checked);
}
