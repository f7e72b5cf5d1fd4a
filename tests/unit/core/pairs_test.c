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

/* --- rows ---------------------------------------------------------------------------------- */

enum { RANKS = 5, CALLS = 20000 };

static const struct st_collective a_call = {.comm = 12, .number = 77, .function = 3};

/* One rank's side of a call in which all send to all: lengths[k] to and from rank k. */
static struct st_rank_row *leave_row(struct st_rank_pairs_room *room, int32_t member,
                                     int64_t lengths[RANKS][2], const uint64_t element[2])
{
    struct st_rank_row *row = st_row_begin(room, &a_call);
    row->member = member;
    row->function = a_call.function;
    row->sends = row->receives = RANKS;
    memcpy(row->element, element, sizeof row->element);
    memcpy(row->lengths, lengths, RANKS * sizeof lengths[0]);
    st_row_end(row, &a_call);
    return row;
}

/* Random matrices: two rows agree just if each pair of what they say of each other does. */
static void rows_of_random_calls(void **state)
{
    (void)state;
    struct st_rank_pairs_room *rooms[2] = {make_room(), make_room()};
    int agree = 0, differ = 0;
    srand(1);
    for (int i = 0; i < CALLS; i++) {
        const int32_t members[2] = {rand() % RANKS, rand() % RANKS};
        int64_t lengths[2][RANKS][2];
        uint64_t elements[2][2];
        struct st_rank_row *rows[2];
        for (int k = 0; k < 2; k++) {
            for (int to = 0; to < RANKS; to++)
                lengths[k][to][0] = lengths[k][to][1] = rand() % 4 ? 2 : rand() % 3;
            elements[k][0] = elements[k][1] = rand() % 8 ? 7 : 8;
            rows[k] = leave_row(rooms[k], members[k], lengths[k], elements[k]);
        }
        bool same = true;
        for (int k = 0; k < 2; k++) {
            struct st_rank_pair sent, received;
            assert_true(st_pairs_read(rooms[k], st_row_place(&a_call), true, members[!k], &sent));
            assert_true(
                st_pairs_read(rooms[!k], st_row_place(&a_call), false, members[k], &received));
            assert_int_equal(sent.length, lengths[k][members[!k]][0]);
            assert_int_equal(received.length, lengths[!k][members[k]][1]);
            same = same && !st_pairs_differ(&sent, &received);
        }
        assert_int_equal(st_rows_compare(rows[0], rows[1]),
                         same ? ST_ROWS_AGREE : ST_ROWS_ARE_NOT_ENOUGH);
        for (int k = 0; k < 2; k++) {
            const struct st_row_mine mine = st_row_mine(rows[k]);
            assert_int_equal(st_rows_agree(&mine, rows[!k]), same);
        }
        agree += same;
        differ += !same;
    }
    assert_true(agree > CALLS / 10 && differ > CALLS / 10);
    free(rooms[0]);
    free(rooms[1]);
}

static void a_row_is_of_one_call(void **state)
{
    (void)state;
    struct st_rank_pairs_room *mine = make_room(), *other = make_room();
    int64_t lengths[RANKS][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    const uint64_t element[2] = {7, 7};
    struct st_rank_row *row = leave_row(mine, 0, lengths, element);
    const struct st_rank_row *there = st_row_of(other, &a_call);
    const uint64_t place = st_row_place(&a_call);
    struct st_collective earlier = a_call, later = a_call, elsewhere = a_call;
    earlier.number -= 1 << ST_LOG2_ROWS;
    later.number += 1 << ST_LOG2_ROWS;
    elsewhere.comm++;
    while (st_row_of(other, &elsewhere) != there)
        elsewhere.number++;
    st_row_end(st_row_begin(other, &earlier), &earlier);
    assert_int_equal(st_rows_compare(row, there), ST_ROW_IS_NOT_THERE);
    assert_false(st_pairs_are_there(other, place));
    leave_row(other, 1, lengths, element);
    assert_int_equal(st_rows_compare(row, there), ST_ROWS_AGREE);
    assert_true(st_pairs_are_there(other, place));
    assert_int_equal(st_pairs_count(other, place, true), RANKS);
    assert_int_equal(length_of(other, place, true, RANKS), -1);
    assert_int_equal(length_of(other, place, true, -1), -1);
    /* A later call takes the row, or one of another communicator: this one may have been there before. */
    struct st_rank_row *taken = st_row_begin(other, &later);
    assert_ptr_equal(taken, there);
    assert_int_equal(st_rows_compare(row, there), ST_ROWS_ARE_NOT_ENOUGH);
    assert_int_equal(length_of(other, place, true, 0), -1);
    st_row_end(taken, &later);
    assert_int_equal(st_rows_compare(row, there), ST_ROWS_ARE_NOT_ENOUGH);
    st_row_end(st_row_begin(other, &elsewhere), &elsewhere);
    assert_int_equal(st_rows_compare(row, there), ST_ROWS_ARE_NOT_ENOUGH);
    assert_int_equal(length_of(other, place, true, 0), -1);
    assert_int_equal(st_pairs_count(other, place, true), 0);
    free(mine);
    free(other);
}

/* Gatherv: the root receives from all, the others send one block each. */
static void rows_of_a_root(void **state)
{
    (void)state;
    struct st_rank_pairs_room *root = make_room(), *leaf = make_room();
    int64_t all[RANKS][2] = {{0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 8}}, one[RANKS][2] = {{6, 0}};
    const uint64_t element[2] = {7, 7};
    struct st_rank_row *receives = leave_row(root, 0, all, element);
    receives->sends = 0;
    struct st_rank_row *sends = leave_row(leaf, 2, one, element);
    sends->sends = 1;
    sends->receives = 0;
    assert_int_equal(st_rows_compare(receives, sends), ST_ROWS_AGREE);
    assert_int_equal(st_rows_compare(sends, receives), ST_ROWS_AGREE);
    assert_int_equal(st_rows_compare(sends, sends),
                     ST_ROWS_AGREE); /* two leaves exchange nothing */
    const struct st_row_mine of_root = st_row_mine(receives), of_leaf = st_row_mine(sends);
    assert_false(st_rows_agree(&of_root, sends)); /* only st_rows_compare() knows roots */
    assert_false(st_rows_agree(&of_leaf, sends));
    sends->member = 3;
    assert_int_equal(st_rows_compare(receives, sends), ST_ROWS_ARE_NOT_ENOUGH);
    sends->member = RANKS; /* nonsense */
    assert_int_equal(st_rows_compare(receives, sends), ST_ROWS_ARE_NOT_ENOUGH);
    sends->member = 2;
    sends->sends = 0; /* the data is elsewhere */
    assert_int_equal(st_rows_compare(receives, sends), ST_ROWS_ARE_NOT_ENOUGH);
    free(root);
    free(leaf);
}

/* Allgatherv: each sends one block to all. */
static void rows_of_one_block(void **state)
{
    (void)state;
    struct st_rank_pairs_room *rooms[2] = {make_room(), make_room()};
    int64_t lengths[RANKS][2] = {{4, 4}, {-1, 5}, {-1, 6}, {-1, 7}, {-1, 8}};
    const uint64_t element[2] = {7, 7};
    struct st_rank_row *zero = leave_row(rooms[0], 0, lengths, element);
    lengths[0][0] = 6;
    struct st_rank_row *two = leave_row(rooms[1], 2, lengths, element);
    zero->sends = two->sends = 1;
    struct st_row_mine mine = st_row_mine(zero);
    assert_true(st_rows_agree(&mine, two));
    assert_int_equal(st_rows_compare(zero, two), ST_ROWS_AGREE);
    two->lengths[0][0] = 7;
    assert_false(st_rows_agree(&mine, two));
    two->lengths[0][0] = 6;
    for (int32_t member = -1; member <= RANKS; member += RANKS + 1) { /* nonsense */
        two->member = member;
        assert_false(st_rows_agree(&mine, two));
    }
    two->member = 2;
    zero->member = RANKS;
    mine = st_row_mine(zero);
    assert_false(st_rows_agree(&mine, two));
    free(rooms[0]);
    free(rooms[1]);
}

static void no_row_is_trusted(void **state)
{
    (void)state;
    struct st_rank_pairs_room *room = make_room();
    struct st_rank_pair pair;
    memset(room, 0xff, sizeof *room);
    for (uint32_t i = 0; i < 1 << ST_LOG2_ROWS; i++) {
        const struct st_collective call = {.comm = 5, .number = i};
        struct st_rank_row *row = st_row_begin(room, &call);
        row->sends = UINT32_MAX;
        st_row_end(row, &call);
        assert_false(st_pairs_read(room, st_row_place(&call), true, INT32_MAX, &pair));
        assert_false(st_pairs_read(room, st_row_place(&call), true, 4, &pair));
        assert_int_equal(st_rows_compare(row, row), ST_ROWS_ARE_NOT_ENOUGH);
    }
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
        cmocka_unit_test(rows_of_random_calls),   cmocka_unit_test(a_row_is_of_one_call),
        cmocka_unit_test(rows_of_a_root),         cmocka_unit_test(rows_of_one_block),
        cmocka_unit_test(no_row_is_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
