/*
 * A group of checks that notes the findings of each call that it sees: one-sided calls (accesses.c), collective calls
 * with an array of counts (arrays.c), and calls that complete requests (completions.c). With QUICK it leaves the quick path on (runtime/check/quick.h) and sees only
 * the other calls; without, it sees all.
 */
#include "checks/quick.h"
#include "runtime/check/check_groups.h"

struct quick quick;

static bool wants_call(const struct st_form *form)
{
    return form->there >= 0 || ST_FORM_HAS(form, ST_ROLE_DONE, ST_ROLE_DONES) ||
           (form->part_count == 2 && form->parts[0].counts + form->parts[1].counts);
}

static void after(struct st_checked *checked, bool succeeded)
{
    (void)succeeded;
    quick.seen++;
    quick.found = checked->facts.found;
}

const struct st_check_group shadowtype_more_checks = {
    .name = "random calls", .quick = QUICK, .wants = wants_call, .after = after};
