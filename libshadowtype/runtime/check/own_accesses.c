/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/own_accesses.h"

#include "runtime/ranks/owner.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/win_memory.h"
#include "runtime/check/check_groups.h"

/* Maps the record of a request or operation to its access. */
enum { LOG2_USES = 10 };
static struct st_own_use {
    uint64_t serial, number;
} own_uses[1 << LOG2_USES];

bool st_own_access_wants(const struct st_form *form)
{
    return st_win_memory_is_any() && st_form_has_buffers(form) &&
           st_parameter_of(form, ST_ROLE_NEW_PERSISTENT) < 0;
}

static void keep_use(uint64_t serial, uint64_t number)
{
    struct st_own_use *place = &own_uses[serial & ((1u << LOG2_USES) - 1)];
    if (place->number) {
        st_owner_used(place->number);
    }
    *place = (struct st_own_use){serial, number};
}

void st_own_access_begin(struct st_checked *checked, const struct st_uses *uses)
{
    const struct st_form *form = checked->facts.form;
    const uint32_t place = st_place_of_call(checked->facts.call);
    if (form->lasts != ST_LASTS_CALL) {
        checked->own_access = st_owner_uses(uses, ST_READ | ST_WRITE, form->number, place);
        return;
    }
    const uint64_t read = st_owner_uses(uses, ST_READ, form->number, place);
    if (read) {
        st_owner_used(read);
    }
    checked->own_access = st_owner_uses(uses, ST_WRITE, form->number, place);
}

void st_own_access_end(const struct st_checked *checked, bool succeeded)
{
    const struct st_facts *facts = &checked->facts;
    const struct st_form *form = facts->form;
    const int request = st_parameter_of(form, ST_ROLE_NEW_REQUEST);
    const struct st_record *record = NULL;
    if (!checked->own_access) {
        return;
    }
    if (succeeded && request >= 0) {
        record = st_records_find(ST_KIND_REQUEST, st_handle_at(facts, request, 0),
                                 facts->values[request]);
    } else if (succeeded && form->lasts == ST_LASTS_EPOCH) {
        record = st_records_find(ST_KIND_OPERATION, facts->values[form->win],
                                 facts->values[form->target]);
    }
    if (record) {
        keep_use(record->serial, checked->own_access);
    } else {
        st_owner_used(checked->own_access);
    }
}

void st_own_access_completed(uint64_t serial)
{
    struct st_own_use *place = &own_uses[serial & ((1u << LOG2_USES) - 1)];
    if (place->serial != serial || !place->number) {
        return;
    }
    st_owner_used(place->number);
    place->number = 0;
}
