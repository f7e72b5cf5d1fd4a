/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/messages_internal.h"

#include <string.h>

#include "runtime/check/left_messages.h"
#include "runtime/check/message_forms.h"
#include "runtime/check/message_threads.h"
#include "runtime/check/partitioned.h"
#include "runtime/check/repeated_messages.h"
#include "runtime/check/unreturned.h"
#include "runtime/ranks/beyond.h"
#include "runtime/ranks/far.h"
#include "runtime/ranks/matched.h"
#include "runtime/ranks/partial.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/raced.h"
#include "runtime/ranks/signed.h"
#include "runtime/record/lock.h"
#include "runtime/report/finding.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/constants.h"

/* --- the running call ----------------------------------------------------------------------- */

struct st_unreturned st_messages_new_call(const struct st_facts *facts)
{
    return (struct st_unreturned){
        .pc = facts->call->pc, .sp = facts->call->sp, .receive = ST_NO_RECEIVE};
}

void st_messages_keep_call(const struct st_unreturned *call)
{
    if (call->sends || call->begins || call->probed || call->receive != ST_NO_RECEIVE) {
        st_unreturned_add(call);
    }
}

/* --- before a call -------------------------------------------------------------------------- */

/* A call has at most one part that receives and one that sends. *call describes it. */
void st_messages_begin_part(const struct st_facts *facts, const struct st_part *part,
                            struct st_unreturned *call, struct st_sent_name *sent,
                            struct st_misfits *found)
{
    struct st_message_end end;
    bool none, locked;
    const bool sends = facts->form->parameters[part->peer].role == ST_ROLE_DEST;
    if (st_messages_off()) {
        return;
    }
    if (!st_message_end_read(facts, part->peer, &end, &none)) {
        if (!none && !sends) {
            locked = st_lock();
            st_matched_pass(NULL);
            st_unlock(locked);
        }
        return;
    }
    st_message_end_sign(facts, part, &end);
    if (!sends && (st_matched_may_wait() || (st_raced_is_on() && end.peer == ST_NUMBERING_ANY))) {
        end.site = st_site_number(facts->call);
    }
    locked = st_lock();
    st_message_thread_uses(&end);
    if (sends) {
        st_matched_leave(&end, sent);
        call->sends = true;
        call->comm = end.id;
    } else {
        call->receive = st_matched_post(&end, found);
    }
    st_unlock(locked);
    st_message_threads_tell();
}

/* Returns true if the call may show that a message was received. */
static bool may_receive(const struct st_checked *checked)
{
    return !st_message_form(checked->facts.form)->completes || st_messages_has_receives(checked);
}

/* If the program passes no statuses, MPI gets ours. */
static void take_statuses(struct st_checked *checked)
{
    const struct st_message_form *known = st_message_form(checked->facts.form);
    const bool one = known->status >= 0;
    const uint64_t ignore = one ? st_numbers.status_ignore : st_numbers.statuses_ignore;
    const int number = one ? known->status : known->statuses;
    if (number >= 0 && checked->facts.values[number] == ignore && may_receive(checked)) {
        checked->statuses = st_statuses_new(one ? 1 : checked->request_count);
    }
}

/* No receive was posted when the running MPI_Wait, or MPI_Waitall, began. Guarded by the lock. */
static bool waits_alone;

static void wait_begins(void)
{
    bool locked = st_lock();
    waits_alone = !st_matched_may_wait();
    st_unlock(locked);
}

/* MPI_Mprobe may take a message that a receive of another thread waits for. */
static void probe_begins(const struct st_facts *facts)
{
    struct st_message_end end;
    bool none;
    if (!st_message_end_read(facts, st_parameter_of(facts->form, ST_ROLE_SOURCE), &end, &none)) {
        return;
    }
    bool locked = st_lock();
    st_message_thread_uses(&end);
    st_unlock(locked);
    st_message_threads_tell();
}

/* Takes what is known of the message that MPI_Mrecv will receive. Once MPI has it, another thread's
 * MPI_Mprobe may get the same handle, even before this call returns. */
static void take_message(struct st_checked *checked, int parameter)
{
    const struct st_facts *facts = &checked->facts;
    const bool is_given = parameter >= 0 && facts->values[parameter];
    checked->message = is_given ? st_handle_at(facts, parameter, 0) : 0;
    checked->probed = NULL;
    if (checked->message) {
        bool locked = st_lock();
        checked->probed = st_probed_take(facts, checked->message);
        st_unlock(locked);
    }
}

void st_messages_before(struct st_checked *checked)
{
    struct st_misfits found;
    found.count = 0; /* the list is large: it is not filled with zeros */
    checked->receive = ST_NO_RECEIVE;
    checked->sent.number = 0;
    if (st_messages_off()) {
        return;
    }
    const struct st_message_form *known = st_message_form(checked->facts.form);
    st_left_messages_forget(checked->facts.call->sp, &found);
    take_statuses(checked);
    if (known->waits) {
        wait_begins();
    }
    if (known->probes) {
        probe_begins(&checked->facts);
    }
    struct st_unreturned call = st_messages_new_call(&checked->facts);
    take_message(checked, known->message);
    call.probed = checked->probed;
    checked->repeats = known->request >= 0 && !atomic_load(&st_lock_armed) &&
                       st_repeated_request_begins(&checked->facts, &call, &checked->sent, &found);
    for (uint32_t left = checked->repeats ? 0 : known->parts; left; left &= left - 1) {
        st_messages_begin_part(&checked->facts, &checked->facts.form->parts[__builtin_ctz(left)],
                               &call, &checked->sent, &found);
    }
    if (known->begins) {
        st_messages_begin_requests(checked, &found);
    }
    call.begins = known->begins;
    checked->receive = call.receive;
    st_messages_keep_call(&call);
    st_messages_tell(&checked->facts, &found);
}

/* --- after a call --------------------------------------------------------------------------- */

struct st_record *st_messages_completed(struct st_facts *facts, int parameter, int64_t member,
                                        struct st_record *record, bool *locked)
{
    (void)parameter;
    (void)locked;
    if (st_messages_off()) {
        return record;
    }
    const struct st_requested *request = st_requested_find(st_records_name(record));
    if (request && request->may_wait && request->sent.number && waits_alone &&
        st_message_form(facts->form)->waits) {
        st_matched_waited(&request->sent);
    }
    if (st_message_form(facts->form)->waits) {
        st_beyond_waited(record);
    }
    st_requested_complete(facts, st_records_name(record), member);
    return record;
}

void st_messages_end_receive(const struct st_facts *facts, const void *own, uint32_t receive,
                             bool succeeded, struct st_misfits *found)
{
    struct st_status_facts status;
    const struct st_status_facts *known =
        succeeded ? st_messages_status(facts, own, 0, &status) : NULL;
    bool locked = st_lock();
    st_matched_receive(receive, known, found);
    st_unlock(locked);
}

/* MPI has refused a send: later messages get other numbers. */
void st_messages_end_refused(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    struct st_message_end end;
    bool none;
    if (st_message_form(facts->form)->begins) {
        st_left_messages_stop(); /* it is not known which of them have begun */
    }
    for (int i = 0; i < form->part_count; i++) {
        if (st_message_part(form, &form->parts[i]) &&
            st_message_end_read(facts, form->parts[i].peer, &end, &none) && end.sends) {
            bool locked = st_lock();
            st_matched_silence(end.id);
            st_unlock(locked);
        }
    }
}

/* MPI_Mprobe has found a message: it is taken now, whenever it will be received. */
static __attribute__((noinline)) void end_probe(struct st_checked *checked,
                                                struct st_misfits *found)
{
    struct st_status_facts status;
    struct st_message_end end;
    uint64_t message;
    const int source = st_parameter_of(checked->facts.form, ST_ROLE_SOURCE);
    bool none;
    if (!st_probed_message(&checked->facts, &message) ||
        !st_messages_status(&checked->facts, checked->statuses, 0, &status) ||
        !st_message_end_read(&checked->facts, source, &end, &none)) {
        return;
    }
    bool locked = st_lock();
    st_matched_probe(&end, message, &status, found);
    st_unlock(locked);
}

/* MPI_Mrecv, or an MPI_Imrecv that has failed. */
static void end_matched(struct st_checked *checked, bool succeeded, struct st_misfits *found)
{
    struct st_status_facts status;
    if (!checked->message || checked->message == st_numbers.message_no_proc) {
        return;
    }
    const struct st_status_facts *known =
        succeeded ? st_messages_status(&checked->facts, checked->statuses, 0, &status) : NULL;
    bool locked = st_lock();
    st_matched_probed(checked->probed, known, found);
    st_unlock(locked);
}

/* MPI_Get_count of the datatype that was received does not tell where the message ends. */
static void end_question(const struct st_facts *facts)
{
    struct st_status_facts status;
    const int given = st_parameter_of(facts->form, ST_ROLE_GIVEN),
              type = st_parameter_of(facts->form, ST_ROLE_TYPED);
    const bool counts = strncmp(facts->form->name, "MPI_Get_count", 13) == 0;
    if (given >= 0 && type >= 0 && (!counts || st_sign_stays(facts->values[type])) &&
        st_status_read((const void *)(uintptr_t)facts->values[given], 0, &status)) {
        st_partial_asked(&status);
    }
}

static void end_call(struct st_checked *checked, bool succeeded, struct st_misfits *found)
{
    const int request = st_message_form(checked->facts.form)->request,
              persistent = st_message_form(checked->facts.form)->persistent;
    st_left_messages_return(checked->facts.call->sp, found);
    if (!succeeded) {
        st_messages_end_refused(&checked->facts);
    }
    if (succeeded && st_message_form(checked->facts.form)->is_partitioned) {
        st_partitioned_made(checked, persistent);
    } else if (succeeded && (request >= 0 || persistent >= 0)) {
        st_messages_keep_request(checked, request >= 0 ? request : persistent, persistent >= 0);
        if (request >= 0 && !checked->repeats) {
            st_messages_keep_repeated(&checked->facts);
        }
    } else if (checked->receive != ST_NO_RECEIVE) {
        st_messages_end_receive(&checked->facts, checked->statuses, checked->receive, succeeded,
                                found);
    } else {
        end_matched(checked, succeeded, found);
    }
    if (succeeded && st_message_form(checked->facts.form)->probes) {
        end_probe(checked, found);
    }
    if (succeeded && st_message_form(checked->facts.form)->asks) {
        end_question(&checked->facts);
    }
    st_messages_end_requests(checked, succeeded, found);
}

void st_messages_after(struct st_checked *checked, bool succeeded)
{
    struct st_misfits found;
    found.count = 0;
    if (!st_messages_off()) {
        end_call(checked, succeeded, &found);
    }
    st_messages_tell(&checked->facts, &found);
    st_statuses_free(checked->statuses);
}

/* --- the run -------------------------------------------------------------------------------- */

bool st_messages_begin(void)
{
    if (!st_matched_begin() || !st_message_forms_begin()) {
        return false;
    }
    atomic_store_explicit(&st_messages_on, true, memory_order_release);
    return true;
}

void st_messages_end(void)
{
    if (atomic_exchange(&st_messages_on, false)) {
        st_far_end();
        st_matched_tell_lost();
        st_partial_tell();
    }
}

void st_messages_forget(void)
{
    atomic_store(&st_messages_on, false);
}
