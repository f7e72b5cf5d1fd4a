/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/level.h"

#include <string.h>

#include "runtime/check/check.h"
#include "runtime/report/finding.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/inside.h"
#include "runtime/record/lock.h"
#include "runtime/wrap/mpi_side.h"
#include "runtime/record/sites.h"
#include "runtime/wrap/threads.h"

static atomic_int level = MPI_THREAD_MULTIPLE; /* until the level is known */
static _Atomic uint32_t threads;               /* number of threads that have called MPI */
static atomic_bool has_sessions;
static atomic_bool has_callbacks;

void st_level_callbacks(void)
{
    atomic_store_explicit(&has_callbacks, true, memory_order_relaxed);
}

bool st_level_has_callbacks(void)
{
    return atomic_load(&has_callbacks);
}

/* --- whose thread -------------------------------------------------------------------------- */

enum st_whose { ST_WHOSE_UNKNOWN, ST_WHOSE_MAIN, ST_WHOSE_OTHER, ST_WHOSE_MPI };
static _Thread_local enum st_whose whose __attribute__((tls_model("initial-exec")));

static bool is_main(void)
{
    typedef int question(int *);
    question *ask = (question *)st_mpi_function("PMPI_Is_thread_main");
    int yes = 1;
    return !ask || ask(&yes) != MPI_SUCCESS || yes;
}

/* Decided at the first call that is checked. A thread of MPI itself comes here from a callback. */
static enum st_whose this_thread(void)
{
    if (whose == ST_WHOSE_UNKNOWN) {
        whose = is_main() ? ST_WHOSE_MAIN : st_is_inside_mpi() ? ST_WHOSE_MPI : ST_WHOSE_OTHER;
    }
    return whose;
}

/* --- when to check ------------------------------------------------------------------------- */

static bool is_limited(void)
{
    return atomic_load(&level) != MPI_THREAD_MULTIPLE && !atomic_load(&has_sessions) &&
           atomic_load(&st_check_on);
}

static void look_if_needed(void)
{
    if (is_limited() && (atomic_load(&threads) > 1 || !is_main())) {
        atomic_fetch_or(&st_detours, ST_DETOUR_THREADS);
    }
}

void st_level_begins(void)
{
    typedef int question(int *);
    question *ask = (question *)st_mpi_function("PMPI_Query_thread");
    int provided;
    if (!ask || ask(&provided) != MPI_SUCCESS) {
        return;
    }
    atomic_store(&level, provided);
    look_if_needed();
}

void st_level_session(void)
{
    atomic_store(&has_sessions, true);
    atomic_fetch_and(&st_detours, ~(uint32_t)ST_DETOUR_THREADS);
}

void st_level_thread(uint32_t count)
{
    atomic_store(&threads, count);
    look_if_needed();
}

/* --- one call ------------------------------------------------------------------------------ */

static void find_other_thread(struct st_facts *facts, bool funneled)
{
    st_find(facts,
            &(struct st_found){
                .check = ST_THREAD_LEVEL,
                .parameter = -1,
                .message = funneled ? "calls MPI from a thread that is not the main thread, "
                                      "with MPI_THREAD_FUNNELED"
                                    : "calls MPI from a thread that is not the main thread, "
                                      "with MPI_THREAD_SINGLE",
                .advice = "only the thread that called MPI_Init may call MPI here; for more, "
                          "ask MPI_Init_thread for MPI_THREAD_MULTIPLE, and look at what it "
                          "provides",
            });
}

/* Returns a call as one number: its form and its call site. */
static uint64_t note_of(const struct st_facts *facts)
{
    struct st_site site;
    st_site_of_call(facts->call, &site);
    bool locked = st_lock();
    uint32_t number = st_site_intern(site.frames);
    st_unlock(locked);
    return (uint64_t)(facts->form->number + 1u) << 32 | number;
}

static struct st_found two_at_a_time(const char *other_call, uint32_t other_site)
{
    return (struct st_found){
        .check = ST_THREAD_LEVEL,
        .parameter = -1,
        .message = "is in MPI with two threads at a time, with MPI_THREAD_SERIALIZED",
        .advice = "let a lock keep the threads' calls apart; or ask MPI_Init_thread for "
                  "MPI_THREAD_MULTIPLE, and look at what it provides",
        .other_call = other_call,
        .other_site = other_site,
    };
}

static void find_two(struct st_facts *facts, uint64_t note)
{
    const struct st_found found =
        two_at_a_time(st_form_table[(note >> 32) - 1]->name, (uint32_t)note);
    st_find(facts, &found);
}

static const struct st_form *form_at(uint32_t line)
{
    const char *name = st_forms + line;
    size_t length = strcspn(name, ":");
    for (uint16_t i = 0; i < st_form_count; i++) {
        if (strncmp(st_form_table[i]->name, name, length) == 0 && !st_form_table[i]->name[length]) {
            return st_form_table[i];
        }
    }
    return NULL;
}

static uint32_t site_at(uint64_t pc)
{
    const struct st_site site = {.frames = {pc}};
    bool locked = st_lock();
    uint32_t number = st_site_intern(site.frames);
    st_unlock(locked);
    return number;
}

/* The previous call of this thread ran at the same time as another thread's. */
static void find_noted(const struct st_noted_call *noted)
{
    const struct st_form *form = form_at(noted->form);
    if (!form || form->is_anywhere) {
        return;
    }
    const struct st_form *other = st_form_table[(noted->note >> 32) - 1];
    const struct st_found found = two_at_a_time(form->name, site_at(noted->pc));
    st_find_at(&found, other->name, (uint32_t)noted->note, 1);
}

static void look_at_others(struct st_facts *facts)
{
    struct st_thread_call other;
    if (!st_threads_other(&other)) {
        return;
    }
    const struct st_form *form = form_at(other.form);
    if (!form || form->is_anywhere) {
        return;
    }
    if (atomic_load(&has_callbacks)) {
        st_threads_leave_note(note_of(facts));
        return;
    }
    const struct st_found found = two_at_a_time(form->name, site_at(other.pc));
    st_find(facts, &found);
}

void st_check_level(struct st_facts *facts)
{
    int provided = atomic_load_explicit(&level, memory_order_relaxed);
    enum st_whose owner = this_thread();
    if (owner == ST_WHOSE_MPI) {
        return;
    }
    if (provided == MPI_THREAD_SERIALIZED) {
        const struct st_noted_call noted = st_thread_take_noted();
        if (noted.note) {
            find_noted(&noted);
        }
        look_at_others(facts);
    } else if (owner != ST_WHOSE_MAIN) {
        find_other_thread(facts, provided == MPI_THREAD_FUNNELED);
    }
}

void st_check_level_after(struct st_facts *facts)
{
    if (atomic_load_explicit(&level, memory_order_relaxed) != MPI_THREAD_SERIALIZED ||
        this_thread() == ST_WHOSE_MPI) {
        return;
    }
    uint64_t note = st_thread_take_note();
    if (note) {
        find_two(facts, note);
    }
}
