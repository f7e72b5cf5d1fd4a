/* One-sided accesses, clocks and marks, as ranks leave them for others (core/agree/access.h, core/agree/clock.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/agree/access.h"
#include "core/agree/clock.h"

static void test_clock(void **state)
{
    struct st_clock_history *history = calloc(1, sizeof *history);
    struct st_clock mine = {.ticks = {0, 1}}, its;
    (void)state;
    assert_false(st_clock_at(history, 1, 4, &its));
    for (uint32_t tick = 1; tick <= ST_CLOCKS_KEPT + 10; tick++) {
        mine.ticks[1] = tick;
        mine.ticks[2] = 2 * tick;
        st_clock_publish(history, &mine, 1, 4);
    }
    assert_true(st_clock_at(history, 11, 4, &its));
    assert_int_equal(its.ticks[2], 22);
    /* Too old: the last one, which knows more. */
    assert_true(st_clock_at(history, 10, 4, &its));
    assert_int_equal(its.ticks[2], 2 * (ST_CLOCKS_KEPT + 10));
    /* Not there yet. */
    assert_false(st_clock_at(history, ST_CLOCKS_KEPT + 11, 4, &its));
    struct st_clock other = {.ticks = {5}};
    assert_true(st_clock_join(&other, &its, 4));
    assert_false(st_clock_join(&other, &its, 4));
    assert_int_equal(other.ticks[0], 5);
    assert_int_equal(other.ticks[1], ST_CLOCKS_KEPT + 10);
    free(history);
}

static void test_list(void **state)
{
    struct st_access_room *room = calloc(1, sizeof *room);
    struct st_access_record access = {.window = 7, .owner = 3, .runs = 9}, found;
    struct st_access_runs runs[2] = {{.mark = ST_ACCESS_RUNS}, {.mark = ST_ACCESS_RUNS}}, read;
    uint32_t owner = 0;
    (void)state;
    runs[1].runs[1].from = 99;
    assert_int_equal(st_access_write(room, &access, runs), 1);
    access.runs = 0;
    assert_int_equal(st_access_write(room, &access, NULL), 4);
    assert_true(st_access_read(room, 1, &found) && found.window == 7);
    assert_true(st_access_read_owner(room, 1, &owner) && owner == 3);
    assert_false(st_access_read_owner(room, 2, &owner)); /* blocks */
    assert_false(st_access_read(room, 2, &found));
    assert_true(st_access_read_runs(room, 3, &read) && read.runs[1].from == 99);
    assert_false(st_access_read_runs(room, 4, &read));
    assert_false(st_access_read(room, 5, &found));
    assert_false(st_access_read_owner(room, 5, &owner));
    while (room->written < 1u << ST_LOG2_ACCESSES) {
        st_access_write(room, &access, NULL);
    }
    assert_true(st_access_read(room, 1, &found));
    st_access_write(room, &access, NULL);
    assert_false(st_access_read(room, 1, &found));
    free(room);
}

static void test_marks(void **state)
{
    struct st_access_mark marks[8] = {{0}};
    uint32_t tick = 0;
    unsigned gone = 0;
    (void)state;
    assert_int_equal(st_access_marked(marks, 3, 1, &tick), ST_MARK_NONE);
    for (uint64_t key = 1; key <= 20; key++) {
        st_access_mark(marks, 3, key, (uint32_t)key + 100);
        assert_int_equal(st_access_marked(marks, 3, key, &tick), ST_MARK_FOUND);
        assert_int_equal(tick, key + 100);
        st_access_mark(marks, 3, key, (uint32_t)key + 200);
        assert_int_equal(st_access_marked(marks, 3, key, &tick), ST_MARK_FOUND);
        assert_int_equal(tick, key + 200);
        assert_int_equal(st_access_marked(marks, 3, 1000 + key, &tick) == ST_MARK_FOUND, false);
    }
    /* Of twenty, eight have a place; the last one among them. */
    for (uint64_t key = 1; key <= 20; key++) {
        gone += st_access_marked(marks, 3, key, &tick) == ST_MARK_GONE;
    }
    assert_int_equal(gone, 12);
    assert_int_equal(st_access_marked(marks, 3, 20, &tick), ST_MARK_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
