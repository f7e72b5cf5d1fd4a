/* SPDX-License-Identifier: BSD-3-Clause */
/* Partitioned operations (MPI-4.0, 4.2): the partitions that a call marks as ready, or tests. */
#include <stdio.h>

#include "runtime/check/checks.h"
#include "runtime/report/finding.h"
#include "runtime/objects/operations.h"
#include "runtime/objects/partitions.h"
#include "runtime/record/lock.h"

bool st_is_partitioned(const struct st_form *form)
{
    return form->part_count && form->parts[0].times >= 0;
}

static bool is_partitioned(const struct st_record *record, enum st_access access)
{
    const struct st_form *form = st_form_table[record->function];
    return st_is_partitioned(form) && form->parts[0].access == access;
}

void st_partitions_made(const struct st_facts *facts, struct st_record_name name)
{
    const struct st_part *part = &facts->form->parts[0];
    bool locked = st_lock();
    st_partitions_add(name, (int64_t)facts->values[part->times], part->access == ST_READ);
    st_unlock(locked);
}

/* --- which partitions ----------------------------------------------------------------------- */

/* Partitions low..high, and the parameters that name them. */
struct st_partition_range {
    int64_t low, high;
    int low_at, high_at;
};

/* Gets the next range of partitions that a call names. Returns false if there are no more. */
static bool next_range(const struct st_facts *facts, int64_t member,
                       struct st_partition_range *range)
{
    const struct st_form *form = facts->form;
    int numbers = 0, at[2];
    for (int i = 0; i < form->parameter_count; i++) {
        if (form->parameters[i].role == ST_ROLE_PARTITIONS) {
            if (!facts->values[i] || member >= (int64_t)facts->values[form->n]) {
                return false;
            }
            range->low = range->high = st_number_at(facts, i, member);
            range->low_at = range->high_at = i;
            return true;
        }
        if (form->parameters[i].role == ST_ROLE_PARTITION && numbers < 2) {
            at[numbers++] = i;
        }
    }
    if (!numbers || member) {
        return false;
    }
    range->low_at = at[0];
    range->high_at = at[numbers - 1];
    range->low = (int64_t)facts->values[range->low_at];
    range->high = (int64_t)facts->values[range->high_at];
    return true;
}

/* --- errors --------------------------------------------------------------------------------- */

static void report_partition(struct st_facts *facts, int number, enum st_check check,
                             const char *message, const char *advice,
                             const struct st_record *record)
{
    st_find(facts, &(struct st_found){.check = check,
                                      .severity = ST_SEVERITY_ERROR,
                                      .parameter = number,
                                      .message = message,
                                      .advice = advice,
                                      .other_call = st_form_table[record->function]->name,
                                      .other_site = record->site});
}

/* Returns true if the operation has all partitions of the range. An empty range ends right before
 * its beginning. */
static bool is_inside(const struct st_partition_range *range, int64_t partitions)
{
    if (partitions < 0 || range->low == range->high + 1) {
        return true;
    }
    return range->low >= 0 && range->low <= range->high && range->high < partitions;
}

static void find_outside(struct st_facts *facts, const struct st_partition_range *range,
                         int64_t partitions, const struct st_record *record)
{
    char message[120];
    bool is_low = range->low < 0 || range->low >= partitions;
    if (range->low > range->high + 1) {
        snprintf(message, sizeof message,
                 "names partitions %lld to %lld, the last before the first", (long long)range->low,
                 (long long)range->high);
    } else {
        snprintf(message, sizeof message,
                 "names partition %lld of an operation of %lld partition%s",
                 (long long)(is_low ? range->low : range->high), (long long)partitions,
                 partitions == 1 ? "" : "s");
    }
    report_partition(
        facts, is_low ? range->low_at : range->high_at, ST_ARGUMENT_COUNT, message,
        "partitions are numbered from 0 to one less than the number that the request was made "
        "with (MPI-4.0, 4.2)",
        record);
}

static void find_again(struct st_facts *facts, const struct st_partition_range *range,
                       int64_t partition, const struct st_record *record)
{
    char message[120];
    snprintf(message, sizeof message, "tells partition %lld ready that is ready already",
             (long long)partition);
    report_partition(
        facts, range->low_at, ST_REQUEST_ACTIVE_START, message,
        "tell each partition once between MPI_Start and the call that completes the send", record);
}

static void make_ready(struct st_facts *facts, int number, struct st_record_name name,
                       const struct st_partition_range *range, const struct st_record *record)
{
    bool locked = st_lock();
    int64_t partitions = st_partitions_of(name);
    bool inside = is_inside(range, partitions);
    int64_t before = inside ? st_partitions_ready(name, range->low, range->high) : -1;
    st_unlock(locked);
    if (!inside) {
        find_outside(facts, range, partitions, record);
        return;
    }
    if (before >= 0 && !(record->flags & ST_RECORD_POSSIBLE)) {
        find_again(facts, range, before, record);
    }
    st_check_partitions(facts, number, name, range->low, range->high);
}

void st_check_ready(struct st_checked *checked, int number, const struct st_record *record)
{
    struct st_facts *facts = &checked->facts;
    struct st_partition_range range;
    if (!is_partitioned(record, ST_READ)) {
        report_partition(facts, number, ST_REQUEST_UNKNOWN,
                         "passes a request that no partitioned send made",
                         "pass the request that MPI_Psend_init gave", record);
        return;
    }
    if (!(record->flags & (ST_RECORD_ACTIVE | ST_RECORD_POSSIBLE))) {
        report_partition(facts, number, ST_REQUEST_INACTIVE,
                         "tells a partition ready of a send that was not started",
                         "call MPI_Start before, each time: what was ready then is no longer",
                         record);
        return;
    }
    for (int64_t i = 0; next_range(facts, i, &range); i++) {
        make_ready(facts, number, checked->requests[0].record, &range, record);
    }
}

/* For an inactive request all partitions have arrived (MPI-4.0, 4.2.2). */
void st_check_arrived(struct st_checked *checked, int number, const struct st_record *record)
{
    struct st_facts *facts = &checked->facts;
    struct st_partition_range range;
    if (!is_partitioned(record, ST_WRITE)) {
        report_partition(facts, number, ST_REQUEST_UNKNOWN,
                         "passes a request that no partitioned receive made",
                         "pass the request that MPI_Precv_init gave", record);
        return;
    }
    if (!(record->flags & ST_RECORD_ACTIVE) || !next_range(facts, 0, &range)) {
        return;
    }
    bool locked = st_lock();
    int64_t partitions = st_partitions_of(checked->requests[0].record);
    st_unlock(locked);
    if (!is_inside(&range, partitions)) {
        find_outside(facts, &range, partitions, record);
    }
}

/* --- after ---------------------------------------------------------------------------------- */

void st_partitions_refused(struct st_checked *checked)
{
    if (checked->facts.found) {
        return;
    }
    bool locked = st_operations_lock();
    struct st_record *record = st_records_named(checked->requests[0].record);
    if (record && record->flags & ST_RECORD_ACTIVE && is_partitioned(record, ST_READ)) {
        st_pending_doubt(record);
    }
    st_operations_unlock(locked);
}

void st_partitions_arrived(struct st_checked *checked)
{
    struct st_partition_range range;
    if (!next_range(&checked->facts, 0, &range)) {
        return;
    }
    bool locked = st_operations_lock();
    struct st_record *record = st_records_named(checked->requests[0].record);
    if (record && is_partitioned(record, ST_WRITE)) {
        st_pending_partitions(record, range.low, range.high, false);
    }
    st_operations_unlock(locked);
}
