/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/detour.h"

#include "runtime/check/level.h"
#include "runtime/check/outside.h"

static struct st_facts facts_of(const struct st_call *call, const struct st_form *form,
                                const uint64_t *values)
{
    return (struct st_facts){.form = form, .call = call, .values = values};
}

void st_check_detour(const struct st_call *call, const struct st_form *form, const uint64_t *values)
{
    struct st_facts facts = facts_of(call, form, values);
    if (st_detours_now() & ST_DETOUR_OUTSIDE) {
        st_check_outside(&facts);
    } else if (st_detours_now() & ST_DETOUR_THREADS) {
        st_check_level(&facts);
    }
}

void st_check_detour_after(const struct st_call *call, const struct st_form *form,
                           const uint64_t *values)
{
    struct st_facts facts = facts_of(call, form, values);
    if (st_detours_now() & ST_DETOUR_THREADS) {
        st_check_level_after(&facts);
    }
}
