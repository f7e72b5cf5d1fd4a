/* What a sender leaves of a message, and whether it fits a receive (core/agree/message.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/agree/message.h"

static struct st_message_room *room;
static struct st_message_writer writer;
static uint32_t places, made, most; /* `most` chunks may be made */

static bool make_chunk(uint32_t chunk)
{
    assert_in_range(chunk, 0, (places - 1) >> ST_LOG2_CHUNK);
    assert_int_equal(room->facts.is_made[chunk], 0);
    if (made == most) {
        return false;
    }
    made++;
    room->facts.is_made[chunk] = 1;
    return true;
}

static int begin_of(uint32_t log2_messages)
{
    places = 1u << log2_messages;
    made = 0;
    most = UINT32_MAX;
    room = calloc(1, st_message_room_bytes(places - 1));
    writer = (struct st_message_writer){room, calloc(1, places / ST_MESSAGE_WAYS), places - 1,
                                        make_chunk};
    return 0;
}

static int begin_small(void **state)
{
    (void)state;
    return begin_of(ST_LOG2_MESSAGES_LEAST);
}

static int begin_usual(void **state)
{
    (void)state;
    return begin_of(ST_LOG2_MESSAGES);
}

static int begin_large(void **state)
{
    (void)state;
    return begin_of(18);
}

static int end(void **state)
{
    (void)state;
    free(room);
    free(writer.next);
    return 0;
}

static void write_message(const struct st_message *message)
{
    const uint32_t place = st_message_open(&writer, message->channel, message->number);
    if (place != ST_NO_MESSAGE) {
        assert_int_equal(room->list[place].number, 0);
        st_message_close(&writer, place, message);
    }
}

static void leave(uint64_t comm, int32_t tag, uint64_t number)
{
    const struct st_message message = {.number = number,
                                       .channel = st_message_channel(comm, 0, 1, tag),
                                       .tag = tag,
                                       .comm = st_message_comm(comm)};
    write_message(&message);
}

static uint32_t find(uint64_t comm, int32_t tag, uint64_t number, struct st_message *message)
{
    return st_message_read(room, places - 1, st_message_channel(comm, 0, 1, tag), number, message);
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
            const uint32_t mask = places - 1,
                           place = st_message_read(room, mask, channel, 1, &message);
            assert_int_equal(st_message_read_near(room, mask, channel, 1, way, &message), place);
            assert_int_equal(st_message_read_near(room, mask, channel, 2, way, &message),
                             ST_NO_MESSAGE);
            st_message_expect(room, mask, channel, 1, way);
        }
}

/* Returns the place of the message of this number that is like *like; its number has something in its upper bits. */
static uint32_t find_like(const struct st_message *like, uint64_t number)
{
    uint64_t word = 0;
    for (uint32_t way = 0; way < ST_MESSAGE_WAYS; way++) {
        const uint32_t place = st_message_find_like(room, places - 1, like, number, way, &word);
        if (place != ST_NO_MESSAGE) {
            assert_int_equal(word, number | UINT64_C(5) << ST_MESSAGE_NUMBER_BITS);
            return place;
        }
    }
    return ST_NO_MESSAGE;
}

static void one_like_the_last_is_found(void **state)
{
    struct st_message read;
    struct st_message message = {.number = 7 | UINT64_C(5) << ST_MESSAGE_NUMBER_BITS,
                                 .channel = st_message_channel(1, 0, 1, 2),
                                 .hash = {3, 4},
                                 .length = 5,
                                 .bytes = 6,
                                 .tag = 2,
                                 .place = 8,
                                 .called = st_message_called(9, ST_MESSAGE_SIGNED)};
    (void)state;
    assert_int_equal(find_like(&message, 7), ST_NO_MESSAGE); /* there is no memory yet */
    write_message(&message);
    const uint32_t place = st_message_read(room, places - 1, message.channel, 7, &read);
    assert_int_not_equal(place, ST_NO_MESSAGE);
    assert_int_equal(find_like(&message, 7), place);
    assert_int_equal(find_like(&message, 8), ST_NO_MESSAGE);
    message.number = 6; /* of another one */
    message.place = 9;
    assert_int_equal(find_like(&message, 7), place);
    for (int i = 0; i < 6; i++) {
        struct st_message other = message;
        other.channel += i == 0 ? (uint64_t)places << 16 : 0; /* the same places */
        other.hash[0] += i == 1;
        other.hash[1] += i == 2;
        other.length += i == 3;
        other.bytes += i == 4;
        other.called =
            (uint16_t)(other.called ^ (i == 5 ? st_message_called(0, ST_MESSAGE_BLOCKS) : 0));
        assert_int_equal(find_like(&other, 7), ST_NO_MESSAGE);
    }
}

static void the_last_ones_stay(void **state)
{
    struct st_message message;
    (void)state;
    const uint64_t first = 2 * (uint64_t)places + 1, last = 3 * (uint64_t)places;
    for (uint64_t i = 1; i <= last; i++) {
        leave(5, 7, i);
    }
    assert_int_equal(made, places >> ST_LOG2_CHUNK);
    for (uint64_t i = 1; i < first; i++) {
        assert_int_equal(find(5, 7, i, &message), ST_NO_MESSAGE);
    }
    for (uint64_t i = first; i <= last; i++) {
        assert_int_not_equal(find(5, 7, i, &message), ST_NO_MESSAGE);
        assert_int_equal(message.number, i);
        assert_int_equal(message.tag, 7);
    }
    assert_int_equal(find(5, 8, last, &message), ST_NO_MESSAGE);
}

/* Each of them once, and each in its place. */
static void all_are_read_one_after_the_other(void **state)
{
    struct st_message message;
    uint64_t sum = 0;
    uint32_t next = 0, place, count = 0;
    (void)state;
    assert_int_equal(st_message_read_next(room, places - 1, &next, &message), ST_NO_MESSAGE);
    for (uint64_t i = 1; i <= 1000; i++) {
        leave(5, 7, i);
    }
    next = 0;
    while ((place = st_message_read_next(room, places - 1, &next, &message)) != ST_NO_MESSAGE) {
        assert_int_equal(find(5, 7, message.number, &message), place);
        sum += message.number;
        count++;
    }
    assert_int_equal(count, 1000);
    assert_int_equal(sum, 1000 * 1001 / 2);
    st_message_forget_all(room, places - 1);
    next = 0;
    assert_int_equal(st_message_read_next(room, places - 1, &next, &message), ST_NO_MESSAGE);
}

/* Nobody writes or reads there: the bytes are garbage. */
static void what_is_not_made_is_not_touched(void **state)
{
    struct st_message message;
    (void)state;
    const struct st_message trap = {.number = 1,
                                    .channel = st_message_channel(5, 0, 1, 7),
                                    .tag = 7,
                                    .comm = st_message_comm(5)};
    most = 0;
    for (uint32_t i = 0; i < places; i++) {
        room->list[i] = trap;
    }
    leave(5, 7, 1);
    assert_int_equal(find(5, 7, 1, &message), ST_NO_MESSAGE);
    for (uint32_t way = 0, next = 0; way < ST_MESSAGE_WAYS; way++) {
        assert_int_equal(st_message_read_near(room, places - 1, trap.channel, 1, way, &message),
                         ST_NO_MESSAGE);
        assert_int_equal(st_message_read_next(room, places - 1, &next, &message), ST_NO_MESSAGE);
    }
    st_message_forget(room, places - 1, 5);
    st_message_forget_all(room, places - 1);
    for (uint32_t i = 0; i < places; i++) {
        assert_memory_equal(&room->list[i], &trap, sizeof trap);
    }
    most = 1; /* there is memory again */
    leave(5, 7, 2);
    assert_int_not_equal(find(5, 7, 2, &message), ST_NO_MESSAGE);
    assert_int_equal(made, 1);
}

/* The lists beside the places lie behind them, as long as they are. */
static void the_room_has_place_for_all(void **state)
{
    (void)state;
    const char *begin = (const char *)room;
    const uint32_t mask = places - 1;
    assert_ptr_equal(st_message_after(room, mask), &room->list[places]);
    assert_ptr_equal(st_message_ticks(room, mask), st_message_after(room, mask) + places);
    assert_ptr_equal(begin + st_message_room_bytes(mask), st_message_ticks(room, mask) + places);
    assert_int_equal(st_message_room_bytes(mask) % 4096, 0);
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
    st_message_forget(room, places - 1, 5);
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
        cmocka_unit_test_setup_teardown(found_wherever_it_is_looked_for_first, begin_usual, end),
        cmocka_unit_test_setup_teardown(found_wherever_it_is_looked_for_first, begin_large, end),
        cmocka_unit_test_setup_teardown(one_like_the_last_is_found, begin_usual, end),
        cmocka_unit_test_setup_teardown(the_last_ones_stay, begin_small, end),
        cmocka_unit_test_setup_teardown(the_last_ones_stay, begin_usual, end),
        cmocka_unit_test_setup_teardown(the_last_ones_stay, begin_large, end),
        cmocka_unit_test_setup_teardown(few_are_driven_out_early, begin_usual, end),
        cmocka_unit_test_setup_teardown(a_communicator_is_forgotten, begin_usual, end),
        cmocka_unit_test_setup_teardown(all_are_read_one_after_the_other, begin_small, end),
        cmocka_unit_test_setup_teardown(all_are_read_one_after_the_other, begin_large, end),
        cmocka_unit_test_setup_teardown(what_is_not_made_is_not_touched, begin_small, end),
        cmocka_unit_test_setup_teardown(what_is_not_made_is_not_touched, begin_large, end),
        cmocka_unit_test_setup_teardown(the_room_has_place_for_all, begin_small, end),
        cmocka_unit_test_setup_teardown(the_room_has_place_for_all, begin_large, end),
        cmocka_unit_test(what_is_sent_is_the_beginning),
        cmocka_unit_test(what_is_not_known_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
