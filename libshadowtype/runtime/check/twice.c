/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/twice.h"

#include <stdio.h>
#include <string.h>

#include "runtime/check/concurrent.h"
#include "runtime/check/level.h"
#include "runtime/record/lock.h"
#include "runtime/report/finding.h"

/* Returns true if no other request has the handle of the record. */
static bool is_only(const struct st_record *record)
{
    return record && !(record->flags & (ST_RECORD_SHOWN | ST_RECORD_POSSIBLE)) &&
           record->function != ST_NO_FUNCTION && !st_records_older(record) &&
           !st_records_newer(record);
}

/* Returns the record of a request if it is gone once it is complete, and no other request has its
 * handle; else NULL. The caller holds the lock. */
static const struct st_record *find_only(const struct st_checked_request *request)
{
    const struct st_record *record = st_records_named(request->record);
    const bool is_gone_then =
        record && record->flags & ST_RECORD_ACTIVE && !(record->flags & ST_RECORD_PERSISTENT);
    return is_gone_then && is_only(record) ? record : NULL;
}

/* --- twice in one call ---------------------------------------------------------------------- */

/* A set of the records' numbers, without their upper bits. Numbers of requests that were made one
 * after the other differ in the lower bits. */
enum { LOG2_SEEN = 12, MOST_SEARCHES = 64, FEW = 8 };

/* Finds an earlier member with the same record. */
static bool find_before(const struct st_checked *checked, int64_t member, int64_t *first)
{
    const uint32_t number = checked->requests[member].record.number;
    for (*first = 0; number != ST_NO_RECORD && *first < member; ++*first) {
        if (checked->requests[*first].record.number == number) {
            return true;
        }
    }
    return false;
}

/* Finds two members of the array that stand for the same request. Returns false if all differ. Of a
 * very large array only a part is searched. */
static bool find_two(const struct st_checked *checked, int64_t *first, int64_t *second)
{
    uint64_t seen[(1 << LOG2_SEEN) / 64] = {0};
    int searches = 0;
    for (*second = 0; *second < checked->request_count; ++*second) {
        const uint32_t number = checked->requests[*second].record.number;
        const uint32_t bit = number & ((1 << LOG2_SEEN) - 1);
        if (number == ST_NO_RECORD) {
            continue;
        }
        if (seen[bit / 64] >> bit % 64 & 1) {
            if (++searches > MOST_SEARCHES) {
                return false;
            }
            if (find_before(checked, *second, first)) {
                return true;
            }
        }
        seen[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    return false;
}

/* Does the same for few requests. */
static bool find_two_of_few(const struct st_checked *checked, int64_t *first, int64_t *second)
{
    for (*second = 1; *second < checked->request_count; ++*second) {
        if (find_before(checked, *second, first)) {
            return true;
        }
    }
    return false;
}

static bool names_twice(const struct st_checked *checked, int64_t *first, int64_t *second)
{
    return checked->request_count <= FEW ? find_two_of_few(checked, first, second)
                                         : find_two(checked, first, second);
}

bool st_twice_is_named(const struct st_checked *checked)
{
    int64_t first, second;
    return names_twice(checked, &first, &second);
}

/* Returns true if the call completes one request at most: the other handle is then void, but MPI
 * has not used it. */
static bool completes_one(const struct st_form *form)
{
    return st_parameter_of(form, ST_ROLE_INDEX) >= 0;
}

static void check_array(struct st_checked *checked, int number)
{
    struct st_facts *facts = &checked->facts;
    int64_t first, second;
    char message[120];
    if (!names_twice(checked, &first, &second)) {
        return;
    }
    bool locked = st_lock();
    const struct st_record *record = find_only(&checked->requests[second]);
    const struct st_record copy = record ? *record : (struct st_record){0};
    st_unlock(locked);
    if (!record) {
        return;
    }
    snprintf(message, sizeof message, "names one request twice: '%s' %lld and %lld",
             facts->form->parameters[number].name, (long long)first, (long long)second);
    st_find(facts, &(struct st_found){
                       .check = ST_REQUEST_UNKNOWN,
                       .severity = completes_one(facts->form) ? ST_SEVERITY_WARNING : 0,
                       .parameter = number,
                       .message = message,
                       .advice = "name each request once; a copy of a request is void once the "
                                 "request was completed",
                       .made_call = st_form_table[copy.function]->name,
                       .made_site = copy.site});
}

/* MPI_Startall: in the order of its members (MPI-4.0, 3.9), so that the second one is active already. */
void st_twice_started(struct st_checked *checked, int number)
{
    struct st_facts *facts = &checked->facts;
    int64_t first, second;
    char message[120];
    if (st_found_at(facts, number) || !names_twice(checked, &first, &second)) {
        return;
    }
    bool locked = st_lock();
    const struct st_record *record = st_records_named(checked->requests[second].record);
    const bool is_known = is_only(record);
    const struct st_record copy = is_known ? *record : (struct st_record){0};
    st_unlock(locked);
    if (!is_known) {
        return;
    }
    snprintf(message, sizeof message, "starts one request twice: '%s' %lld and %lld",
             facts->form->parameters[number].name, (long long)first, (long long)second);
    st_find(facts, &(struct st_found){.check = ST_REQUEST_ACTIVE_START,
                                      .parameter = number,
                                      .message = message,
                                      .advice = "name each request once, or make another one",
                                      .made_call = st_form_table[copy.function]->name,
                                      .made_site = copy.site});
}

/* --- by two threads ------------------------------------------------------------------------- */

/* Requests that a thread waits for. A later one may replace an earlier one. Guarded by the lock. */
enum { LOG2_AWAITED = 8 };
static struct st_awaited {
    uint64_t serial; /* of the record; 0: empty */
    uint32_t thread; /* its number */
    uint32_t left;   /* as in struct st_thread_sight */
    uint64_t pc;
    uint16_t form;
} awaited[1 << LOG2_AWAITED];

static struct st_awaited *awaited_place(const struct st_record *record)
{
    return &awaited[record->number & ((1 << LOG2_AWAITED) - 1)];
}

/* MPI_Test of a single request may be called by several threads, as long as one completes it. */
static bool may_share(const struct st_form *form)
{
    return st_parameter_of(form, ST_ROLE_DONE) >= 0 && st_parameter_of(form, ST_ROLE_FLAG) >= 0;
}

struct st_sharing {
    struct st_awaited other;
    struct st_thread_sight sight;
    struct st_record record;
};

/* Returns true if the thread still is in the call, which is stored. */
static bool is_still_waiting(const struct st_awaited *other, struct st_thread_sight *sight)
{
    return st_thread_see(other->thread, sight) && sight->pc == other->pc &&
           sight->left == other->left;
}

/* This thread begins to wait for a request. Returns true if another one waits for it; stores the
 * call of that thread, and the record. */
static bool await(const struct st_checked *checked, const struct st_checked_request *request,
                  struct st_sharing *sharing)
{
    struct st_thread_sight here;
    bool is_shared = false;
    bool locked = st_lock();
    const struct st_record *record = find_only(request);
    if (record && st_thread_see(st_thread_here->number, &here)) {
        struct st_awaited *place = awaited_place(record);
        sharing->other = *place;
        sharing->record = *record;
        is_shared = place->serial == record->serial && place->thread != st_thread_here->number &&
                    is_still_waiting(place, &sharing->sight);
        if (!is_shared) {
            *place = (struct st_awaited){.serial = record->serial,
                                         .thread = here.number,
                                         .left = here.left,
                                         .pc = here.pc,
                                         .form = checked->facts.form->number};
        }
    }
    st_unlock(locked);
    return is_shared;
}

static void check_threads(struct st_checked *checked, int number)
{
    struct st_facts *facts = &checked->facts;
    struct st_sharing sharing;
    for (int64_t i = 0; i < checked->request_count && !st_found_at(facts, number); i++) {
        if (!await(checked, &checked->requests[i], &sharing)) {
            continue;
        }
        st_find(facts,
                &(struct st_found){.check = ST_REQUEST_UNKNOWN,
                                   .parameter = number,
                                   .message = "waits for a request that another thread waits for",
                                   .advice = "let one thread complete a request: for the other "
                                             "one it no longer exists",
                                   .other_call = st_form_table[sharing.other.form]->name,
                                   .other_site = st_concurrent_site(&sharing.sight),
                                   .made_call = st_form_table[sharing.record.function]->name,
                                   .made_site = sharing.record.site});
    }
}

/* --- one call ------------------------------------------------------------------------------- */

static bool has_threads(const struct st_form *form)
{
    return atomic_load_explicit(&st_lock_armed, memory_order_relaxed) && st_thread_here &&
           !(st_detours_now() & ST_DETOUR_THREADS) && !may_share(form) && !st_level_has_callbacks();
}

void st_twice_before(struct st_checked *checked, int number)
{
    check_array(checked, number);
    if (has_threads(checked->facts.form)) {
        check_threads(checked, number);
    }
}

void st_twice_after(const struct st_checked *checked)
{
    if (!has_threads(checked->facts.form)) {
        return;
    }
    bool locked = st_lock();
    for (int64_t i = 0; i < checked->request_count; i++) {
        const struct st_record_name *name = &checked->requests[i].record;
        struct st_awaited *place = &awaited[name->number & ((1 << LOG2_AWAITED) - 1)];
        if (place->serial == name->serial && place->thread == st_thread_here->number) {
            place->serial = 0;
        }
    }
    st_unlock(locked);
}
