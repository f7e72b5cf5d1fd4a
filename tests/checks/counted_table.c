/* The table of groups with one row more: a group that wants every function, and counts. */
#include <string.h>

#include "checks/counted.h"
#include "runtime/check/check_groups.h"

__attribute__((visibility("default"))) struct counted shadowtype_counted;

static bool wants_all(const struct st_form *form)
{
    (void)form;
    return true;
}

static void before(struct st_checked *checked)
{
    const char *wanted = shadowtype_counted.wanted;
    if (wanted && strcmp(wanted, checked->facts.form->name) != 0)
        return;
    shadowtype_counted.before++;
    if (wanted)
        siglongjmp(shadowtype_counted.leave, 1);
}

static void after(struct st_checked *checked, bool succeeded)
{
    (void)checked;
    shadowtype_counted.after += succeeded;
}

static struct st_record *completed(struct st_facts *facts, int parameter, int64_t member,
                                   struct st_record *record, bool *locked)
{
    (void)facts;
    (void)parameter;
    (void)member;
    (void)locked;
    shadowtype_counted.completed++;
    return record;
}

#define ST_MORE_GROUPS                                                                             \
    {.name = "counted",                                                                            \
     .wants = wants_all,                                                                           \
     .before = before,                                                                             \
     .after = after,                                                                               \
     .completed = completed},
#include "runtime/check/check_table.c"
