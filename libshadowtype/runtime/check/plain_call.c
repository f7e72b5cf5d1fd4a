/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/plain_call.h"

#include <string.h>

#include "runtime/check/concurrent.h"
#include "runtime/check/detour.h"
#include "runtime/check/fatal.h"
#include "runtime/objects/collectives.h"
#include "runtime/objects/gatherings.h"
#include "runtime/ranks/collective.h"
#include "runtime/ranks/partners.h"
#include "runtime/wrap/threads.h"

/* Makes the call visible to a debugger. */
static void show_call(struct st_plain_call *plain, const void *pc, const void *sp)
{
    plain->shown = plain->call.record ? st_thread_call_begin(sp) : NULL;
    if (plain->shown) {
        memcpy(plain->shown->values, plain->values,
               plain->form->parameter_count * sizeof *plain->values);
        st_thread_call_through(plain->shown, &plain->call);
        st_thread_call_runs(plain->shown, plain->form->line, st_thread_call_site(&plain->call), pc,
                            sp);
    }
}

/* Counts a collective call. Returns what it is counted on: a communicator, window or file; NULL if
 * that is not known. */
static struct st_comm *count_call(const struct st_plain_call *plain)
{
    const int number = plain->form->collective;
    uint64_t handle = plain->values[number];
    if (plain->form->parameters[number].pointer && handle) {
        const struct st_facts facts = {.form = plain->form, .values = plain->values};
        handle = st_handle_at(&facts, number, 0);
    }
    return st_collective_begins(handle);
}

static void check_call(struct st_plain_call *plain)
{
    plain->checked.facts.found = 0;
    plain->checked.statuses = NULL;
    plain->is_checked =
        st_check_wanted(&plain->call, st_form_functions[plain->form->number]) != ST_CHECKS_OFF;
    if (plain->is_checked) {
        st_check_before(&plain->checked, plain->form, &plain->call, plain->values);
    }
}

/* Compares the call with those of other threads and ranks. */
static void compare_call(const struct st_plain_call *plain, struct st_comm *counted)
{
    const struct st_form *form = plain->form;
    const uint32_t found = plain->checked.facts.found;
    if (form->collective >= 0) {
        if (st_concurrent_is_wanted(counted)) {
            st_check_concurrent(form, counted, &plain->call, plain->values);
        }
        if (st_collective_is_compared(counted)) {
            st_collective_compared(form, counted, &plain->call, plain->values, found);
        }
    }
    if (form->identity == ST_IDENTITY_MEMBERS || form->identity == ST_IDENTITY_PAIR) {
        st_gathering_begins(form, &plain->call, plain->values, found);
        st_partners_compared(form, &plain->call, plain->values, found);
    }
}

/* Whether the call may be wrong by its time or its thread. */
static bool is_detoured(const struct st_plain_call *plain)
{
    return st_detour_wanted(&plain->call) && !plain->form->is_anywhere;
}

void *st_plain_call_begin(struct st_plain_call *plain, const struct st_form *form,
                          enum st_entry entry, const void *pc, const void *sp,
                          const uint64_t *values)
{
    void *next = st_call_begin(&plain->call, st_form_functions[form->number], entry, pc, sp);
    if (!next) {
        return NULL;
    }
    plain->form = form;
    plain->values = values;
    show_call(plain, pc, sp);
    if (is_detoured(plain)) {
        st_check_detour(&plain->call, form, values);
    }
    struct st_comm *counted =
        plain->call.record && form->collective >= 0 ? count_call(plain) : NULL;
    check_call(plain);
    if (plain->call.record) {
        compare_call(plain, counted);
    }
    return next;
}

int st_plain_call_end(struct st_plain_call *plain, int result)
{
    st_call_end(&plain->call);
    if (plain->shown && __builtin_expect(result != 0, 0)) {
        st_fatal_refused(plain->shown, result);
    }
    if (plain->is_checked) {
        st_check_after(&plain->checked, result == 0);
    }
    if (is_detoured(plain)) {
        st_check_detour_after(&plain->call, plain->form, plain->values);
    }
    if (plain->shown) {
        st_thread_call_returned(plain->shown, result);
    }
    return result;
}
