/* SPDX-License-Identifier: BSD-3-Clause */
/* The group `rma` on the quick path of one-sided calls (quick_access.c): there is no other thread. */
#include "runtime/check/onesided.h"
#include "runtime/ranks/accesses.h"
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/owner.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/win_memory.h"

bool st_onesided_is_on(void)
{
    return st_clocks_are_on();
}

/* The memory that was looked up last. */
static struct st_quick_target {
    uint64_t handle, rank;
    struct st_win_memory *window; /* NULL: none */
    int64_t bytes, unit;
} known_target;

void st_onesided_forget_quick(void)
{
    known_target.window = NULL;
    st_access_forget_last();
}

/* Returns NULL if the memory of the window or of the target is not known. */
static const struct st_quick_target *find_target(const struct st_facts *facts)
{
    const uint64_t handle = facts->values[facts->form->win];
    const uint64_t rank = facts->values[facts->form->target];
    struct st_quick_target *target = &known_target;
    if (target->window && target->handle == handle && target->rank == rank) {
        return target;
    }
    target->window = st_win_memory_of(handle);
    target->handle = handle;
    target->rank = rank;
    if (!st_win_memory_extent_of(target->window, (int64_t)rank, &target->bytes, &target->unit)) {
        target->window = NULL;
    }
    return target->window ? target : NULL;
}

/* What the call accesses at its target has the form of its own buffer. */
static bool is_within(const struct st_checked *checked, const struct st_quick_target *target)
{
    const struct st_facts *facts = &checked->facts;
    const struct st_form *form = facts->form;
    const uint64_t own = facts->values[form->parts[0].buffer];
    int64_t from, to;
    return !__builtin_mul_overflow((int64_t)facts->values[form->there], target->unit, &from) &&
           !__builtin_add_overflow(from, (int64_t)(checked->bytes.first - own), &from) &&
           !__builtin_add_overflow(from, (int64_t)checked->bytes.span, &to) && from >= 0 &&
           to <= target->bytes;
}

bool st_onesided_is_quick(struct st_checked *checked)
{
    const struct st_facts *facts = &checked->facts;
    const uint64_t first = checked->bytes.first;
    const struct st_quick_target *target = find_target(facts);
    checked->window = target ? target->window : NULL;
    return target && !st_win_memory_at(first, first + checked->bytes.span - 1) &&
           is_within(checked, target);
}

void st_onesided_access_before(struct st_checked *checked)
{
    const struct st_facts *facts = &checked->facts;
    struct st_win_memory *window = checked->window;
    checked->own_access = 0;
    checked->entered = NULL;
    checked->window_id = window->id;
    st_clocks_last_message = 0;
    st_owner_listen();
    checked->access = st_access_leave(facts, window, st_place_of_call(facts->call));
    st_owner_passes(checked->access);
}
