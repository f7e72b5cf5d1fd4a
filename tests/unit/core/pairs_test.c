/* What goes from rank to rank in a collective call (core/agree/pairs.h): a ring that one rank writes and others read. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/agree/pairs.h"

enum { KNOWN = ST_COLLECTIVE_SIGNATURE | ST_COLLECTIVE_UNIFORM };

static struct st_rank_pairs_room *make_room(void)
{
    struct st_rank_pairs_room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    return room;
}

static struct st_rank_pair pair_of(uint64_t hash, int64_t length)
{
    return (struct st_rank_pair){.hash = {hash}, .length = length, .flags = KNOWN};
}

/* A call whose entries have the lengths 1, 2, 3, ...: first what it sends. Returns its place. */
static uint64_t leave_call(struct st_rank_pairs_room *room, uint64_t sends, uint64_t receives)
{
    uint64_t place = 0;
    struct st_rank_pairs *pairs = st_pairs_take(room, sends, receives, &place);
    assert_non_null(pairs);
    for (uint64_t i = 0; i < sends + receives; i++)
        pairs->list[i] = pair_of(7, (int64_t)i + 1);
    return place;
}

static int64_t length_of(const struct st_rank_pairs_room *room, uint64_t place, bool sends,
                         int32_t member)
{
    struct st_rank_pair pair;
    return st_pairs_read(room, place, sends, member, &pair) ? pair.length : -1;
}

static void an_entry_for_each_rank(void **state)
{
    (void)state;
    struct st_rank_pairs_room *room = make_room();
    const uint64_t place = leave_call(room, 2, 3);
    for (int32_t i = 0; i < 2; i++)
        assert_int_equal(length_of(room, place, true, i), i + 1);
    for (int32_t i = 0; i < 3; i++)
        assert_int_equal(length_of(room, place, false, i), i + 3);
    assert_int_equal(length_of(room, place, true, 2), -1);
    assert_int_equal(length_of(room, place, false, 3), -1);
    assert_int_equal(length_of(room, place, false, -1), -1);
    assert_int_equal(length_of(room, 0, true, 0), -1);
    free(room);
}

static void one_entry_is_for_all_ranks(void **state)
{
    (void)state;
    struct st_rank_pairs_room *room = make_room();
    const uint64_t sends = leave_call(room, 1, 0), receives = leave_call(room, 2, 1);
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(length_of(room, sends, true, i), 1);
        assert_int_equal(length_of(room, sends, false, i), -1);
        assert_int_equal(length_of(room, receives, false, i), 3);
    }
    assert_int_equal(length_of(room, sends, true, -1), -1);
    free(room);
}

/* All calls that are still in the ring are right, however often it has wrapped around. */
static void the_ring_comes_round(void **state)
{
    (void)state;
    enum { CALLS = 4000, ENTRIES = 37, LAST = 80 };
    static uint64_t places[CALLS];
    struct st_rank_pairs_room *room = make_room();
    for (int i = 0; i < CALLS; i++) {
        struct st_rank_pairs *pairs = st_pairs_take(room, ENTRIES, 0, &places[i]);
        for (int k = 0; k < ENTRIES; k++)
            pairs->list[k] = pair_of(7, i);
        for (int before = 0; before <= i && before < 2 * LAST; before++) {
            const int64_t length = length_of(room, places[i - before], true, before % ENTRIES);
            assert_true(length == i - before || (before >= LAST && length == -1));
        }
        if (i >= 4 * LAST)
            assert_int_equal(length_of(room, places[i - 4 * LAST], true, 0), -1);
    }
    free(room);
}

static void too_many_entries(void **state)
{
    (void)state;
    struct st_rank_pairs_room *room = make_room();
    uint64_t place = 0;
    const uint64_t most =
        (ST_PAIRS_BYTES / 2 - sizeof(struct st_rank_pairs)) / sizeof(struct st_rank_pair);
    assert_null(st_pairs_take(room, most, 1, &place));
    assert_null(st_pairs_take(room, UINT64_MAX - 1, 2, &place));
    assert_null(st_pairs_take(room, 2, UINT64_MAX - 1, &place));
    assert_int_equal(room->begun, 0);
    assert_non_null(st_pairs_take(room, most, 0, &place));
    free(room);
}

/* The room may be another process' that writes anything: nothing outside of it is read (the address sanitizer sees
 * it). */
static void nothing_is_trusted(void **state)
{
    (void)state;
    struct st_rank_pairs_room *room = make_room();
    struct st_rank_pair pair;
    memset(room, 0xff, sizeof *room);
    room->begun = ST_PAIRS_BYTES;
    for (uint64_t place = 0; place < ST_PAIRS_BYTES + 64; place++) {
        st_pairs_read(room, place, true, 0, &pair);
        st_pairs_read(room, place, false, INT32_MAX, &pair);
    }
    assert_false(st_pairs_read(room, ST_PAIRS_BYTES + 1, true, 0, &pair)); /* not yet taken */
    assert_false(st_pairs_read(room, 2, true, 0, &pair));                  /* no word's begin */
    free(room);
}

static void signatures(void **state)
{
    (void)state;
    const struct st_rank_pair one = pair_of(7, 4);
    struct st_rank_pair other = one;
    assert_false(st_pairs_differ(&one, &other));
    other.length = 5;
    assert_true(st_pairs_differ(&one, &other));
    other = pair_of(8, 4);
    assert_true(st_pairs_differ(&one, &other));
    other = one, other.hash[1] = 1;
    assert_true(st_pairs_differ(&one, &other));
    other = one, other.flags = ST_COLLECTIVE_SIGNATURE; /* several basic types */
    assert_true(st_pairs_differ(&one, &other));
    other = pair_of(8, 5), other.flags = 0; /* not known */
    assert_false(st_pairs_differ(&one, &other));
    assert_false(st_pairs_differ(&other, &one));
    /* No elements are no elements, of whatever type. */
    const struct st_rank_pair nothing = pair_of(7, 0);
    other = pair_of(8, 0), other.flags = ST_COLLECTIVE_SIGNATURE;
    assert_false(st_pairs_differ(&nothing, &other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_for_each_rank), cmocka_unit_test(one_entry_is_for_all_ranks),
        cmocka_unit_test(the_ring_comes_round),   cmocka_unit_test(too_many_entries),
        cmocka_unit_test(nothing_is_trusted),     cmocka_unit_test(signatures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
