/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The quick path of calls that complete requests (quick.h): a program may call MPI_Test millions of
 * times before it says that a request is complete. Before the call, the records of its requests are
 * found; after a call that has completed none, nothing has changed.
 */
#include "runtime/check/check_groups.h"
#include "runtime/check/checks.h"
#include "runtime/check/gone.h"
#include "runtime/check/twice.h"
#include "runtime/objects/memory.h"

/* Returns the number of requests that the call names; 0 if the full check must look at them. */
static int64_t count_requests(const struct st_form *form, const uint64_t *values, int number)
{
    if (form->parameters[number].role == ST_ROLE_DONE) {
        return 1;
    }
    const int64_t count = (int64_t)values[form->n];
    return count > 0 && count <= ST_CHECKED_ROOM ? count : 0;
}

/* Returns true if all requests are MPI_REQUEST_NULL. */
static bool are_null(const struct st_checked *checked)
{
    for (int64_t i = 0; i < checked->request_count; i++) {
        if (checked->requests[i].record.number != ST_NO_RECORD) {
            return false;
        }
    }
    return true;
}

/* Returns true if a program that waits for MPI_REQUEST_NULL gets a note. */
static bool is_noted(const struct st_form *form)
{
    return !ST_FORM_HAS(form, ST_ROLE_DONES, ST_ROLE_FLAG);
}

bool st_quick_completion_before(struct st_checked *checked, const struct st_form *form,
                                const struct st_call *call, const uint64_t *values, int number)
{
    const int64_t count = count_requests(form, values, number);
    if (!count || st_size_on) {
        return false;
    }
    st_facts_begin(&checked->facts, form, call, values);
    checked->statuses = NULL;
    checked->mapped = 0;
    checked->requests = checked->inside;
    checked->request_count = count;
    if (!st_requests_find_active(checked, number) || st_twice_is_named(checked)) {
        return false;
    }
    if (are_null(checked)) {
        if (is_noted(form)) {
            return false;
        }
        checked->request_count = 0;
    }
    st_buffers_left(call->sp);
    st_check_gone(&checked->facts);
    return true;
}
