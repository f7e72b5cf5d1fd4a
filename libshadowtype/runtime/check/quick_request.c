/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The quick path of calls that make a request, and whose arguments are right (quick.h): most of a
 * program's messages. If no other thread calls MPI, their buffer is compared before the call, and
 * everything is recorded after it.
 */
#include "runtime/record/arena.h"
#include "runtime/check/checks.h"
#include "runtime/check/gone.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/frames.h"
#include "runtime/objects/operations.h"
#include "runtime/check/quick.h"
#include "runtime/check/quick_buffer.h"
#include "runtime/objects/pending_seals.h"
#include "runtime/check/local/size.h"
#include "runtime/check/messages.h"
#include "runtime/objects/memory.h"

static void check_size(struct st_facts *facts)
{
    struct st_uses uses;
    st_uses_of_quick(&uses, facts);
    st_check_size(facts, &uses);
    st_uses_deinit(&uses);
}

void st_quick_request_before(struct st_checked *checked, const struct st_form *form,
                             const struct st_call *call, const uint64_t *values)
{
    st_facts_begin(&checked->facts, form, call, values);
    st_buffers_left(call->sp);
    st_check_gone(&checked->facts);
    checked->alone = st_quick_buffer_put(checked);
    if (st_size_on) {
        check_size(&checked->facts);
    }
    if (!checked->alone) {
        checked->ended = 0;
        checked->running = (struct st_record_name){.number = ST_NO_RECORD};
        st_uses_of_quick(&checked->uses, &checked->facts);
        st_check_uses(checked);
    } else {
        st_quick_buffer_compare(checked);
    }
    checked->statuses = NULL;
    if (st_messages_are_on()) {
        st_messages_before(checked);
    }
}

/* Returns a valid rank or tag in the form of a record. */
static int32_t or_any(uint64_t value)
{
    return (int64_t)value >= 0 ? (int32_t)value : ST_PEER_ANY;
}

static struct st_record_name add_request(const struct st_checked *checked, uint64_t variable,
                                         uint64_t handle, uint32_t site)
{
    const struct st_facts *facts = &checked->facts;
    const struct st_form *form = facts->form;
    struct st_record *record = st_records_new();
    if (!record) {
        return st_records_name(NULL);
    }
    record->handle = handle;
    record->variable = facts->call->caller == ST_CALLER_USER ? variable : 0;
    record->comm = facts->values[form->comm];
    record->site = site;
    record->other_site = ST_NO_SITE;
    record->peer = or_any(facts->values[form->parts[0].peer]);
    record->tag = or_any(facts->values[form->tag]);
    record->thread = st_operations_thread();
    st_pending_passed(facts->call);
    record->buffers = st_pending_take_one(&checked->bytes, &checked->published);
    record->function = form->number;
    record->kind = ST_KIND_REQUEST;
    record->flags = ST_RECORD_ACTIVE;
    st_records_publish(record);
    st_pending_start(record);
    if (record->links[ST_BY_HANDLE].next) {
        st_pending_supersede(record);
    }
    return st_records_name(record);
}

void st_quick_request_after(struct st_checked *checked, bool succeeded, uint64_t variable,
                            uint64_t handle)
{
    bool made = succeeded && handle != st_numbers.null[ST_KIND_REQUEST];
    if (!checked->alone) {
        if (made) {
            st_buffers_of_request(checked, variable, handle, false);
        }
        st_check_buffers_after(checked, made);
    } else if (made) {
        uint32_t site = st_site_number(checked->facts.call);
        bool locked = st_operations_lock();
        struct st_record_name name = add_request(checked, variable, handle, site);
        st_operations_unlock(locked);
        st_pending_seal(name);
    }
    if (st_messages_are_on()) {
        st_messages_after(checked, succeeded);
    }
}
