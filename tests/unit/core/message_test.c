/* What a sender leaves of a message, and whether it fits a receive (core/agree/message.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/agree/message.h"

enum { PLACES = 1 << ST_LOG2_MESSAGES };

static struct st_message_room *room;
static struct st_message_ways *ways;

static int begin(void **state)
{
    (void)state;
    room = calloc(1, sizeof *room);
    ways = calloc(1, sizeof *ways);
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(room);
    free(ways);
    return 0;
}

static void leave(uint64_t comm, int32_t tag, uint64_t number)
{
    st_message_write(room, ways,
                     &(struct st_message){.number = number,
                                          .channel = st_message_channel(comm, 0, 1, tag),
                                          .tag = tag,
                                          .comm = st_message_comm(comm)},
                     NULL);
}

static uint32_t find(uint64_t comm, int32_t tag, uint64_t number, struct st_message *message)
{
    return st_message_read(room, st_message_channel(comm, 0, 1, tag), number, message);
}

static void channels_are_told_apart(void **state)
{
    (void)state;
    const uint64_t channel = st_message_channel(1, 2, 3, 4);
    assert_int_equal(channel, st_message_channel(1, 2, 3, 4));
    assert_int_not_equal(channel, st_message_channel(9, 2, 3, 4));
    assert_int_not_equal(channel, st_message_channel(1, 3, 2, 4));
    assert_int_not_equal(channel, st_message_channel(1, 2, 3, 5));
}

static void found_wherever_it_is_looked_for_first(void **state)
{
    struct st_message message;
    (void)state;
    for (int32_t tag = 0; tag < 2000; tag++)
        leave(1, tag, 1);
    for (int32_t tag = 1500; tag < 2000; tag++)
        for (uint32_t way = 0; way < 2 * ST_MESSAGE_WAYS; way++) {
            const uint64_t channel = st_message_channel(1, 0, 1, tag);
            const uint32_t place = st_message_read(room, channel, 1, &message);
            assert_int_equal(st_message_read_near(room, channel, 1, way, &message), place);
            assert_int_equal(st_message_read_near(room, channel, 2, way, &message), ST_NO_MESSAGE);
            st_message_expect(room, channel, 1, way);
        }
}

static void the_last_ones_stay(void **state)
{
    struct st_message message;
    (void)state;
    for (uint64_t i = 1; i <= 3 * PLACES; i++) {
        leave(5, 7, i);
    }
    for (uint64_t i = 1; i <= 2 * PLACES; i++) {
        assert_int_equal(find(5, 7, i, &message), ST_NO_MESSAGE);
    }
    for (uint64_t i = 2 * PLACES + 1; i <= 3 * PLACES; i++) {
        assert_int_not_equal(find(5, 7, i, &message), ST_NO_MESSAGE);
        assert_int_equal(message.number, i);
        assert_int_equal(message.tag, 7);
    }
    assert_int_equal(find(5, 8, 3 * PLACES, &message), ST_NO_MESSAGE);
}

/* A message waits while many others are sent. */
static void few_are_driven_out_early(void **state)
{
    struct st_message message;
    int gone = 0;
    (void)state;
    for (uint64_t i = 1; i <= 2000; i++) {
        leave(5, (int32_t)i, 1);
        for (int k = 0; k < 10; k++) {
            leave(6, k, i);
        }
        gone += i > 60 && find(5, (int32_t)i - 60, 1, &message) == ST_NO_MESSAGE;
    }
    assert_in_range(gone, 0, 2);
}

static void a_communicator_is_forgotten(void **state)
{
    struct st_message message;
    (void)state;
    leave(5, 7, 1);
    leave(6, 7, 1);
    st_message_forget(room, 5);
    assert_int_equal(find(5, 7, 1, &message), ST_NO_MESSAGE);
    assert_int_not_equal(find(6, 7, 1, &message), ST_NO_MESSAGE);
}

/* --- whether they fit ------------------------------------------------------------------------ */

static const struct st_basic_element of_int = {.kind = ST_NAMED, .name = "MPI_INT"};
static const struct st_basic_element of_float = {.kind = ST_NAMED, .name = "MPI_FLOAT"};

enum sort { INTS, FLOATS, BOTH }; /* BOTH: a datatype of an MPI_INT and an MPI_FLOAT */

static struct st_message_space space_of(enum sort sort, int64_t count)
{
    struct st_message_space space = {0};
    struct st_signature one = st_signature_one(sort == FLOATS ? &of_float : &of_int), all;
    const struct st_signature next = st_signature_one(&of_float);
    if (sort == BOTH) {
        assert_true(st_signature_append(&one, &one, &next));
    }
    assert_true(st_signature_repeat(&all, &one, count));
    space.data.length = all.length;
    space.data.bytes = 4 * all.length;
    space.data.flags = ST_MESSAGE_SIGNED | ST_MESSAGE_SIZED;
    if (sort == BOTH) {
        space.data.hash[0] = all.hash.high;
        space.data.hash[1] = all.hash.low;
        space.one = one;
    } else {
        space.data.hash[0] = sort == FLOATS ? 2 : 1;
        space.data.flags |= ST_MESSAGE_UNIFORM;
    }
    return space;
}

static struct st_message message_of(const struct st_message_space *space)
{
    return (struct st_message){.hash = {space->data.hash[0], space->data.hash[1]},
                               .length = space->data.length,
                               .bytes = space->data.bytes,
                               .called = st_message_called(0, space->data.flags)};
}

static enum st_message_fit fit(enum sort sent, int64_t count, enum sort received, int64_t room_for)
{
    const struct st_message_space from = space_of(sent, count), to = space_of(received, room_for);
    const struct st_message message = message_of(&from);
    return st_message_fits(&message, &to);
}

static void what_is_sent_is_the_beginning(void **state)
{
    (void)state;
    assert_int_equal(fit(INTS, 4, INTS, 4), ST_MESSAGE_FITS);
    assert_int_equal(fit(INTS, 4, INTS, 9), ST_MESSAGE_FITS);
    assert_int_equal(fit(INTS, 5, INTS, 4), ST_MESSAGE_TOO_LONG);
    assert_int_equal(fit(INTS, 4, FLOATS, 4), ST_MESSAGE_OTHER_TYPE);
    assert_int_equal(fit(INTS, 0, FLOATS, 4), ST_MESSAGE_FITS);
    assert_int_equal(fit(BOTH, 3, BOTH, 3), ST_MESSAGE_FITS);
    assert_int_equal(fit(BOTH, 2, BOTH, 3), ST_MESSAGE_FITS);
    assert_int_equal(fit(BOTH, 4, BOTH, 3), ST_MESSAGE_TOO_LONG);
    assert_int_equal(fit(BOTH, 2, INTS, 9), ST_MESSAGE_OTHER_TYPE);
    assert_int_equal(fit(INTS, 2, BOTH, 9), ST_MESSAGE_OTHER_TYPE);
    assert_int_equal(fit(INTS, 1, BOTH, 9), ST_MESSAGE_ENDS_INSIDE); /* half of an element */
    assert_int_equal(fit(BOTH, 0, INTS, 0), ST_MESSAGE_FITS);
}

static void what_is_not_known_fits(void **state)
{
    struct st_message_space from = space_of(INTS, 4), to = space_of(FLOATS, 3);
    (void)state;
    from.data.flags = 0;
    struct st_message message = message_of(&from);
    assert_int_equal(st_message_fits(&message, &to), ST_MESSAGE_FITS);
    from.data.flags = ST_MESSAGE_SIZED; /* MPI_PACKED */
    message = message_of(&from);
    assert_int_equal(st_message_fits(&message, &to), ST_MESSAGE_TOO_LONG);
    to.data.bytes = 16;
    assert_int_equal(st_message_fits(&message, &to), ST_MESSAGE_FITS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_are_told_apart),
        cmocka_unit_test_setup_teardown(found_wherever_it_is_looked_for_first, begin, end),
        cmocka_unit_test_setup_teardown(the_last_ones_stay, begin, end),
        cmocka_unit_test_setup_teardown(few_are_driven_out_early, begin, end),
        cmocka_unit_test_setup_teardown(a_communicator_is_forgotten, begin, end),
        cmocka_unit_test(what_is_sent_is_the_beginning),
        cmocka_unit_test(what_is_not_known_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
