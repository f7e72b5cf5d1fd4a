/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between ranks of different nodes (core/agree/remote.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/agree/remote.h"

enum { KNOWN = ST_MESSAGE_SIGNED | ST_MESSAGE_SIZED };

/* COUNT elements of 4 bytes. */
static struct st_message_data elements(uint64_t type, int64_t count)
{
    return (struct st_message_data){.hash = {type, ~type},
                                    .length = count,
                                    .bytes = 4 * count,
                                    .flags = KNOWN | ST_MESSAGE_UNIFORM};
}

static uint64_t hash_of(uint64_t channel, uint64_t number, struct st_message_data data)
{
    bool vague;
    uint64_t hash = st_remote_hash(channel, number, &data, &vague);
    assert_false(vague);
    return hash;
}

static void test_sums_do_not_depend_on_the_order(void **state)
{
    struct st_remote_peer sender = {0}, receiver = {0};
    struct st_remote_sums sent, got;
    (void)state;
    for (uint64_t n = 1; n <= 100; n++) {
        st_remote_add_sent(&sender, hash_of(n % 3, n, elements(n % 5 + 7, (int64_t)n)), false);
        const uint64_t last = 101 - n;
        st_remote_add_got(&receiver, hash_of(last % 3, last, elements(last % 5 + 7, (int64_t)last)),
                          false, last == 4);
    }
    assert_true(st_remote_sums_read(&sender, &sent));
    assert_true(st_remote_sums_read(&receiver, &got));
    assert_int_equal(sent.sent, 100);
    assert_int_equal(got.got, 100);
    assert_int_equal(got.asks, 1);
    assert_int_equal(sent.sent_sum, got.got_sum);
}

static void test_each_difference_shows_in_the_sum(void **state)
{
    const uint64_t one = hash_of(5, 1, elements(7, 3));
    (void)state;
    assert_int_equal(one, hash_of(5, 1, elements(7, 3)));
    assert_int_not_equal(one, hash_of(6, 1, elements(7, 3)));
    assert_int_not_equal(one, hash_of(5, 2, elements(7, 3)));
    assert_int_not_equal(one, hash_of(5, 1, elements(8, 3)));
    assert_int_not_equal(one, hash_of(5, 1, elements(7, 4)));
    /* No elements are of no type. */
    assert_int_equal(hash_of(5, 1, elements(7, 0)), hash_of(5, 1, elements(8, 0)));
}

static void test_what_is_not_known_is_vague(void **state)
{
    struct st_message_data data = elements(7, 3), other = elements(8, 9);
    bool vague, also;
    (void)state;
    data.flags = ST_MESSAGE_SIZED;
    other.flags = ST_MESSAGE_SIGNED;
    assert_int_equal(st_remote_hash(5, 1, &data, &vague), st_remote_hash(5, 1, &other, &also));
    assert_true(vague);
    assert_true(also);
}

static void test_a_change_is_not_read(void **state)
{
    struct st_remote_peer peer = {.change = 1};
    struct st_remote_sums sums;
    (void)state;
    assert_false(st_remote_sums_read(&peer, &sums));
    peer.change = 2;
    assert_true(st_remote_sums_read(&peer, &sums));
}

/* --- what was received of a receive's room ---------------------------------------------------- */

static void test_received_of_equal_elements(void **state)
{
    const struct st_message_space space = {.data = elements(7, 10)};
    struct st_message_data received;
    (void)state;
    assert_true(st_remote_received(&space, 40, &received));
    assert_int_equal(received.length, 10);
    assert_true(st_remote_received(&space, 12, &received));
    assert_int_equal(received.length, 3);
    assert_int_equal(received.bytes, 12);
    assert_int_equal(received.hash[0], 7);
    assert_true(st_remote_received(&space, 0, &received));
    assert_int_equal(received.length, 0);
}

static void test_received_of_a_struct(void **state)
{
    const struct st_signature one = {.hash = {11, 13}, .power = {17, 19}, .length = 2};
    struct st_signature two;
    struct st_message_space space = {
        .data = {.hash = {1, 2}, .length = 10, .bytes = 60, .element = 12, .flags = KNOWN},
        .one = one};
    struct st_message_data received;
    (void)state;
    assert_true(st_signature_repeat(&two, &one, 2));
    assert_true(st_remote_received(&space, 24, &received));
    assert_int_equal(received.length, 4);
    assert_int_equal(received.hash[0], two.hash.high);
    assert_int_equal(received.hash[1], two.hash.low);
    assert_false(st_remote_received(&space, 20, &received));
    assert_false(received.flags & ST_MESSAGE_SIGNED);
}

/* MPI has not said how long it was. */
static void test_received_of_unknown_length(void **state)
{
    const struct st_message_space space = {.data = elements(7, 10)};
    struct st_message_data received;
    bool vague;
    (void)state;
    assert_false(st_remote_received(&space, -1, &received));
    st_remote_hash(5, 1, &received, &vague);
    assert_true(vague);
    assert_int_equal(received.bytes, -1);
    assert_int_equal(received.hash[0], 7);
}

/* --- received messages that are kept ---------------------------------------------------------- */

static void test_the_last_of_a_channel_are_kept(void **state)
{
    struct st_remote_room *room = test_calloc(1, sizeof *room);
    struct st_remote_ways *ways = test_calloc(1, sizeof *ways);
    const uint64_t messages = UINT64_C(3) << ST_REMOTE_LOG2_MESSAGES;
    struct st_remote_message message = {.as = {.channel = 77 << 16}}, read;
    uint64_t seen = 0;
    (void)state;
    for (uint64_t n = 1; n <= messages; n++) {
        message.as.number = n;
        message.length = (int64_t)(3 * n);
        st_remote_write(room, ways, &message);
        assert_true(st_remote_has(room, message.as.channel, n));
    }
    assert_true(st_remote_has(room, message.as.channel, messages - 64));
    assert_false(st_remote_has(room, message.as.channel, 1));
    assert_false(st_remote_has(room, message.as.channel + 1, messages));
    for (uint32_t place = 0; place < 1u << ST_REMOTE_LOG2_MESSAGES; place++) {
        if (st_remote_read(room, place, &read)) {
            assert_int_equal(read.length, 3 * read.as.number);
            seen++;
        }
    }
    assert_int_equal(seen, UINT64_C(1) << ST_REMOTE_LOG2_MESSAGES);
    room->list[9].as.number = 0; /* it changes now */
    assert_false(st_remote_read(room, 9, &read));
    test_free(ways);
    test_free(room);
}

/* --- compared one by one ---------------------------------------------------------------------- */

static struct st_message sent_of(struct st_message_data data)
{
    return (struct st_message){.number = 1,
                               .hash = {data.hash[0], data.hash[1]},
                               .length = data.length,
                               .bytes = data.bytes,
                               .called = st_message_called(1, data.flags)};
}

static struct st_remote_message received_of(struct st_message_data data, int64_t room)
{
    return (struct st_remote_message){.as = sent_of(data),
                                      .hash = {data.hash[0], data.hash[1]},
                                      .length = room,
                                      .bytes = 4 * room,
                                      .data = data.flags};
}

static void test_compared(void **state)
{
    struct st_message sent = sent_of(elements(7, 3)), plain = sent;
    struct st_remote_message received = received_of(elements(7, 3), 10);
    (void)state;
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_MATCHES);
    received.flags = ST_REMOTE_EXACT;
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_NOT_EXACT);
    received.flags = ST_REMOTE_PARTIAL;
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_ENDS_INSIDE);

    received = received_of(elements(8, 3), 10);
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_OTHER_TYPE);
    plain.called = st_message_called(1, ST_MESSAGE_SIZED); /* its type is not known */
    assert_int_equal(st_remote_compare(&plain, &received), ST_REMOTE_MATCHES);

    received = received_of(elements(7, 4), 10);
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_OTHER);

    received = received_of(elements(7, 2), 2);
    received.flags = ST_REMOTE_CUT;
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_TOO_LONG);
    received = received_of(elements(7, 3), 3);
    received.flags = ST_REMOTE_CUT;
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_OTHER);
}

static void test_compared_without_a_length(void **state)
{
    struct st_message sent = sent_of(elements(7, 3));
    struct st_remote_message received = received_of(elements(7, 10), 10);
    (void)state;
    received.flags = ST_REMOTE_VAGUE;
    received.as.bytes = -1;
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_MATCHES);
    sent = sent_of(elements(7, 11));
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_OTHER);
    sent = sent_of(elements(8, 3));
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_OTHER_TYPE);

    /* A receive of several types has that of the message if it is as long. */
    received.data &= (uint16_t)~ST_MESSAGE_UNIFORM;
    sent.called = st_message_called(1, ST_MESSAGE_SIGNED | ST_MESSAGE_SIZED);
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_MATCHES);
    sent = sent_of(elements(8, 10));
    sent.called = st_message_called(1, ST_MESSAGE_SIGNED | ST_MESSAGE_SIZED);
    assert_int_equal(st_remote_compare(&sent, &received), ST_REMOTE_OTHER_TYPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_do_not_depend_on_the_order),
        cmocka_unit_test(test_each_difference_shows_in_the_sum),
        cmocka_unit_test(test_what_is_not_known_is_vague),
        cmocka_unit_test(test_a_change_is_not_read),
        cmocka_unit_test(test_received_of_equal_elements),
        cmocka_unit_test(test_received_of_a_struct),
        cmocka_unit_test(test_received_of_unknown_length),
        cmocka_unit_test(test_the_last_of_a_channel_are_kept),
        cmocka_unit_test(test_compared),
        cmocka_unit_test(test_compared_without_a_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
