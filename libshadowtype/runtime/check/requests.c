/* The life of requests: made, started, completed, freed, or lost. */
#include <stdio.h>
#include <string.h>

#include "runtime/check/checks.h"
#include "runtime/check/constants.h"
#include "runtime/check/finding.h"
#include "runtime/check/frames.h"
#include "runtime/lock.h"
#include "runtime/root.h"
#include "runtime/sites.h"

static uint64_t address_of(const struct st_facts *facts, int number, int64_t member)
{
    return facts->values[number] + (uint64_t)member * facts->form->parameters[number].width;
}

static uint32_t site_of(const struct st_facts *facts)
{
    struct st_site site;
    st_site_of(facts->call->pc, facts->call->sp, facts->call->caller, &site);
    return st_site_intern(site.frames);
}

static void find(struct st_facts *facts, int number, enum st_check check, const char *message,
                 const char *advice, const struct st_record *record)
{
    st_find(facts, &(struct st_found){.check = check,
                                      .parameter = number,
                                      .message = message,
                                      .advice = advice,
                                      .other_call = record ? record->form->name : NULL,
                                      .other_site = record ? record->site : ST_NO_SITE});
}

/* --- before -------------------------------------------------------------------------------- */

/* The record of the request that a call names; what is wrong with the handle is found. */
static bool look_up(struct st_facts *facts, int number, int64_t member, bool may_be_null,
                    struct st_record *copy, struct st_record_name *name)
{
    const struct st_parameter *parameter = &facts->form->parameters[number];
    *name = (struct st_record_name){.number = ST_NO_RECORD};
    if (parameter->pointer && !facts->values[number])
        return false;
    uint64_t handle =
        parameter->pointer ? st_handle_at(facts, number, member) : facts->values[number];
    if (handle == st_numbers.request_null) {
        if (!may_be_null)
            find(facts, number, ST_REQUEST_NULL, "passes MPI_REQUEST_NULL",
                 "MPI_Wait, MPI_Test and MPI_Request_free set a request to MPI_REQUEST_NULL; only "
                 "those that wait or test take it again",
                 NULL);
        return false;
    }
    bool locked = st_lock();
    const struct st_record *record = st_records_find(
        ST_KIND_REQUEST, handle, parameter->pointer ? address_of(facts, number, member) : 0);
    *name = st_records_name(record);
    if (record)
        *copy = *record;
    st_unlock(locked);
    if (!record)
        find(facts, number, ST_REQUEST_UNKNOWN, "passes a handle that is no request",
             "is the variable set? a copy of a request is void once the request was completed",
             NULL);
    return record != NULL;
}

/* Not to be reported as a leak, too: MPI may have left it in any state. */
static void mark_told(struct st_record_name name)
{
    bool locked = st_lock();
    struct st_record *record = st_records_named(name);
    if (record)
        record->told = true;
    st_unlock(locked);
}

static void check_one(struct st_checked *checked, int number, int64_t member, enum st_role role,
                      struct st_record_name *name, bool *inactive)
{
    struct st_facts *facts = &checked->facts;
    struct st_record record;
    bool waits = role == ST_ROLE_DONE || role == ST_ROLE_DONES || role == ST_ROLE_ASK;
    *inactive = false;
    if (!look_up(facts, number, member, waits, &record, name))
        return;
    *inactive = !record.active;
    switch (role) {
    case ST_ROLE_START:
    case ST_ROLE_STARTS:
        if (record.active) {
            mark_told(*name);
            find(facts, number, ST_REQUEST_ACTIVE_START,
                 record.persistent ? "starts a request that is active already"
                                   : "starts a request that is not persistent",
                 "complete it first, by MPI_Wait or MPI_Test", &record);
        }
        break;
    case ST_ROLE_RELEASE:
        if (record.active)
            find(facts, number, ST_REQUEST_ACTIVE_FREE, "frees a request that is active",
                 "complete it by MPI_Wait or MPI_Test: after MPI_Request_free nobody can tell when "
                 "its buffer may be used again",
                 &record);
        break;
    case ST_ROLE_CANCEL:
        if (!record.active)
            find(facts, number, ST_REQUEST_INACTIVE, "cancels a request that is not active",
                 "only what was started can be cancelled", &record);
        break;
    case ST_ROLE_DONE:
        if (!record.active && facts->form->parameters[1].role != ST_ROLE_FLAG)
            find(facts, number, ST_REQUEST_INACTIVE,
                 "waits for a persistent request that was not started",
                 "call MPI_Start before: MPI_Wait returns at once", &record);
        break;
    default:
        break;
    }
}

/* Room for what an array of requests names. */
static bool take_room(struct st_checked *checked, int64_t count)
{
    checked->requests = checked->inside;
    checked->mapped = 0;
    checked->request_count = count;
    if (count <= ST_CHECKED_ROOM)
        return true;
    if (count > INT32_MAX)
        return false;
    checked->mapped = (size_t)count * sizeof *checked->requests;
    checked->requests = st_map(checked->mapped);
    return checked->requests != NULL;
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
    for (int64_t i = 0; i < count; i++) {
        bool inactive;
        struct st_checked_request *request = &checked->requests[i];
        request->handle = pointer ? st_handle_at(facts, number, i) : facts->values[number];
        check_one(checked, number, i, role, &request->record, &inactive);
    }
    bool locked = st_lock();
    checked->last_serial = st_records_last_serial();
    st_unlock(locked);
}

/* The variable of a new request holds another one that is active: lost, if nobody completes it by
 * a copy of the handle. */
static void mark_lost(const struct st_facts *facts, int number)
{
    uint64_t variable = facts->values[number];
    if (!variable || facts->call->caller != ST_CALLER_USER)
        return;
    uint64_t handle = st_handle_at(facts, number, 0);
    if (handle == st_numbers.request_null)
        return;
    bool locked = st_lock();
    struct st_record *record = st_records_find(ST_KIND_REQUEST, handle, variable);
    if (record && record->variable == variable && (record->active || record->persistent))
        record->other_site = site_of(facts);
    st_unlock(locked);
}

void st_check_requests(struct st_checked *checked)
{
    const struct st_form *form = checked->facts.form;
    struct st_record copy;
    struct st_record_name name;
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
            look_up(&checked->facts, i, 0, role == ST_ROLE_ASK, &copy, &name);
            break;
        case ST_ROLE_NEW_REQUEST:
        case ST_ROLE_NEW_PERSISTENT:
            mark_lost(&checked->facts, i);
            break;
        default:
            break;
        }
    }
}

/* --- after --------------------------------------------------------------------------------- */

static void add_request(const struct st_form *form, const struct st_call *call, uint64_t variable,
                        uint64_t handle, bool persistent)
{
    if (handle == st_numbers.request_null)
        return;
    struct st_site site;
    st_site_of_call(call, &site);
    bool locked = st_lock();
    struct st_record *record =
        st_records_add(ST_KIND_REQUEST, handle, call->caller == ST_CALLER_USER ? variable : 0);
    if (record) {
        record->form = form;
        record->persistent = persistent;
        record->active = !persistent;
        record->site = st_site_intern(site.frames);
    }
    st_unlock(locked);
}

void st_check_request_made(const struct st_form *form, const struct st_call *call,
                           uint64_t variable, uint64_t handle)
{
    add_request(form, call, variable, handle, false);
}

static void add_given(const struct st_facts *facts, int number, bool persistent)
{
    if (facts->values[number])
        add_request(facts->form, facts->call, facts->values[number], st_handle_at(facts, number, 0),
                    persistent);
}

/* Whether the call says that persistent request `member` is complete. */
static bool is_said_complete(const struct st_facts *facts, int64_t member)
{
    const struct st_form *form = facts->form;
    int64_t outcount = -1;
    for (int i = 0; i < form->parameter_count; i++) {
        if (!facts->values[i])
            continue;
        switch (form->parameters[i].role) {
        case ST_ROLE_FLAG:
            if (!st_number_at(facts, i, 0))
                return false;
            break;
        case ST_ROLE_INDEX:
            return st_number_at(facts, i, 0) == member;
        case ST_ROLE_OUTCOUNT:
            outcount = st_number_at(facts, i, 0);
            if (outcount == st_numbers.undefined)
                return false;
            break;
        case ST_ROLE_INDICES:
            for (int64_t k = 0; k < outcount; k++)
                if (st_number_at(facts, i, k) == member)
                    return true;
            return false;
        default:
            break;
        }
    }
    return true;
}

/* The record of a member of the array. Several members may hold one handle, which as many requests
 * share (Open MPI hands out one for all that are complete at once): each stands for one of them. */
static struct st_record *record_of(const struct st_checked *checked, int64_t member, bool gone)
{
    const struct st_checked_request *request = &checked->requests[member];
    struct st_record *record = st_records_named(request->record);
    if (!record && gone && request->record.number != ST_NO_RECORD)
        record = st_records_find_by(ST_KIND_REQUEST, request->handle, checked->last_serial);
    return record;
}

static void complete(struct st_checked *checked, int number, bool succeeded)
{
    const struct st_facts *facts = &checked->facts;
    for (int64_t i = 0; i < checked->request_count; i++) {
        bool locked = st_lock();
        bool gone = st_handle_at(facts, number, i) == st_numbers.request_null;
        struct st_record *record = record_of(checked, i, gone);
        if (record && gone)
            st_records_remove(record);
        else if (record && record->persistent && record->active && succeeded &&
                 is_said_complete(facts, i))
            record->active = false;
        st_unlock(locked);
    }
}

static void start(struct st_checked *checked, bool succeeded)
{
    for (int64_t i = 0; i < checked->request_count && succeeded; i++) {
        bool locked = st_lock();
        struct st_record *record = st_records_named(checked->requests[i].record);
        if (record && record->persistent)
            record->active = true;
        st_unlock(locked);
    }
}

void st_check_requests_after(struct st_checked *checked, bool succeeded)
{
    const struct st_form *form = checked->facts.form;
    for (int i = 0; i < form->parameter_count; i++)
        switch (form->parameters[i].role) {
        case ST_ROLE_DONE:
        case ST_ROLE_DONES:
        case ST_ROLE_RELEASE:
            complete(checked, i, succeeded);
            break;
        case ST_ROLE_START:
        case ST_ROLE_STARTS:
            start(checked, succeeded);
            break;
        case ST_ROLE_NEW_REQUEST:
            if (succeeded)
                add_given(&checked->facts, i, false);
            break;
        case ST_ROLE_NEW_PERSISTENT:
            if (succeeded)
                add_given(&checked->facts, i, true);
            break;
        default:
            break;
        }
    if (checked->mapped && checked->requests)
        st_unmap(checked->requests, checked->mapped);
}

/* --- the end ------------------------------------------------------------------------------- */

void st_check_requests_at_end(void)
{
    uint32_t number = 0;
    for (;;) {
        bool locked = st_lock();
        const struct st_record *record = st_records_walk(&number);
        struct st_record copy = record ? *record : (struct st_record){0};
        st_unlock(locked);
        if (!record)
            return;
        if (copy.kind != ST_KIND_REQUEST || copy.told)
            continue;
        bool lost = copy.other_site != ST_NO_SITE && copy.active;
        st_find_at(
            &(struct st_found){
                .check = lost ? ST_REQUEST_LOST : ST_REQUEST_LEAK,
                .parameter = -1,
                .message = lost              ? "overwrites the only handle of an active request"
                           : copy.persistent ? "never frees a persistent request"
                                             : "never completes a request",
                .advice = copy.persistent ? "call MPI_Request_free"
                                          : "complete each request by MPI_Wait or MPI_Test, before "
                                            "its variable is used again",
                .other_call = lost ? copy.form->name : NULL,
                .other_site = copy.site},
            lost ? NULL : copy.form->name, lost ? copy.other_site : copy.site, 1);
    }
}
