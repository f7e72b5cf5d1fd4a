/* SPDX-License-Identifier: BSD-3-Clause */
/* The handles of messages that MPI_Mprobe and MPI_Improbe return: each is received once. A copy of a
 * handle that was received is handle-freed. */
#include "runtime/check/checks.h"
#include "runtime/objects/alive.h"
#include "runtime/objects/graves.h"
#include "runtime/objects/operations.h"
#include "runtime/record/sites.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/constants.h"

/* Returns the parameter that points to a message; -1 if no parameter does. */
static int message_of(const struct st_form *form)
{
    for (int i = 0; i < form->parameter_count; i++) {
        if (form->parameters[i].kind == ST_KIND_MESSAGE && form->parameters[i].pointer) {
            return i;
        }
    }
    return -1;
}

static bool receives(const struct st_form *form, int number)
{
    return form->parameters[number].role == ST_ROLE_MESSAGE;
}

bool st_has_message(const struct st_form *form)
{
    const int number = message_of(form);
    return number >= 0 && (receives(form, number) || st_parameter_of(form, ST_ROLE_SOURCE) >= 0);
}

static bool is_constant(uint64_t handle)
{
    return handle == st_numbers.null[ST_KIND_MESSAGE] || handle == st_numbers.message_no_proc;
}

void st_check_message(struct st_checked *checked)
{
    struct st_facts *facts = &checked->facts;
    const int number = message_of(facts->form);
    checked->taken_handle = 0;
    if (!facts->values[number] || !receives(facts->form, number)) {
        return;
    }
    const uint64_t handle = st_handle_at(facts, number, 0);
    if (is_constant(handle) || st_found_at(facts, number)) {
        return;
    }
    st_find_dead(facts, number, handle, ST_PASSES);
    bool locked = st_lock();
    checked->taken = st_records_name(st_records_find(ST_KIND_MESSAGE, handle, 0));
    st_unlock(locked);
}

/* The call has received the message, or has failed: then it may have lost it, although MPICH leaves
 * the handle as it was. */
static void take_message(const struct st_checked *checked, uint64_t now, bool succeeded)
{
    const bool is_gone = now == st_numbers.null[ST_KIND_MESSAGE];
    if (!is_gone && succeeded) {
        return;
    }
    const uint32_t site = st_site_number(checked->facts.call);
    bool locked = st_operations_lock();
    struct st_record *record = st_records_named(checked->taken);
    if (record && is_gone) {
        st_graves_bury(record, checked->facts.form->number, site);
    }
    if (record) {
        st_records_remove(record);
    }
    st_operations_unlock(locked);
}

static void keep_message(const struct st_facts *facts, uint64_t handle)
{
    if (is_constant(handle)) {
        return;
    }
    const uint32_t site = st_site_number(facts->call);
    bool locked = st_operations_lock();
    st_records_add(&(struct st_record){.kind = ST_KIND_MESSAGE,
                                       .handle = handle,
                                       .site = site,
                                       .other_site = ST_NO_SITE,
                                       .function = facts->form->number});
    st_operations_unlock(locked);
}

/* MPI_Improbe returns a message only if its flag is true. */
static bool has_probed(const struct st_facts *facts)
{
    for (int i = 0; i < facts->form->parameter_count; i++) {
        if (facts->form->parameters[i].pointer && facts->form->parameters[i].kind == ST_KIND_NONE &&
            facts->form->parameters[i].role == ST_ROLE_NONE) {
            return facts->values[i] && st_number_at(facts, i, 0);
        }
    }
    return true;
}

void st_check_message_after(struct st_checked *checked, bool succeeded)
{
    const struct st_facts *facts = &checked->facts;
    const int number = message_of(facts->form);
    if (!facts->values[number]) {
        return;
    }
    const uint64_t handle = st_handle_at(facts, number, 0);
    if (receives(facts->form, number)) {
        take_message(checked, handle, succeeded);
    } else if (succeeded && has_probed(facts)) {
        keep_message(facts, handle);
    }
}
