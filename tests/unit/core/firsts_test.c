/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls to which a rank of a node came first (core/agree/firsts.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/agree/firsts.h"

static struct st_collective call_of(uint64_t number)
{
    return (struct st_collective){.comm = 5, .number = number, .length = (int64_t)(3 * number)};
}

static void test_in_order(void **state)
{
    struct st_firsts *firsts = test_calloc(1, sizeof *firsts);
    struct st_collective call;
    (void)state;
    assert_int_equal(st_firsts_read(firsts, 1, &call), ST_FIRST_NOT_YET);
    for (uint64_t n = 1; n <= 10; n++) {
        call = call_of(n);
        st_firsts_add(firsts, &call);
    }
    assert_int_equal(firsts->count, 10);
    for (uint64_t n = 1; n <= 10; n++) {
        assert_int_equal(st_firsts_read(firsts, n, &call), ST_FIRST_THERE);
        assert_int_equal(call.number, n);
        assert_int_equal(call.length, 3 * n);
    }
    assert_int_equal(st_firsts_read(firsts, 11, &call), ST_FIRST_NOT_YET);
    assert_true(st_firsts_find(firsts, 5, 7, &call));
    assert_int_equal(call.length, 21);
    assert_false(st_firsts_find(firsts, 5, 11, &call));
    assert_false(st_firsts_find(firsts, 6, 7, &call));
    test_free(firsts);
}

static void test_overwritten(void **state)
{
    struct st_firsts *firsts = test_calloc(1, sizeof *firsts);
    struct st_collective call;
    (void)state;
    for (uint64_t n = 1; n <= ST_FIRSTS_ROOM + 5; n++) {
        call = call_of(n);
        st_firsts_add(firsts, &call);
    }
    assert_int_equal(st_firsts_read(firsts, 5, &call), ST_FIRST_GONE);
    assert_int_equal(st_firsts_read(firsts, 6, &call), ST_FIRST_THERE);
    assert_int_equal(call.number, 6);
    assert_false(st_firsts_find(firsts, 5, 5, &call));
    assert_true(st_firsts_find(firsts, 5, 6, &call));
    assert_true(st_firsts_find(firsts, 5, ST_FIRSTS_ROOM + 5, &call));
    test_free(firsts);
}

/* A rank that was killed between taking its place and writing there. */
static void test_never_written(void **state)
{
    struct st_firsts *firsts = test_calloc(1, sizeof *firsts);
    struct st_collective call = call_of(1);
    (void)state;
    st_firsts_add(firsts, &call);
    firsts->count++;
    call = call_of(3);
    st_firsts_add(firsts, &call);
    assert_int_equal(st_firsts_read(firsts, 2, &call), ST_FIRST_NOT_YET);
    assert_int_equal(st_firsts_read(firsts, 3, &call), ST_FIRST_THERE);
    assert_int_equal(call.number, 3);
    assert_true(st_firsts_find(firsts, 5, 1, &call));
    test_free(firsts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_overwritten),
        cmocka_unit_test(test_never_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
