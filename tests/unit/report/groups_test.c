/* What '--check' asks for (groups.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/groups.h"

static void lists(void **state)
{
    enum { BOTH = ST_GROUP_LOCAL | ST_GROUP_COLLECTIVE };
    static const struct {
        const char *list;
        unsigned groups;
        bool right;
    } all[] = {
        {NULL, BOTH, true},
        {"", BOTH, true},
        {"none", 0, true},
        {"local", ST_GROUP_LOCAL, true},
        {"size", BOTH | ST_GROUP_SIZE, true},
        {"collective", BOTH, true},
        {"collective,local", BOTH, true},
        {"size,collective", BOTH | ST_GROUP_SIZE, true},
        {"p2p", BOTH | ST_GROUP_P2P, true},
        {"local,p2p", ST_GROUP_LOCAL | ST_GROUP_P2P, true},
        {"rma", BOTH | ST_GROUP_P2P | ST_GROUP_RMA, true},
        {"local,rma", BOTH | ST_GROUP_P2P | ST_GROUP_RMA, true},
        {"race", BOTH | ST_GROUP_P2P | ST_GROUP_RACE, true},
        {"local,race,rma", BOTH | ST_GROUP_P2P | ST_GROUP_RMA | ST_GROUP_RACE, true},
        {"local,size", ST_GROUP_LOCAL | ST_GROUP_SIZE, true},
        {"size,local,size", ST_GROUP_LOCAL | ST_GROUP_SIZE, true},
        {"none,size", BOTH | ST_GROUP_SIZE, false},
        {"frob", BOTH, false},
        {"sizes", BOTH, false},
        {"siz", BOTH, false},
        {"size,", BOTH | ST_GROUP_SIZE, false},
        {",", BOTH, false},
        {" size", BOTH, false},
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
