/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that calls.table does not know: MPI's own extensions, and additions of later standards. */
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/frames.h"
#include "runtime/objects/comms.h"
#include "runtime/objects/operations.h"
#include "runtime/check/quick.h"
#include "runtime/record/sites.h"
#include "runtime/record/table.h"

static bool is_null(enum st_kind kind, uint64_t handle)
{
    return kind == ST_KIND_TYPE ? !handle || handle == st_numbers.datatype_null
                                : st_is_null_handle(kind, handle);
}

static int64_t count_of(const struct st_facts *facts, int number)
{
    if (!facts->values[number]) {
        return 0;
    }
    return facts->form->parameters[number].role == ST_ROLE_ADOPTS
               ? (int64_t)facts->values[number - 1]
               : 1;
}

static uint64_t address_of(const struct st_facts *facts, int number, int64_t member)
{
    return facts->values[number] + (uint64_t)member * facts->form->parameters[number].width;
}

/* Calls `visit` for each handle that the function may return or end, with its index among these
 * handles. */
static void visit_handles(struct st_checked *checked, void (*visit)(struct st_checked *, int number,
                                                                    int64_t member, int64_t place))
{
    const struct st_form *form = checked->facts.form;
    int64_t place = 0;
    for (int i = 0; i < form->parameter_count; i++) {
        enum st_role role = form->parameters[i].role;
        if (role != ST_ROLE_ADOPT && role != ST_ROLE_ADOPTS) {
            continue;
        }
        int64_t count = count_of(&checked->facts, i);
        for (int64_t member = 0; member < count; member++) {
            visit(checked, i, member, place++);
        }
    }
}

/* The function may complete, start or pass on the request in the variable: mark it as possibly active. */
static void visit_before(struct st_checked *checked, int number, int64_t member, int64_t place)
{
    const struct st_facts *facts = &checked->facts;
    enum st_kind kind = facts->form->parameters[number].kind;
    uint64_t variable = address_of(facts, number, member),
             handle = st_handle_at(facts, number, member);
    bool locked = st_operations_lock();
    struct st_record *record = st_records_find(kind, handle, variable);
    if (record && kind == ST_KIND_REQUEST) {
        st_records_mark(record, ST_RECORD_TOLD, 0);
        st_pending_doubt(record);
    }
    if (place < ST_CHECKED_ROOM) {
        checked->inside[place] =
            (struct st_checked_request){.record = st_records_name(record), .handle = handle};
    }
    st_operations_unlock(locked);
}

/* Removes the record of an object that the function has ended. */
static void remove_record(struct st_record_name name)
{
    bool locked = st_operations_lock();
    struct st_record *record = st_records_named(name);
    if (record && record->function != ST_NO_FUNCTION) {
        if (record->kind == ST_KIND_REQUEST) {
            st_operation_remove(record);
        } else {
            st_handles_remove(record);
        }
    }
    st_operations_unlock(locked);
    atomic_fetch_add(&st_quick_epoch, 1);
}

static void add_handle(const struct st_facts *facts, enum st_kind kind, uint64_t handle,
                       uint64_t variable)
{
    struct st_site site;
    st_site_of_call(facts->call, &site);
    if (kind == ST_KIND_TYPE) {
        st_record_opaque(handle, &site);
        return;
    }
    bool locked = st_operations_lock();
    struct st_record like = {.kind = (uint8_t)kind,
                             .handle = handle,
                             .site = st_site_intern(site.frames),
                             .other_site = ST_NO_SITE,
                             .function = facts->form->number,
                             .flags = ST_RECORD_SHOWN};
    if (kind == ST_KIND_REQUEST) {
        like.flags |= ST_RECORD_ACTIVE | ST_RECORD_POSSIBLE | ST_RECORD_TOLD;
        like.variable = facts->call->caller == ST_CALLER_USER ? variable : 0;
    }
    st_handles_add(&like);
    st_operations_unlock(locked);
}

static void visit_after(struct st_checked *checked, int number, int64_t member, int64_t place)
{
    const struct st_facts *facts = &checked->facts;
    enum st_kind kind = facts->form->parameters[number].kind;
    uint64_t handle = st_handle_at(facts, number, member);
    const struct st_checked_request *before =
        place < ST_CHECKED_ROOM ? &checked->inside[place] : NULL;
    if (is_null(kind, handle)) {
        if (before && before->handle != handle) {
            remove_record(before->record);
        }
        return;
    }
    bool is_new = facts->form->parameters[number].role == ST_ROLE_ADOPT && before &&
                  (before->handle != handle || before->record.number == ST_NO_RECORD);
    if (is_new && kind != ST_KIND_TYPE && st_constant_name(kind, handle)) {
        return;
    }
    if (is_new) {
        add_handle(facts, kind, handle, address_of(facts, number, member));
    }
}

void st_adopt_before(struct st_checked *checked)
{
    visit_handles(checked, visit_before);
}

void st_adopt_after(struct st_checked *checked)
{
    visit_handles(checked, visit_after);
}
