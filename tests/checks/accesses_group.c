/*
 * A group of checks that notes the findings of each one-sided call that it sees. With QUICK it leaves the quick path on
 * (runtime/check/quick_access.c) and sees only the other calls; without, it sees all.
 */
#include "checks/accesses.h"
#include "runtime/check/check_groups.h"

struct accesses accesses;

static bool wants_accesses(const struct st_form *form)
{
    return form->there >= 0;
}

static void after(struct st_checked *checked, bool succeeded)
{
    (void)succeeded;
    accesses.seen++;
    accesses.found = checked->facts.found;
}

const struct st_check_group shadowtype_more_checks = {
    .name = "accesses", .quick = QUICK, .wants = wants_accesses, .after = after};
