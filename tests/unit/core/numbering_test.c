/* Which message a receive got (core/agree/numbering.h), against a model of MPI's matching. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/agree/numbering.h"

enum { COMM = 5, OTHER_COMM = 6, ANY = ST_NUMBERING_ANY };

static uint64_t seed = 88172645463325252u;
static uint32_t draw(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 11) % below;
}

static void expect(struct st_numbering *numbering, uint32_t receive, int32_t source, int32_t tag,
                   uint64_t number)
{
    struct st_numbered numbered;
    assert_true(st_numbering_next(numbering, &numbered));
    assert_int_equal(numbered.receive, receive);
    assert_int_equal(numbered.channel.source, source);
    assert_int_equal(numbered.channel.tag, tag);
    assert_int_equal(numbered.number, number);
}

static void expect_none(struct st_numbering *numbering)
{
    struct st_numbered numbered;
    assert_false(st_numbering_next(numbering, &numbered));
}

static void the_order_of_posting_counts(void **state)
{
    struct st_numbering *numbering = st_numbering_new();
    (void)state;
    uint32_t first = st_numbering_post(numbering, COMM, 0, 7);
    uint32_t second = st_numbering_post(numbering, COMM, 0, 7);
    uint32_t other = st_numbering_post(numbering, OTHER_COMM, 0, 7);
    st_numbering_took(numbering, other, 0, 7);
    expect(numbering, other, 0, 7, 1);
    st_numbering_took(numbering, second, 0, 7);
    expect(numbering, second, 0, 7, 2);
    assert_int_equal(st_numbering_taken(numbering, &(struct st_channel){COMM, 0, 7}), 0);
    st_numbering_took(numbering, first, 0, 7);
    expect(numbering, first, 0, 7, 1);
    assert_int_equal(st_numbering_taken(numbering, &(struct st_channel){COMM, 0, 7}), 2);
    assert_int_equal(st_numbering_of(numbering, &(struct st_channel){COMM, 0, 7}), 3);
    expect_none(numbering);
    st_numbering_free(numbering);
}

static void wildcards_are_waited_for(void **state)
{
    struct st_numbering *numbering = st_numbering_new();
    const struct st_channel channel = {COMM, 1, 7};
    (void)state;
    uint32_t any = st_numbering_post(numbering, COMM, ANY, 7);
    uint32_t exact = st_numbering_post(numbering, COMM, 1, 7);
    assert_int_equal(st_numbering_of(numbering, &channel), 0);
    assert_int_equal(st_numbering_of(numbering, &(struct st_channel){COMM, 1, 8}), 1);
    st_numbering_took(numbering, exact, 1, 7);
    expect_none(numbering);
    st_numbering_took(numbering, any, 1, 7);
    expect(numbering, any, 1, 7, 1);
    expect(numbering, exact, 1, 7, 2);
    any = st_numbering_post(numbering, COMM, ANY, ANY);
    exact = st_numbering_post(numbering, COMM, 1, 7);
    st_numbering_took(numbering, exact, 1, 7);
    st_numbering_took(numbering, any, 2, 7);
    expect(numbering, any, 2, 7, 1);
    expect(numbering, exact, 1, 7, 3);
    expect_none(numbering);
    st_numbering_free(numbering);
}

static void cancelled_ones_are_waited_for(void **state)
{
    struct st_numbering *numbering = st_numbering_new();
    (void)state;
    for (int i = 0; i < 2; i++) {
        uint32_t cancelled = st_numbering_post(numbering, COMM, 0, i);
        uint32_t exact = st_numbering_post(numbering, COMM, 0, i);
        st_numbering_cancels(numbering, cancelled);
        st_numbering_took(numbering, exact, 0, i);
        expect_none(numbering);
        if (i == 0) {
            st_numbering_took_none(numbering, cancelled);
        } else {
            st_numbering_took(numbering, cancelled, 0, i);
            expect(numbering, cancelled, 0, i, 1);
        }
        expect(numbering, exact, 0, i, i == 0 ? 1 : 2);
    }
    st_numbering_free(numbering);
}

static void without_room_nothing_is_numbered(void **state)
{
    struct st_numbering *numbering = st_numbering_new();
    uint32_t receives[ST_NUMBERING_ROOM];
    struct st_numbered numbered;
    (void)state;
    uint32_t other = st_numbering_post(numbering, OTHER_COMM, 0, 7);
    for (int i = 1; i < ST_NUMBERING_ROOM; i++) {
        receives[i] = st_numbering_post(numbering, COMM, ANY, i);
    }
    st_numbering_took(numbering, receives[3], 0, 3);
    expect(numbering, receives[3], 0, 3, 1);
    receives[3] = st_numbering_post(numbering, COMM, 0, 1);
    st_numbering_took(numbering, receives[3], 0, 1);
    expect_none(numbering); /* receives[1] may have come before */
    assert_int_equal(st_numbering_post(numbering, COMM, 0, 9), ST_NO_RECEIVE);
    expect(numbering, receives[3], 0, 1, 0);
    assert_int_equal(st_numbering_post(numbering, COMM, 0, 9), ST_NO_RECEIVE);
    assert_int_equal(st_numbering_of(numbering, &(struct st_channel){COMM, 0, 9}), 0);
    st_numbering_took(numbering, receives[1], 0, 1);
    expect(numbering, receives[1], 0, 1, 0);
    st_numbering_took_none(numbering, receives[2]);
    expect_none(numbering);
    st_numbering_took(numbering, other, 0, 7);
    expect(numbering, other, 0, 7, 1);
    for (int i = 0; i < 3; i++) { /* there is room again, for others */
        assert_int_not_equal(st_numbering_post(numbering, OTHER_COMM, 0, 7), ST_NO_RECEIVE);
    }
    assert_false(st_numbering_next(numbering, &numbered));
    st_numbering_free(numbering);
}

static void many_channels_are_counted(void **state)
{
    struct st_channel_counts counts = {0};
    (void)state;
    for (int round = 1; round < 4; round++) {
        for (int32_t i = 0; i < 10000; i++) {
            const struct st_channel channel = {(uint64_t)(i % 7), i % 11, i};
            uint64_t *count = st_channel_count(&counts, &channel);
            assert_non_null(count);
            assert_int_equal(++*count, round);
        }
    }
    assert_int_equal(counts.used, 10000);
    free(counts.list);
}

/* --- the model ------------------------------------------------------------------------------ */

enum { SOURCES = 3, TAGS = 3, MOST = 40 };
struct model {
    struct {
        int32_t tag;
        uint64_t number; /* in its channel */
        bool taken;
    } messages[SOURCES][400];
    int sent[SOURCES];
    uint64_t numbers[SOURCES][TAGS];
    struct {
        uint32_t receive;
        int32_t source, tag; /* a pattern */
        int32_t from;        /* -1: nothing was matched yet */
        int message;
        bool is_used, is_complete, cancels;
    } receives[MOST]; /* in the order of posting */
    int receive_count;
};

/* The first message that has arrived, or will, and that the receive takes: in each source's order. */
static void match(struct model *model, int number)
{
    int start = (int)draw(SOURCES);
    for (int k = 0; k < SOURCES; k++) {
        int source = (start + k) % SOURCES;
        if (model->receives[number].source != ANY && model->receives[number].source != source) {
            continue;
        }
        for (int i = 0; i < model->sent[source]; i++) {
            if (!model->messages[source][i].taken &&
                (model->receives[number].tag == ANY ||
                 model->receives[number].tag == model->messages[source][i].tag)) {
                model->messages[source][i].taken = true;
                model->receives[number].from = source;
                model->receives[number].message = i;
                return;
            }
        }
    }
}

static void match_all(struct model *model)
{
    for (int i = 0; i < model->receive_count; i++) {
        if (model->receives[i].is_used && model->receives[i].from < 0 &&
            !model->receives[i].is_complete) {
            match(model, i);
        }
    }
}

static void take_numbers(struct model *model, struct st_numbering *numbering, int *numbered_count)
{
    struct st_numbered numbered;
    while (st_numbering_next(numbering, &numbered)) {
        int found = 0;
        for (int i = 0; i < model->receive_count; i++) {
            if (!model->receives[i].is_used || model->receives[i].receive != numbered.receive) {
                continue;
            }
            int source = model->receives[i].from, message = model->receives[i].message;
            assert_int_equal(numbered.channel.source, source);
            assert_int_equal(numbered.channel.tag, model->messages[source][message].tag);
            assert_int_equal(numbered.number, model->messages[source][message].number);
            model->receives[i].is_used = false;
            found++;
        }
        assert_int_equal(found, 1);
        ++*numbered_count;
    }
}

static void post(struct model *model, struct st_numbering *numbering)
{
    if (model->receive_count == MOST) {
        int kept = 0;
        for (int i = 0; i < MOST; i++) {
            if (model->receives[i].is_used) {
                model->receives[kept++] = model->receives[i];
            }
        }
        model->receive_count = kept;
    }
    if (model->receive_count == MOST) {
        return;
    }
    int number = model->receive_count++;
    int32_t source = draw(3) ? (int32_t)draw(SOURCES) : ANY,
            tag = draw(4) ? (int32_t)draw(TAGS) : ANY;
    memset(&model->receives[number], 0, sizeof model->receives[number]);
    model->receives[number].source = source;
    model->receives[number].tag = tag;
    model->receives[number].from = -1;
    model->receives[number].is_used = true;
    model->receives[number].receive = st_numbering_post(numbering, COMM, source, tag);
    assert_int_not_equal(model->receives[number].receive, ST_NO_RECEIVE);
}

static void end_one(struct model *model, struct st_numbering *numbering)
{
    int number = model->receive_count ? (int)draw((uint32_t)model->receive_count) : 0;
    if (!model->receive_count || !model->receives[number].is_used ||
        model->receives[number].is_complete) {
        return;
    }
    if (model->receives[number].from >= 0) {
        int source = model->receives[number].from, message = model->receives[number].message;
        model->receives[number].is_complete = true;
        st_numbering_took(numbering, model->receives[number].receive, source,
                          model->messages[source][message].tag);
    } else if (model->receives[number].cancels) {
        model->receives[number].is_used = false;
        st_numbering_took_none(numbering, model->receives[number].receive);
    } else if (draw(4) == 0) {
        model->receives[number].cancels = true;
        st_numbering_cancels(numbering, model->receives[number].receive);
    }
}

static void send(struct model *model)
{
    int source = (int)draw(SOURCES);
    int32_t tag = (int32_t)draw(TAGS);
    if (model->sent[source] == 400) {
        return;
    }
    int number = model->sent[source]++;
    model->messages[source][number].tag = tag;
    model->messages[source][number].number = ++model->numbers[source][tag];
}

static void random_ones_are_as_the_model_says(void **state)
{
    int numbered = 0;
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct model *model = calloc(1, sizeof *model);
        struct st_numbering *numbering = st_numbering_new();
        for (int step = 0; step < 1200; step++) {
            switch (draw(4)) {
            case 0:
                send(model);
                break;
            case 1:
                post(model, numbering);
                break;
            default:
                match_all(model);
                end_one(model, numbering);
            }
            take_numbers(model, numbering, &numbered);
        }
        st_numbering_free(numbering);
        free(model);
    }
    assert_true(numbered > 50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_posting_counts),
        cmocka_unit_test(wildcards_are_waited_for),
        cmocka_unit_test(cancelled_ones_are_waited_for),
        cmocka_unit_test(without_room_nothing_is_numbered),
        cmocka_unit_test(many_channels_are_counted),
        cmocka_unit_test(random_ones_are_as_the_model_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
