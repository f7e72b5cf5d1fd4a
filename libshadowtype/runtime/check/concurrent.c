/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/concurrent.h"

#include <string.h>

#include "runtime/check/level.h"
#include "runtime/record/sites.h"
#include "runtime/report/finding.h"
#include "runtime/report/frames.h"

atomic_bool st_concurrent_on;

/* --- the other thread ---------------------------------------------------------------------- */

static const struct st_form *form_of(const char *line)
{
    const size_t length = strcspn(line, ":");
    size_t low = 0, high = st_form_count; /* they are sorted by name */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const char *name = st_form_table[middle]->name;
        const int order = strncmp(name, line, length);
        if (order == 0 && !name[length]) {
            return st_form_table[middle];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

/* Returns the collective call on the communicator that thread `number` is in; NULL if it is in
 * none. Calls that free the handle are not recognized: the handle is in a variable of that thread. */
static const struct st_form *find_other_call(uint32_t number, const struct st_comm *comm,
                                             struct st_thread_sight *sight)
{
    const struct st_form *form = st_thread_see(number, sight) ? form_of(sight->line) : NULL;
    if (!form || form->collective < 0 || form->parameters[form->collective].pointer) {
        return NULL;
    }
    const enum st_kind kind = comm->kind ? (enum st_kind)comm->kind : ST_KIND_COMM;
    return form->parameters[form->collective].kind == kind &&
                   st_thread_see_value(sight, form->collective) && sight->value == comm->handle
               ? form
               : NULL;
}

/* --- findings ------------------------------------------------------------------------------ */

uint32_t st_concurrent_site(const struct st_thread_sight *sight)
{
    if (sight->site != ST_NO_SITE) {
        return sight->site;
    }
    const struct st_site site = {.frames = {sight->pc}};
    bool locked = st_lock();
    uint32_t number = st_site_intern(site.frames);
    st_unlock(locked);
    return number;
}

static struct st_found found_of(const struct st_form *form, const struct st_form *other,
                                uint32_t other_site)
{
    const enum st_kind kind = form->parameters[form->collective].kind;
    return (struct st_found){
        .check = ST_COLLECTIVE_CONCURRENT,
        .parameter = form->collective,
        .message = kind == ST_KIND_WIN
                       ? "is in collective calls on one window with two threads at a time"
                   : kind == ST_KIND_FILE
                       ? "is in collective calls on one file with two threads at a time"
                       : "is in collective calls on one communicator with two threads at a time",
        .advice = kind == ST_KIND_COMM
                      ? "give each thread its own communicator (MPI_Comm_dup), or order the "
                        "threads' calls by a lock, in the same order in all ranks"
                      : "order the threads' calls by a lock, in the same order in all ranks",
        .other_call = other->name,
        .other_site = other_site,
    };
}

/* --- findings that wait -------------------------------------------------------------------- */

/* Calls that other threads were in when a thread began a call, in a program with callbacks. Changed
 * under the lock. */
enum { MOST_WAITING = 32 };
static struct st_waiting_finding {
    struct st_thread_sight sight;
    const struct st_form *form, *other;
    uint32_t site, other_site;
} waiting[MOST_WAITING];
static _Atomic uint32_t waiting_count;

static bool is_waiting(const struct st_waiting_finding *like)
{
    for (uint32_t i = 0; i < waiting_count; i++) {
        if (waiting[i].form == like->form && waiting[i].other == like->other &&
            waiting[i].site == like->site && waiting[i].other_site == like->other_site) {
            return true;
        }
    }
    return false;
}

static void add_waiting(const struct st_waiting_finding *finding)
{
    bool locked = st_lock();
    if (waiting_count < MOST_WAITING && !is_waiting(finding)) {
        waiting[waiting_count++] = *finding;
    }
    st_unlock(locked);
}

/* Removes a finding whose other call has ended. Returns false if there is none. */
static bool take_waiting(struct st_waiting_finding *finding, enum st_sight_end *end)
{
    bool found = false;
    bool locked = st_lock();
    for (uint32_t i = 0; i < waiting_count && !found; i++) {
        *end = st_thread_sight_end(&waiting[i].sight);
        found = *end != ST_SIGHT_RUNS;
        if (found) {
            *finding = waiting[i];
            waiting[i] = waiting[--waiting_count];
        }
    }
    st_unlock(locked);
    return found;
}

static void report_waiting(void)
{
    struct st_waiting_finding finding;
    enum st_sight_end end;
    while (atomic_load_explicit(&waiting_count, memory_order_relaxed) &&
           take_waiting(&finding, &end)) {
        struct st_found found = found_of(finding.form, finding.other, finding.other_site);
        found.parameter = -1;
        if (end == ST_SIGHT_RETURNED) {
            st_find_at(&found, finding.form->name, finding.site, 1);
        }
    }
}

/* --- one call ------------------------------------------------------------------------------ */

static void find_two(const struct st_form *form, const struct st_call *call, const uint64_t *values,
                     const struct st_form *other, const struct st_thread_sight *sight)
{
    const uint32_t other_site = st_concurrent_site(sight);
    if (st_level_has_callbacks()) {
        add_waiting(
            &(struct st_waiting_finding){*sight, form, other, st_site_number(call), other_site});
        return;
    }
    struct st_facts facts = {.form = form, .call = call, .values = values};
    const struct st_found found = found_of(form, other, other_site);
    st_find(&facts, &found);
}

void st_check_concurrent(const struct st_form *form, struct st_comm *comm,
                         const struct st_call *call, const uint64_t *values)
{
    const struct st_thread *here = st_thread_here;
    if (!here || st_detours_now() & ST_DETOUR_THREADS) {
        return;
    }
    report_waiting();
    /* If two threads begin at the same time, the later one finds the number of the other. */
    const uint32_t last = __atomic_exchange_n(&comm->caller, here->number, __ATOMIC_SEQ_CST);
    struct st_thread_sight sight;
    const struct st_form *other =
        last && last != here->number ? find_other_call(last, comm, &sight) : NULL;
    if (other) {
        find_two(form, call, values, other, &sight);
    }
}

void st_check_concurrent_quick(const struct st_form *form, struct st_comm *comm, const void *pc,
                               const void *sp, const uint64_t *values)
{
    const struct st_call call = {.pc = pc, .sp = sp, .caller = ST_CALLER_USER, .record = true};
    st_check_concurrent(form, comm, &call, values);
}

/* --- the run ------------------------------------------------------------------------------- */

void st_concurrent_begins(void)
{
    atomic_store(&st_concurrent_on, true);
}

void st_concurrent_ends(void)
{
    if (atomic_exchange(&st_concurrent_on, false)) {
        report_waiting();
    }
}

void st_concurrent_forget(void)
{
    atomic_store(&st_concurrent_on, false);
}
