/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/check_groups.h"

#include <stdatomic.h>

#include "runtime/wrap/function.h"

/* Bit sets by index in st_check_table; shadowtype_more_checks comes after its rows. */
static uint32_t on;          /* the groups that are on */
static uint32_t with_before; /* of these, the groups that have before(), after() and completed() */
static uint32_t with_after;
uint32_t st_check_with_completed;
static uint32_t
    unquick; /* of these, the groups that must see every call of their functions, except those of
                sees_quick() */

bool st_form_has_kind(const struct st_form *form, enum st_role role, enum st_kind kind)
{
    for (int i = 0; i < form->parameter_count; i++) {
        if (form->parameters[i].role == role && form->parameters[i].kind == kind) {
            return true;
        }
    }
    return false;
}

bool st_form_has_buffers(const struct st_form *form)
{
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].access) {
            return true;
        }
    }
    return false;
}

/* --- which groups are on ------------------------------------------------------------------- */

/* Returns the group of the lowest bit. */
static const struct st_check_group *first_of(uint32_t groups)
{
    const uint32_t i = (uint32_t)__builtin_ctz(groups);
    return i < st_check_table_count ? &st_check_table[i] : &shadowtype_more_checks;
}

static void turn_on(unsigned asked)
{
    const uint32_t count = st_check_table_count + (&shadowtype_more_checks != NULL);
    for (uint32_t i = 0; i < count; i++) {
        const struct st_check_group *group = first_of(UINT32_C(1) << i);
        uint32_t bit = UINT32_C(1) << i;
        if (group->asked && !(group->asked & asked)) {
            continue;
        }
        on |= bit;
        with_before |= group->before ? bit : 0;
        with_after |= group->after ? bit : 0;
        st_check_with_completed |= group->completed ? bit : 0;
        unquick |= group->quick ? 0 : bit;
    }
}

static uint32_t groups_of(const struct st_form *form)
{
    uint32_t groups = 0;
    for (uint32_t left = on; left; left &= left - 1) {
        const struct st_check_group *group = first_of(left);
        if (group->wants && group->wants(form)) {
            groups |= left & -left;
        }
    }
    return groups;
}

void st_check_groups_begin(unsigned asked)
{
    turn_on(asked);
    for (uint16_t i = 0; i < st_form_count; i++) {
        st_form_groups[i] = groups_of(st_form_table[i]);
    }
    for (uint32_t left = on; left; left &= left - 1) {
        if (first_of(left)->begin) {
            first_of(left)->begin();
        }
    }
}

/* Returns true if a group that is on must see all calls of a function. */
static bool is_unquick(uint16_t form)
{
    for (uint32_t left = st_form_groups[form] & unquick; left; left &= left - 1) {
        const struct st_check_group *group = first_of(left);
        if (!group->sees_quick || !group->sees_quick(st_form_table[form])) {
            return true;
        }
    }
    return false;
}

void st_check_switch(bool is_on)
{
    for (uint16_t i = 0; i < st_form_count; i++) {
        const uint8_t checks = is_unquick(i) ? ST_CHECKS_ALL : ST_CHECKS_QUICK;
        atomic_store_explicit(&st_form_functions[i]->checks, is_on ? checks : ST_CHECKS_OFF,
                              memory_order_release);
    }
}

/* --- a call -------------------------------------------------------------------------------- */

void st_check_groups_before(struct st_checked *checked)
{
    uint32_t left = st_form_groups[checked->facts.form->number] & with_before;
    for (; left; left &= left - 1) {
        first_of(left)->before(checked);
    }
}

void st_check_groups_after(struct st_checked *checked, bool succeeded)
{
    uint32_t left = st_form_groups[checked->facts.form->number] & with_after;
    for (; left; left &= left - 1) {
        first_of(left)->after(checked, succeeded);
    }
}

struct st_record *st_check_call_completed(struct st_facts *facts, int parameter, int64_t member,
                                          struct st_record *record, bool *locked)
{
    for (uint32_t left = st_check_with_completed; left && record; left &= left - 1) {
        record = first_of(left)->completed(facts, parameter, member, record, locked);
    }
    return record;
}

void st_check_groups_end(void)
{
    for (uint32_t left = on; left; left &= left - 1) {
        if (first_of(left)->end) {
            first_of(left)->end();
        }
    }
}
