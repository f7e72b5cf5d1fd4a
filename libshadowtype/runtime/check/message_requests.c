/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of calls that make, start, cancel, free or complete requests. */
#include "core/model/hash.h"
#include "runtime/check/message_forms.h"
#include "runtime/check/message_threads.h"
#include "runtime/check/messages_internal.h"
#include "runtime/check/partitioned.h"
#include "runtime/objects/collectives.h"
#include "runtime/ranks/node.h"
#include "runtime/record/lock.h"
#include "runtime/report/frames.h"

/* --- before a call -------------------------------------------------------------------------- */

static void start_request(struct st_requested *request, struct st_misfits *found)
{
    st_message_thread_uses(&request->end);
    if (request->end.sends) {
        st_matched_leave(&request->end, &request->sent);
    } else if (request->receive == ST_NO_RECEIVE) {
        request->receive = st_matched_post(&request->end, found);
    }
}

/* It cannot be known whether a send that is being cancelled was received. */
static void cancel_send(struct st_record_name name)
{
    const struct st_record *record = st_records_named(name);
    if (!record || record->function == ST_NO_FUNCTION ||
        st_parameter_of(st_form_table[record->function], ST_ROLE_DEST) < 0) {
        return;
    }
    const struct st_comm *comm = st_comm_find_near(record->comm);
    if (comm && comm->id) {
        st_matched_silence(st_hash_word(comm->id, st_ranks_node.job));
    }
}

/* A persistent operation is started, or one is cancelled, or freed while it runs. */
static void begin_request(const struct st_checked *checked, enum st_role role, int64_t member,
                          struct st_misfits *found)
{
    bool locked = st_lock();
    struct st_requested *request = st_requested_find(checked->requests[member].record);
    if (request && request->is_partitioned) {
        if (role == ST_ROLE_RELEASE) {
            st_probed_drop(request->probed);
            request->probed = NULL;
        }
        st_unlock(locked);
        return;
    }
    if (!request || (request->end.sends && !request->is_persistent)) {
        if (role == ST_ROLE_CANCEL) {
            cancel_send(checked->requests[member].record);
        }
        st_unlock(locked);
        return;
    }
    if (role == ST_ROLE_START || role == ST_ROLE_STARTS) {
        start_request(request, found);
    } else if (request->end.sends && role == ST_ROLE_CANCEL) {
        st_matched_silence(request->end.id);
    } else if (!request->end.sends && request->receive != ST_NO_RECEIVE) {
        if (role == ST_ROLE_CANCEL) {
            st_matched_cancels(request->receive);
        } else {
            st_matched_receive(request->receive, NULL, found);
        }
    }
    st_unlock(locked);
}

void st_messages_begin_requests(const struct st_checked *checked, struct st_misfits *found)
{
    const struct st_form *form = checked->facts.form;
    for (int i = 0; i < form->parameter_count; i++) {
        const enum st_role role = form->parameters[i].role;
        if (role != ST_ROLE_START && role != ST_ROLE_STARTS && role != ST_ROLE_CANCEL &&
            role != ST_ROLE_RELEASE) {
            continue;
        }
        for (int64_t k = 0; k < checked->request_count; k++) {
            begin_request(checked, role, k, found);
        }
    }
    st_message_threads_tell();
}

bool st_messages_has_receives(const struct st_checked *checked)
{
    bool has = false;
    bool locked = st_lock();
    for (int64_t i = 0; i < checked->request_count && !has; i++) {
        const struct st_requested *request = st_requested_find(checked->requests[i].record);
        has = request && (request->receive != ST_NO_RECEIVE || request->probed);
    }
    st_unlock(locked);
    return has;
}

/* --- after a call --------------------------------------------------------------------------- */

/* Reads the side of a persistent operation. */
static bool read_persistent(const struct st_facts *facts, struct st_message_end *end)
{
    bool is_read = false;
    for (int i = 0; i < facts->form->part_count; i++) {
        if (st_message_part(facts->form, &facts->form->parts[i])) {
            is_read = st_messages_read_part(facts, &facts->form->parts[i], end);
        }
    }
    return is_read;
}

/* Fills what is kept of a call's new request. PERSISTENT: the side of a persistent operation, or NULL. */
static void fill_request(const struct st_checked *checked, struct st_requested *request,
                         const struct st_message_end *persistent, uint32_t site)
{
    request->receive = checked->receive;
    request->may_wait = st_message_form(checked->facts.form)->may_wait;
    if (persistent) {
        request->end = *persistent;
        request->is_persistent = true;
    } else if (checked->receive != ST_NO_RECEIVE) {
        request->end = *st_matched_end(checked->receive);
    } else if (request->may_wait && checked->sent.number) {
        request->sent = checked->sent;
        request->end.sends = true;
    } else {
        request->probed = checked->probed;
    }
    request->end.site = site;
}

void st_messages_keep_request(struct st_checked *checked, int parameter, bool is_persistent)
{
    const struct st_facts *facts = &checked->facts;
    const struct st_message_form *known = st_message_form(facts->form);
    struct st_message_end end;
    if (is_persistent ? !read_persistent(facts, &end)
                      : checked->receive == ST_NO_RECEIVE && !checked->probed &&
                            !(known->may_wait && checked->sent.number)) {
        return;
    }
    const uint32_t site = st_site_number(facts->call);
    bool locked = st_lock();
    if (checked->receive != ST_NO_RECEIVE) {
        st_matched_end(checked->receive)->site = site;
        st_matched_end(checked->receive)->is_vague = known->is_vague;
    } else if (checked->probed) {
        checked->probed->end.site = site;
    }
    const struct st_record *record = st_records_find(
        ST_KIND_REQUEST, st_handle_at(facts, parameter, 0), facts->values[parameter]);
    struct st_requested *request = record ? st_requested_new(st_records_name(record)) : NULL;
    if (request) {
        fill_request(checked, request, is_persistent ? &end : NULL, site);
    } else if (is_persistent ? !end.sends : checked->receive != ST_NO_RECEIVE) {
        st_matched_lose(is_persistent ? &end : st_matched_end(checked->receive));
    }
    st_unlock(locked);
}

/* Returns the index of the status for a member of the array of requests. */
static int64_t status_index(const struct st_checked *checked, int64_t member)
{
    const struct st_facts *facts = &checked->facts;
    const struct st_message_form *known = st_message_form(checked->facts.form);
    if (known->statuses < 0) {
        return 0;
    }
    if (known->indices < 0 || known->outcount < 0) {
        return member;
    }
    for (int64_t i = 0, count = st_number_at(facts, known->outcount, 0); i < count; i++) {
        if (st_number_at(facts, known->indices, i) == member) {
            return i;
        }
    }
    return -1;
}

/* Returns what is known of a completed receive whose status may say nothing: its length is not. NULL
 * if it is not known which message it took. */
static const struct st_status_facts *replace_status(const struct st_message_end *end,
                                                    const struct st_status_facts *known,
                                                    struct st_status_facts *status)
{
    if (!known || end->peer == ST_NUMBERING_ANY || end->tag == ST_NUMBERING_ANY) {
        return NULL;
    }
    *status = (struct st_status_facts){.source = end->peer, .tag = end->tag, .bytes = -1};
    return status;
}

/* The caller holds the lock. */
static void end_receive(const struct st_checked *checked, uint32_t receive,
                        const struct st_status_facts *known, struct st_misfits *found)
{
    struct st_message_end *end = st_matched_end(receive);
    struct st_status_facts status;
    end->is_waited = st_message_form(checked->facts.form)->waits;
    st_matched_receive(receive, end->is_vague ? replace_status(end, known, &status) : known, found);
}

void st_messages_end_requests(struct st_checked *checked, bool succeeded, struct st_misfits *found)
{
    struct st_completed_receive completed;
    while (st_requested_next(&checked->facts, &completed)) {
        struct st_status_facts status;
        const int64_t index = succeeded ? status_index(checked, completed.member) : -1;
        const struct st_status_facts *known =
            index >= 0 ? st_messages_status(&checked->facts, checked->statuses, index, &status)
                       : NULL;
        bool locked = st_lock();
        if (completed.receive != ST_NO_RECEIVE) {
            end_receive(checked, completed.receive, known, found);
        } else {
            st_partitioned_receives(completed.probed, known, found);
        }
        st_unlock(locked);
        st_messages_tell(&checked->facts, found);
    }
}
