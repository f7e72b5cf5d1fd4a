/* Sends that wait for each other in a circle (core/agree/behind.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/agree/behind.h"

enum { RANKS = 40 };

static struct st_behind_room rooms[RANKS];
static struct st_sent_name circle[ST_MOST_CIRCLE];

static const struct st_behind_room *room_of(uint64_t rank)
{
    return rank < RANKS ? &rooms[rank] : NULL;
}

static int begin(void **state)
{
    (void)state;
    memset(rooms, 0, sizeof rooms);
    return 0;
}

static struct st_sent_name sent(uint32_t from, uint32_t to, uint64_t number)
{
    return (struct st_sent_name){1000u * from + to + 1, number, from, to};
}

/* Rank `message.receiver` has received it after its own send. */
static size_t enter(struct st_sent_name message, const struct st_sent_name *next)
{
    const struct st_behind_rooms all = {room_of, &rooms[message.receiver]};
    return st_behind_enter(&all, &message, next, circle);
}

static size_t enter_behind(struct st_sent_name message, struct st_sent_name next)
{
    return enter(message, &next);
}

/* All have sent to the next one, and receive in any order: the last one finds the circle. */
static void the_last_one_finds_it(void **state)
{
    (void)state;
    for (uint32_t ranks = 2; ranks <= ST_MOST_CIRCLE; ranks++) {
        for (uint32_t i = 0; i < ranks; i++) {
            const uint32_t rank = ranks - 1 - i;
            const size_t found = enter_behind(sent((rank + ranks - 1) % ranks, rank, ranks),
                                              sent(rank, (rank + 1) % ranks, ranks));
            assert_int_equal(found, i + 1 == ranks ? ranks : 0);
        }
        for (uint32_t i = 0; i < ranks; i++)
            assert_int_equal(circle[(i + 1) % ranks].sender, (circle[i].sender + 1) % ranks);
    }
}

static void a_longer_one_is_missed(void **state)
{
    (void)state;
    for (uint32_t rank = 0; rank < RANKS; rank++)
        assert_int_equal(enter_behind(sent((rank + RANKS - 1) % RANKS, rank, 1),
                                      sent(rank, (rank + 1) % RANKS, 1)),
                         0);
}

/* One rank receives first. */
static void a_chain_ends(void **state)
{
    (void)state;
    assert_int_equal(enter(sent(3, 0, 1), NULL), 0);
    assert_int_equal(enter_behind(sent(0, 1, 1), sent(1, 2, 1)), 0);
    assert_int_equal(enter_behind(sent(1, 2, 1), sent(2, 3, 1)), 0);
    assert_int_equal(enter_behind(sent(2, 3, 1), sent(3, 0, 1)), 0);
}

/* Messages and answers: each is behind the one before. */
static void answers_are_no_circle(void **state)
{
    (void)state;
    assert_int_equal(enter(sent(0, 1, 1), NULL), 0);
    for (uint64_t i = 1; i < 1000; i++) {
        assert_int_equal(enter_behind(sent(1, 0, i), sent(0, 1, i)), 0);
        assert_int_equal(enter_behind(sent(0, 1, i + 1), sent(1, 0, i)), 0);
    }
}

/* What leads into a circle is not in it. */
static void only_the_circle_is_told(void **state)
{
    (void)state;
    assert_int_equal(enter_behind(sent(0, 1, 1), sent(1, 2, 1)), 0);
    assert_int_equal(enter_behind(sent(1, 2, 1), sent(2, 1, 1)), 0);
    assert_int_equal(enter_behind(sent(2, 1, 1), sent(1, 2, 1)), 2);
    assert_int_equal(enter_behind(sent(3, 0, 1), sent(0, 1, 1)), 2);
    for (int i = 0; i < 2; i++)
        assert_true(circle[i].sender == 1 || circle[i].sender == 2);
}

static void one_to_itself(void **state)
{
    (void)state;
    assert_int_equal(enter_behind(sent(1, 1, 1), sent(1, 1, 1)), 1);
}

static void a_rank_without_a_room_ends_it(void **state)
{
    (void)state;
    assert_int_equal(enter_behind(sent(0, 1, 1), sent(1, RANKS, 1)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_last_one_finds_it, begin),
        cmocka_unit_test_setup(a_longer_one_is_missed, begin),
        cmocka_unit_test_setup(a_chain_ends, begin),
        cmocka_unit_test_setup(answers_are_no_circle, begin),
        cmocka_unit_test_setup(only_the_circle_is_told, begin),
        cmocka_unit_test_setup(one_to_itself, begin),
        cmocka_unit_test_setup(a_rank_without_a_room_ends_it, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
