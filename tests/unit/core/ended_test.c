/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that are not compared any more (core/agree/ended.h). */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/agree/ended.h"
#include "core/model/hash.h"

static struct st_ended_set set;

static int clear(void **state)
{
    (void)state;
    memset(&set, 0, sizeof set);
    return 0;
}

static uint64_t id(uint64_t number)
{
    return st_hash_word(number, 7);
}

static void has_what_was_added(void **state)
{
    (void)state;
    assert_false(st_ended_has(&set, id(1)));
    st_ended_add(&set, id(1));
    st_ended_add(&set, id(1));
    st_ended_add(&set, 0);
    assert_true(st_ended_has(&set, id(1)));
    assert_false(st_ended_has(&set, id(2)));
    assert_int_equal(set.count, 1);
}

/* The last place is followed by the first one. */
static void ids_of_one_place(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100; i++)
        st_ended_add(&set, UINT64_MAX - i);
    for (uint64_t i = 0; i < 100; i++)
        assert_true(st_ended_has(&set, UINT64_MAX - i));
    assert_false(st_ended_has(&set, UINT64_MAX - 100));
    assert_int_equal(set.ids[98], UINT64_MAX - 99);
}

static void is_full_beyond_its_room(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < ST_ENDED_MOST; i++)
        st_ended_add(&set, id(i));
    assert_false(st_ended_is_full(&set));
    for (uint64_t i = 0; i < ST_ENDED_MOST; i++)
        assert_true(st_ended_has(&set, id(i)));
    for (uint64_t i = 0; i < 1000; i++)
        assert_false(st_ended_has(&set, id(ST_ENDED_MOST + i)));
    st_ended_add(&set, id(ST_ENDED_MOST));
    assert_true(st_ended_is_full(&set));
    assert_true(st_ended_has(&set, id(ST_ENDED_MOST + 1)));
}

enum {
    THREADS = 4,
    EACH = 4000,
    STEP = 2000
}; /* half of what a thread adds, the next one adds, too */

static void *add_many(void *from)
{
    for (uint64_t i = 0; i < EACH; i++)
        st_ended_add(&set, id(*(uint64_t *)from + i));
    return NULL;
}

static void ranks_add_at_once(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    uint64_t from[THREADS];
    for (uint64_t i = 0; i < THREADS; i++) {
        from[i] = i * STEP;
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, &from[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    uint64_t there = 0;
    for (size_t i = 0; i < sizeof set.ids / sizeof *set.ids; i++)
        there += set.ids[i] != 0;
    assert_int_equal(there, (THREADS - 1) * STEP + EACH); /* each once */
    for (uint64_t i = 0; i < there; i++)
        assert_true(st_ended_has(&set, id(i)));
    assert_in_range(set.count, there, THREADS * EACH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(has_what_was_added, clear),
        cmocka_unit_test_setup(ids_of_one_place, clear),
        cmocka_unit_test_setup(is_full_beyond_its_room, clear),
        cmocka_unit_test_setup(ranks_add_at_once, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
