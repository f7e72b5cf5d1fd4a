/* A group of checks that wants every function, and counts: shadowtype_more_checks (runtime/check/check_groups.h). */
#include <string.h>

#include "checks/counted.h"
#include "runtime/check/check_groups.h"

struct counted counted;

static bool wants_all(const struct st_form *form)
{
    (void)form;
    return true;
}

static void before(struct st_checked *checked)
{
    const char *wanted = counted.wanted;
    if (wanted && strcmp(wanted, checked->facts.form->name) != 0)
        return;
    counted.before++;
    if (wanted)
        siglongjmp(counted.leave, 1);
}

static void after(struct st_checked *checked, bool succeeded)
{
    (void)checked;
    counted.after += succeeded;
}

static struct st_record *completed(struct st_facts *facts, int parameter, int64_t member,
                                   struct st_record *record, bool *locked)
{
    (void)facts;
    (void)parameter;
    (void)member;
    (void)locked;
    counted.completed++;
    return record;
}

const struct st_check_group shadowtype_more_checks = {.name = "counted",
                                                      .wants = wants_all,
                                                      .before = before,
                                                      .after = after,
                                                      .completed = completed};
