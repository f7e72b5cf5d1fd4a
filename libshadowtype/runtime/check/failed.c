/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/failed.h"

#include <string.h>

#include "runtime/objects/pending.h"
#include "runtime/check/error_class.h"
#include "runtime/record/lock.h"
#include "runtime/wrap/names.h"
#include "runtime/record/root.h"
#include "runtime/wrap/threads.h"

/* This thread's last call that completes requests. Valid while the call runs (ST_CALL_REQUESTS). */
static _Thread_local const struct st_checked *completing __attribute__((tls_model("initial-exec")));

void st_request_completing(const struct st_checked *checked)
{
    struct st_thread_call *shown = st_thread_call_at(checked->facts.call->sp);
    if (shown) {
        st_thread_call_mark(shown, ST_CALL_REQUESTS);
        completing = checked;
    }
}

/* Returns the statuses that MPI fills: those that a check passes instead of the program's
 * (st_checked.statuses), or the program's. NULL if there are none. */
static const char *find_statuses(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    int number = form->parameter_count - 1;
    if (number < 0 || form->parameters[number].role != ST_ROLE_STATUSES) {
        return NULL;
    }
    if (completing->statuses) {
        return completing->statuses;
    }
    return st_name_of("statuses", facts->values[number])
               ? NULL
               : (const char *)(uintptr_t)facts->values[number];
}

/* Returns the index of the request that status `i` belongs to; -1 if there is no such status. */
static int64_t request_of(const struct st_facts *facts, int64_t i, int64_t count)
{
    const int indices = st_parameter_of(facts->form, ST_ROLE_INDICES);
    const int outcount = st_parameter_of(facts->form, ST_ROLE_OUTCOUNT);
    if (indices < 0 || outcount < 0) {
        return i;
    }
    const int64_t member =
        i < st_number_at(facts, outcount, 0) ? st_number_at(facts, indices, i) : -1;
    return member < count ? member : -1;
}

/* Returns which request of an array failed, by the statuses; -1 if they do not say. */
static int64_t failed_member(const struct st_facts *facts, int64_t count, int *code)
{
    const char *status = find_statuses(facts);
    for (int64_t i = 0; status && i < count; i++, status += st_root.status_bytes) {
        const int64_t member = request_of(facts, i, count);
        int error;
        memcpy(&error, status + st_root.status_error, sizeof error);
        if (member < 0) {
            return -1;
        }
        if (st_is_failure(error)) {
            *code = error;
            return member;
        }
    }
    return -1;
}

static void describe_failed(struct st_failed *failed, const struct st_record *record)
{
    failed->record = *record;
    failed->pending.count = 0;
    if (record->buffers) {
        const struct st_record_buffer *buffer;
        st_pending_buffer(record->buffers - 1, &buffer);
        st_pending_call_describe(&failed->pending, record, buffer);
    }
}

bool st_request_failed(const struct st_facts *facts, int *code, struct st_failed *failed)
{
    const struct st_thread_call *shown = st_thread_call_at(facts->call->sp);
    if (!shown || !(shown->state & ST_CALL_REQUESTS) || completing->request_count < 1) {
        return false;
    }
    int64_t member = 0;
    /* Open MPI's handler gets the error of the request. The program's statuses may be old then. */
    if (st_is_in_status(*code) || (completing->request_count > 1 && completing->statuses)) {
        member = failed_member(facts, completing->request_count, code);
    } else if (completing->request_count > 1) {
        return false;
    }
    bool locked = st_lock();
    const struct st_record *record =
        member >= 0 ? st_records_named(completing->requests[member].record) : NULL;
    if (record) {
        describe_failed(failed, record);
    }
    st_unlock(locked);
    return record != NULL;
}
