/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The quick path of one-sided calls with one buffer of their own: MPI_Put, MPI_Get, MPI_Accumulate. If
 * nothing can be wrong with the arguments, and the window is in an epoch with this target, only the
 * buffer is compared before the call, and recorded after it.
 */
#include "runtime/check/checks.h"
#include "runtime/check/epoch_operations.h"
#include "runtime/check/gone.h"
#include "runtime/check/local/size.h"
#include "runtime/check/onesided.h"
#include "runtime/check/quick.h"
#include "runtime/check/quick_buffer.h"
#include "runtime/objects/memory.h"
#include "runtime/objects/operations.h"
#include "runtime/objects/seals.h"
#include "runtime/objects/win_epochs.h"
#include "runtime/report/frames.h"

/* Returns true if the same elements are named on both sides, and a type that is written there names no byte twice. */
static bool is_data_right(const struct st_facts *facts)
{
    const struct st_part *own = &facts->form->parts[0], *there = &facts->form->parts[1];
    const void *buffer = (const void *)(uintptr_t)facts->values[own->buffer];
    const int64_t count = (int64_t)facts->values[own->count];
    const uint64_t type = facts->values[own->type];
    if (count <= 0 || facts->values[there->count] != (uint64_t)count ||
        facts->values[there->type] != type || !st_quick_data(buffer, count, type, own->access)) {
        return false;
    }
    if (st_quick_type(type)) {
        return true;
    }
    const struct st_quick_derived *known = st_quick_derived(type);
    return known && !known->shape->overlaps_at;
}

static bool is_operation_right(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    return form->op < 0 || st_quick_is_right(st_quick_pair(
                               facts->values[form->op], facts->values[form->parts[0].type], true));
}

/* Returns true if the window is in an epoch with this target, and the call does not change that. */
static bool is_epoch_right(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    const int64_t target = (int64_t)facts->values[form->target];
    const struct st_comm *window = st_win_epochs_window(facts->values[form->win]);
    return window && target >= 0 && target < window->group.size &&
           (int64_t)facts->values[form->there] >= 0 && st_win_epochs_reach(window, target, false) &&
           !st_win_epochs_is_first(window, facts);
}

/* Returns true if what is accessed at the target is right, or is not looked at. */
static bool is_memory_right(struct st_checked *checked)
{
    return st_onesided_is_on() ? st_onesided_is_quick(checked) : !st_window_on;
}

bool st_quick_access_before(struct st_checked *checked, const struct st_form *form,
                            const struct st_call *call, const uint64_t *values)
{
    struct st_facts *facts = &checked->facts;
    st_facts_begin(facts, form, call, values);
    if (st_size_on || st_seals_on || !is_data_right(facts) || !is_operation_right(facts) ||
        !is_epoch_right(facts) || !st_quick_buffer_put(checked) || !is_memory_right(checked)) {
        return false;
    }
    st_buffers_left(call->sp);
    st_check_gone(facts);
    st_quick_buffer_compare(checked);
    if (st_onesided_is_on()) {
        st_onesided_access_before(checked);
    }
    return true;
}

static void add_access(const struct st_checked *checked, uint32_t site)
{
    const struct st_facts *facts = &checked->facts;
    const struct st_form *form = facts->form;
    const uint64_t window = facts->values[form->win], target = facts->values[form->target];
    struct st_record *record;
    if (st_epoch_has_same(window, target, form->number, site, &checked->published) ||
        !st_epoch_has_room() || !(record = st_records_new())) {
        return;
    }
    record->handle = record->comm = window;
    record->variable = target;
    record->site = site;
    record->other_site = ST_NO_SITE;
    record->peer = (int32_t)target;
    record->tag = ST_PEER_NONE;
    record->thread = st_operations_thread();
    record->order = 0;
    st_pending_passed(facts->call);
    record->buffers = st_pending_take_one(&checked->bytes, &checked->published);
    record->function = form->number;
    record->kind = ST_KIND_OPERATION;
    record->flags = ST_RECORD_ACTIVE;
    st_records_publish(record);
    st_pending_start(record);
    st_epoch_begins_operation(record);
}

void st_quick_access_after(struct st_checked *checked, bool succeeded)
{
    if (st_onesided_is_on() && !succeeded) {
        st_onesided_after(checked, false);
    }
    if (!succeeded) {
        return;
    }
    const uint32_t site = st_site_number(checked->facts.call);
    bool locked = st_operations_lock();
    add_access(checked, site);
    st_operations_unlock(locked);
}
