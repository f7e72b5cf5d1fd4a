/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests whose handle is lost, and those that are there when MPI ends. */
#include "runtime/check/checks.h"
#include "runtime/objects/operations.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/constants.h"

void st_requests_mark_lost(const struct st_facts *facts, int number)
{
    uint64_t variable = facts->values[number];
    if (!variable || facts->call->caller != ST_CALLER_USER) {
        return;
    }
    uint64_t handle = st_handle_at(facts, number, 0);
    if (handle == st_numbers.null[ST_KIND_REQUEST]) {
        return;
    }
    bool locked = st_operations_lock();
    struct st_record *record = st_records_find(ST_KIND_REQUEST, handle, variable);
    if (record && record->variable == variable &&
        record->flags & (ST_RECORD_ACTIVE | ST_RECORD_PERSISTENT)) {
        record->other_site = st_site_number(facts->call);
    }
    st_operations_unlock(locked);
}

void st_check_requests_at_end(void)
{
    uint32_t number = 0;
    struct st_record copy;
    while (st_records_next(&number, &copy)) {
        if (copy.kind != ST_KIND_REQUEST ||
            copy.flags & (ST_RECORD_TOLD | ST_RECORD_RUNNING | ST_RECORD_SHOWN)) {
            continue;
        }
        bool persistent = copy.flags & ST_RECORD_PERSISTENT;
        bool lost = copy.other_site != ST_NO_SITE && copy.flags & ST_RECORD_ACTIVE;
        st_find_at(
            &(struct st_found){
                .check = lost ? ST_REQUEST_LOST : ST_REQUEST_LEAK,
                .parameter = -1,
                .message = lost         ? "overwrites the only handle of an active request"
                           : persistent ? "never frees a persistent request"
                                        : "never completes a request",
                .advice = persistent ? "call MPI_Request_free"
                                     : "complete each request by MPI_Wait or MPI_Test, before "
                                       "its variable is used again",
                .other_call = lost ? st_form_table[copy.function]->name : NULL,
                .other_site = copy.site},
            lost ? NULL : st_form_table[copy.function]->name, lost ? copy.other_site : copy.site,
            1);
    }
}
