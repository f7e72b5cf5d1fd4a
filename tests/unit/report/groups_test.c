/* What '--check' asks for (groups.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/groups.h"

static void lists(void **state)
{
    static const struct {
        const char *list;
        unsigned groups;
        bool right;
    } all[] = {
        {NULL, ST_GROUP_LOCAL, true},
        {"", ST_GROUP_LOCAL, true},
        {"none", 0, true},
        {"local", ST_GROUP_LOCAL, true},
        {"size", ST_GROUP_LOCAL | ST_GROUP_SIZE, true},
        {"local,size", ST_GROUP_LOCAL | ST_GROUP_SIZE, true},
        {"size,local,size", ST_GROUP_LOCAL | ST_GROUP_SIZE, true},
        {"none,size", ST_GROUP_LOCAL | ST_GROUP_SIZE, false},
        {"frob", ST_GROUP_LOCAL, false},
        {"sizes", ST_GROUP_LOCAL, false},
        {"siz", ST_GROUP_LOCAL, false},
        {"size,", ST_GROUP_LOCAL | ST_GROUP_SIZE, false},
        {",", ST_GROUP_LOCAL, false},
        {" size", ST_GROUP_LOCAL, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        unsigned groups = 99;
        assert_int_equal(st_groups_of(all[i].list, &groups), all[i].right);
        assert_int_equal(groups, all[i].groups);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
