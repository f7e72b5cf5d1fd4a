/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalized requests, which the program itself completes (MPI-4.0, 13.2). */
#include <string.h>

#include "runtime/check/checks.h"
#include "runtime/objects/alive.h"
#include "runtime/objects/graves.h"
#include "runtime/objects/operations.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/constants.h"

static bool is_generalized(uint16_t function)
{
    return strcmp(st_form_table[function]->name, "MPI_Grequest_start") == 0;
}

/* Finds the record that the call completes. An object that a function outside calls.table has
 * returned may be a generalized request. */
static struct st_record *find_record(uint64_t handle)
{
    struct st_record *newest = st_records_find(ST_KIND_REQUEST, handle, 0), *record = newest;
    while (record && !(record->flags & ST_RECORD_SHOWN || is_generalized(record->function))) {
        record = st_records_older(record);
    }
    return record ? record : newest;
}

/* Returns true if the request was freed while it was active, which a program may do before it
 * completes the request: once. */
static bool is_freed_early(uint64_t handle)
{
    struct st_grave grave;
    const bool is_early = st_graves_find(ST_KIND_REQUEST, handle, &grave) &&
                          is_generalized(grave.function) && !(grave.flags & ST_RECORD_FULFILLED);
    st_graves_mark(ST_KIND_REQUEST, handle, ST_RECORD_FULFILLED);
    return is_early;
}

static void find_wrong(struct st_facts *facts, int number, const struct st_record *record)
{
    const bool again = is_generalized(record->function);
    st_find(facts,
            &(struct st_found){.check = again ? ST_REQUEST_INACTIVE : ST_REQUEST_UNKNOWN,
                               .severity = ST_SEVERITY_ERROR,
                               .parameter = number,
                               .message = again ? "completes a generalized request a second time"
                                                : "completes a request that is not generalized",
                               .advice = again ? "call MPI_Grequest_complete once for each request"
                                               : "MPI_Grequest_complete needs a request of "
                                                 "MPI_Grequest_start; MPI itself completes others",
                               .other_call = st_form_table[record->function]->name,
                               .other_site = record->site});
}

void st_check_fulfilled(struct st_facts *facts, int number)
{
    const uint64_t handle = facts->values[number];
    if (handle == st_numbers.null[ST_KIND_REQUEST]) {
        st_find(facts, &(struct st_found){.check = ST_REQUEST_NULL,
                                          .parameter = number,
                                          .message = "passes MPI_REQUEST_NULL",
                                          .advice = "MPI_Grequest_complete needs a copy of the "
                                                    "handle if another thread waits for it"});
        return;
    }
    struct st_record copy = {.flags = ST_RECORD_SHOWN};
    bool locked = st_operations_lock();
    struct st_record *record = find_record(handle);
    const bool is_early = !record && is_freed_early(handle);
    if (record) {
        copy = *record;
    }
    if (record && is_generalized(record->function)) {
        st_records_mark(record, ST_RECORD_FULFILLED, 0);
    }
    st_operations_unlock(locked);
    if (!record && !is_early) {
        st_find_dead(facts, number, handle, ST_PASSES);
    } else if (!(copy.flags & ST_RECORD_SHOWN) &&
               (!is_generalized(copy.function) || copy.flags & ST_RECORD_FULFILLED)) {
        find_wrong(facts, number, &copy);
    }
}
