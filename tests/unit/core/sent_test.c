/* Messages that were sent and not received, read from what ranks show (core/waits/messages.h), and what they mean for
 * those who wait (core/waits/deaths.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/agree/segment.h"
#include "core/model/hash.h"
#include "core/waits/describe.h"
#include "core/waits/told.h"
#include "fixture.h"
#include "waiting.h"

enum { JOB = 9, OTHER = 78, COUNT = 3, LOG2_MESSAGES = 15, MASK = (1 << LOG2_MESSAGES) - 1 };

/* A rank's memory. */
struct shows {
    struct fixture f;
    uint64_t shared, messages, room, sent, received, taken;
    uint64_t tables[COUNT];
    uint8_t next[(1 << LOG2_MESSAGES) / ST_MESSAGE_WAYS];
    uint32_t places[COUNT]; /* of what was written last to each rank */
};

struct made {
    struct job job;
    struct shows ranks[COUNT];
    struct st_registry *registries[COUNT];
    struct st_wait_source source; /* of these registries */
    struct st_wait_messages found;
};

static struct st_shared_messages *messages_of(struct made *m, size_t rank)
{
    return image_at(&m->ranks[rank].f.image, m->ranks[rank].messages);
}

static uint64_t *count_of(struct made *m, size_t rank, uint64_t list, size_t at)
{
    return (uint64_t *)image_at(&m->ranks[rank].f.image, list) + at;
}

static void open_rank(struct made *m, uint32_t rank)
{
    struct shows *shows = &m->ranks[rank];
    struct image *image = &shows->f.image;
    const size_t list = ST_SEGMENT_RANKS * sizeof(uint64_t);
    fixture_init(&shows->f);
    shows->room = image_add(image, NULL, st_message_room_bytes(MASK));
    shows->sent = image_add(image, NULL, list);
    shows->received = image_add(image, NULL, list);
    for (size_t i = 0; i < COUNT; i++) {
        shows->tables[i] = image_add(image, NULL, sizeof(struct st_message_taken) << LOG2_MESSAGES);
    }
    shows->taken = image_add(image, NULL, list);
    memcpy(image_at(image, shows->taken), shows->tables, sizeof shows->tables);
    const struct st_shared_messages messages = {.magic = ST_SHARED_MESSAGES_MAGIC,
                                                .rank = rank,
                                                .log2_messages = LOG2_MESSAGES,
                                                .room = shows->room,
                                                .sent = shows->sent,
                                                .received = shows->received,
                                                .taken = shows->taken};
    shows->messages = image_add(image, &messages, sizeof messages);
    const struct st_shared_area shared = {.magic = ST_SHARED_MAGIC,
                                          .version = ST_SEGMENT_VERSION,
                                          .job = JOB,
                                          .messages = shows->messages};
    shows->shared = image->shared = image_add(image, &shared, sizeof shared);
    fixture_open(&shows->f);
    m->registries[rank] = shows->f.registry;
}

static int open_made(void **state)
{
    struct made *m = calloc(1, sizeof *m);
    make_job(&m->job, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        open_rank(m, i);
    }
    m->source.registries = m->registries;
    *state = m;
    return 0;
}

static int close_made(void **state)
{
    struct made *m = *state;
    st_wait_messages_free(&m->found);
    for (size_t i = 0; i < COUNT; i++) {
        fixture_deinit(&m->ranks[i].f);
    }
    free(m);
    return 0;
}

static struct st_message_room *room_made;

static bool make_chunk(uint32_t chunk)
{
    room_made->facts.is_made[chunk] = 1;
    return true;
}

/* The message number `number` of its channel. */
static void sends(struct made *m, uint32_t from, uint32_t to, int32_t tag, uint64_t id,
                  uint64_t number)
{
    struct shows *shows = &m->ranks[from];
    const uint64_t comm = st_hash_word(id, JOB);
    const struct st_message message = {
        .number = number,
        .channel = st_message_channel(comm, (int32_t)from, (int32_t)to, tag),
        .tag = tag,
        .to = (int32_t)to,
        .comm = st_message_comm(comm)};
    const struct st_message_writer writer = {image_at(&shows->f.image, shows->room), shows->next,
                                             MASK, make_chunk};
    room_made = writer.room;
    shows->places[to] = st_message_open(&writer, message.channel, number);
    st_message_close(&writer, shows->places[to], &message);
    ++*count_of(m, from, shows->sent, to);
}

/* What `from` has sent last. */
static void takes(struct made *m, uint32_t from, uint32_t to)
{
    struct shows *shows = &m->ranks[to];
    const struct st_message_room *room = image_at(&m->ranks[from].f.image, m->ranks[from].room);
    struct st_message_taken *taken = image_at(&shows->f.image, shows->tables[from]);
    const uint32_t place = m->ranks[from].places[to];
    taken[place].channel = room->list[place].channel;
    taken[place].number = room->list[place].number;
    ++*count_of(m, to, shows->received, from);
}

static void look(struct made *m)
{
    struct st_fault fault;
    bool changed;
    st_wait_messages_free(&m->found);
    for (size_t i = 0; i < COUNT; i++) {
        if (m->registries[i]) {
            assert_int_equal(st_registry_refresh(m->registries[i], &changed, &fault), ST_OK);
        }
    }
    assert_true(st_wait_messages_read(m->job.ranks, &m->source, COUNT, &m->found));
    for (size_t i = 0; i < COUNT; i++) {
        m->job.ranks[i].messages = &m->found;
    }
}

static enum st_wait_message for_part(struct made *m, uint32_t from, uint32_t to, int32_t tag)
{
    const struct st_wait_part part = {.sort = ST_WAIT_RECEIVE,
                                      .peer = (int32_t)from,
                                      .world = (int32_t)from,
                                      .process = m->job.members[from],
                                      .tag = tag};
    return st_wait_message_for(m->job.ranks, from, to, &part);
}

/* Messages of partitioned communication are not in the list: nothing is known of them, and no other message is near. */
static void partitioned_messages_are_unknown(void **state)
{
    struct made *m = *state;
    const struct st_wait_part part = {.sort = ST_WAIT_RECEIVE,
                                      .peer = 1,
                                      .world = 1,
                                      .process = m->job.members[1],
                                      .tag = 7,
                                      .function = "MPI_Precv_init"};
    enum st_wait_miss miss;
    look(m);
    assert_int_equal(st_wait_message_for(m->job.ranks, 1, 0, &part), ST_MESSAGE_UNKNOWN);
    sends(m, 1, 0, 7, ID, 1);
    look(m);
    assert_int_equal(st_wait_message_for(m->job.ranks, 1, 0, &part), ST_MESSAGE_UNKNOWN);
    sends(m, 1, 0, 8, ID, 1);
    look(m);
    assert_null(st_wait_near_miss(m->job.ranks, 0, &part, &miss));
}

static void a_message_comes_until_it_is_taken(void **state)
{
    struct made *m = *state;
    look(m);
    assert_int_equal(for_part(m, 1, 0, 7), ST_MESSAGE_MISSING);
    sends(m, 1, 0, 7, ID, 1);
    look(m);
    assert_int_equal(m->found.count, 1);
    assert_int_equal(for_part(m, 1, 0, 7), ST_MESSAGE_COMES);
    assert_int_equal(for_part(m, 1, 0, ST_PEER_ANY), ST_MESSAGE_COMES);
    assert_int_equal(for_part(m, 1, 0, 8), ST_MESSAGE_MISSING);
    assert_int_equal(for_part(m, 1, 2, 7), ST_MESSAGE_MISSING);
    assert_int_equal(for_part(m, 2, 0, 7), ST_MESSAGE_MISSING);
    takes(m, 1, 0);
    look(m);
    assert_int_equal(m->found.count, 0);
    assert_int_equal(for_part(m, 1, 0, 7), ST_MESSAGE_MISSING);
    sends(m, 1, 0, 7, OTHER, 1);
    look(m);
    assert_int_equal(for_part(m, 1, 0, 7), ST_MESSAGE_MISSING);
}

/* What does not add up says nothing. */
static void what_is_not_sure_is_unknown(void **state)
{
    struct made *m = *state;
    ++*count_of(m, 1, m->ranks[1].sent, 0); /* a message that others have taken the place of */
    look(m);
    assert_int_equal(for_part(m, 1, 0, 7), ST_MESSAGE_UNKNOWN);
    assert_int_equal(for_part(m, 2, 0, 7), ST_MESSAGE_MISSING);
    sends(m, 1, 0, 7, ID, 2);
    look(m);
    assert_int_equal(for_part(m, 1, 0, 7), ST_MESSAGE_COMES);
    assert_int_equal(for_part(m, 1, 0, 8), ST_MESSAGE_UNKNOWN);
    messages_of(m, 2)->is_unsure = 1;
    look(m);
    assert_int_equal(for_part(m, 2, 0, 7), ST_MESSAGE_UNKNOWN);
    assert_int_equal(for_part(m, 0, 2, 7), ST_MESSAGE_UNKNOWN);
    assert_int_equal(for_part(m, 0, 1, 7), ST_MESSAGE_MISSING);
    messages_of(m, 1)->unnumbered = 1;
    look(m);
    assert_int_equal(for_part(m, 0, 1, 7), ST_MESSAGE_UNKNOWN);
    m->job.ranks[0].messages = NULL;
    assert_int_equal(for_part(m, 1, 0, 7), ST_MESSAGE_UNKNOWN);
}

/* Messages in all chunks of the room. */
static void they_are_found_wherever_they_are(void **state)
{
    enum { SENT = 400 };
    struct made *m = *state;
    struct st_message_room *room = image_at(&m->ranks[1].f.image, m->ranks[1].room);
    uint32_t chunks = 0;
    for (int i = 1; i <= SENT; i++) {
        sends(m, 1, i % 2 ? 0 : 2, i, ID, 1);
        if (i % 4 == 1) {
            takes(m, 1, 0);
        }
    }
    for (uint32_t i = 0; i <= MASK >> ST_LOG2_CHUNK; i++) {
        chunks += room->facts.is_made[i];
    }
    assert_true(chunks > 4);
    look(m);
    assert_int_equal(m->found.count, SENT / 4 * 3);
    for (int i = 1; i <= SENT; i++) {
        assert_int_equal(for_part(m, 1, i % 2 ? 0 : 2, i),
                         i % 4 == 1 ? ST_MESSAGE_MISSING : ST_MESSAGE_COMES);
    }
    room->facts.is_made[m->ranks[1].places[0] >> ST_LOG2_CHUNK] = 0; /* it was not seen */
    look(m);
    assert_int_equal(for_part(m, 1, 0, SENT + 1), ST_MESSAGE_UNKNOWN);
    memset(room->facts.is_made, 1, sizeof room->facts.is_made);
    messages_of(m, 1)->log2_messages = ST_LOG2_MESSAGES_MOST; /* more than can be read */
    look(m);
    assert_int_equal(for_part(m, 1, 0, SENT + 1), ST_MESSAGE_UNKNOWN);
}

static void damage_is_no_message(void **state)
{
    struct made *m = *state;
    sends(m, 1, 0, 7, ID, 1);
    struct st_shared_messages *messages = messages_of(m, 1);
    const struct st_shared_messages whole = *messages;
    for (int i = 0; i < 8; i++) {
        *messages = whole;
        switch (i) {
        case 0:
            messages->magic++;
            break;
        case 1:
            messages->room = 16;
            break;
        case 2:
            messages->room += 4;
            break;
        case 3:
            messages->rank = ST_SEGMENT_RANKS;
            break;
        case 4:
            messages->sent = 0;
            break;
        case 5:
            messages->log2_messages = ST_LOG2_MESSAGES_LEAST - 1;
            break;
        case 6:
            messages->log2_messages = UINT32_MAX;
            break;
        default:
            messages->taken = UINT64_MAX - 7;
        }
        look(m);
        assert_int_equal(m->found.count, 0);
        assert_int_equal(for_part(m, 1, 0, 8), ST_MESSAGE_UNKNOWN);
    }
    *messages = whole;
    *count_of(m, 0, m->ranks[0].taken, 1) = 24; /* the receiver's list of what it has taken */
    look(m);
    assert_int_equal(m->found.count, 0);
    assert_int_equal(for_part(m, 1, 0, 8), ST_MESSAGE_UNKNOWN);
    m->registries[1] = NULL;
    look(m);
    assert_int_equal(for_part(m, 1, 0, 7), ST_MESSAGE_UNKNOWN);
}

/* --- who can never go on ---------------------------------------------------------------------- */

static void what_is_on_the_way_is_no_deadlock(void **state)
{
    struct made *m = *state;
    receive(&m->job, 0, 1);
    receive(&m->job, 1, 0);
    look(m);
    expect(&m->job, "01");
    sends(m, 0, 1, 9, ID, 1);
    look(m);
    expect(&m->job, "01");
    sends(m, 0, 1, 7, ID, 1);
    look(m);
    expect(&m->job, "");
}

static void from_any_source_too(void **state)
{
    struct made *m = *state;
    struct st_wait_part any = {
        .sort = ST_WAIT_RECEIVE, .peer = ST_PEER_ANY, .world = ST_PEER_ANY, .tag = 7};
    wait_for(&m->job, 0, any);
    receive(&m->job, 1, 0);
    receive(&m->job, 2, 0);
    look(m);
    expect(&m->job, "012");
    sends(m, 2, 0, 7, ID, 1);
    look(m);
    expect(&m->job, "");
}

/* Rank 0 has posted a receive from any source before: that has taken the only message. */
static void an_earlier_receive_may_have_it(void **state)
{
    struct made *m = *state;
    struct st_wait_part *earlier = &m->job.pending[0];
    *earlier = (struct st_wait_part){.sort = ST_WAIT_RECEIVE,
                                     .is_request = true,
                                     .peer = ST_PEER_ANY,
                                     .world = ST_PEER_ANY,
                                     .tag = 7,
                                     .handle = 1};
    m->job.ranks[0].pending = earlier;
    m->job.ranks[0].pending_count = 1;
    receive(&m->job, 0, 2);
    receive(&m->job, 2, 0);
    sends(m, 2, 0, 7, ID, 1);
    look(m);
    expect(&m->job, "02");
    earlier->tag = 8;
    expect(&m->job, "");
    earlier->tag = 7;
    earlier->is_complete = true;
    expect(&m->job, "");
    earlier->is_complete = false;
    m->job.parts[0][0].is_request = true; /* it is that receive which waits */
    m->job.parts[0][0].handle = 1;
    expect(&m->job, "");
    m->job.parts[0][0].is_request = false;
    expect(&m->job, "02");
    sends(m, 2, 0, 7, ID, 2);
    look(m);
    expect(&m->job, "");
    takes(m, 2, 0);
    look(m);
    expect(&m->job, "02");
}

/* Rank 0 waits for messages of both, and one of them has come. */
static void all_that_are_missing_have_to_come(void **state)
{
    struct made *m = *state;
    receive(&m->job, 0, 1);
    receive(&m->job, 0, 2);
    strcpy(m->job.threads[0].function, "MPI_Waitall");
    receive(&m->job, 2, 0);
    look(m);
    expect(&m->job, "02"); /* though rank 1 runs */
    sends(m, 2, 0, 7, ID, 1);
    look(m);
    expect(&m->job, "");
    strcpy(m->job.threads[0].function, "MPI_Waitany");
    takes(m, 2, 0);
    look(m);
    expect(&m->job, "");
}

static void both_that_are_missing_are_a_cycle(void **state)
{
    struct made *m = *state;
    receive(&m->job, 0, 1);
    receive(&m->job, 0, 2);
    strcpy(m->job.threads[0].function, "MPI_Sendrecv");
    receive(&m->job, 1, 0);
    receive(&m->job, 2, 0);
    look(m);
    expect(&m->job, "012");
    sends(m, 0, 2, 7, ID, 1);
    look(m);
    expect(&m->job, "01"); /* rank 2 goes on, and may send: rank 1 does not */
}

/* --- in words --------------------------------------------------------------------------------- */

static void says(struct made *m, const char *waits)
{
    const uint32_t rank = 0;
    const struct st_told_job job = {.ranks = m->job.ranks, .count = COUNT};
    struct st_told_calls calls;
    strcpy(m->job.comms[0].name, "MPI_COMM_WORLD");
    look(m);
    assert_true(st_told_list(&job, &rank, 1, &calls));
    assert_int_equal(calls.count, 1);
    assert_string_equal(calls.list[0].waits, waits);
    st_told_list_free(&calls);
}

static void near_misses_are_named(void **state)
{
    struct made *m = *state;
    receive(&m->job, 0, 1);
    says(m, "waits for a message from rank 1 with tag 7; rank 1 has sent none");
    sends(m, 1, 2, 7, ID, 1);
    says(m, "waits for a message from rank 1 with tag 7; rank 1 has sent one to rank 2");
    sends(m, 2, 0, 7, ID, 1);
    says(m, "waits for a message from rank 1 with tag 7; rank 2 has sent one");
    sends(m, 1, 0, 7, OTHER, 1);
    says(m, "waits for a message from rank 1 with tag 7; rank 1 has sent one on another "
            "communicator");
    sends(m, 1, 0, 9, ID, 1);
    says(m, "waits for a message from rank 1 with tag 7; rank 1 has sent one with tag 9");
    takes(m, 1, 0);
    says(m, "waits for a message from rank 1 with tag 7; rank 1 has sent one on another "
            "communicator");
    messages_of(m, 1)->magic = 0;
    takes(m, 2, 0);
    says(m, "waits for a message from rank 1 with tag 7");
}

static void what_is_missing_of_several_is_named(void **state)
{
    struct made *m = *state;
    receive(&m->job, 0, 1);
    receive(&m->job, 0, 2);
    strcpy(m->job.threads[0].function, "MPI_Waitall");
    says(m, "waits for a message from rank 1 with tag 7; rank 1 has sent none, and a message from "
            "rank 2 with tag 7; rank 2 has sent none");
    sends(m, 1, 0, 7, ID, 1);
    says(m, "waits for a message from rank 2 with tag 7; rank 2 has sent none");
    sends(m, 2, 0, 7, ID, 1);
    says(m, "waits for a message from rank 1 with tag 7, or a message from rank 2 with tag 7");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_made, close_made)
    const struct CMUnitTest tests[] = {TEST(partitioned_messages_are_unknown),
                                       TEST(a_message_comes_until_it_is_taken),
                                       TEST(what_is_not_sure_is_unknown),
                                       TEST(they_are_found_wherever_they_are),
                                       TEST(damage_is_no_message),
                                       TEST(what_is_on_the_way_is_no_deadlock),
                                       TEST(from_any_source_too),
                                       TEST(an_earlier_receive_may_have_it),
                                       TEST(all_that_are_missing_have_to_come),
                                       TEST(both_that_are_missing_are_a_cycle),
                                       TEST(near_misses_are_named),
                                       TEST(what_is_missing_of_several_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
