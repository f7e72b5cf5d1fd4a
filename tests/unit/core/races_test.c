/* Which one-sided accesses are in conflict (core/races). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/layout/layout_make.h"
#include "core/overlap/window.h"
#include "core/races/footprint.h"
#include "core/races/races.h"
#include "image.h"

/* --- bytes ---------------------------------------------------------------------------------- */

static struct st_layout *draw_layout(uint64_t *seed)
{
    struct st_layout *layout;
    if (image_random(seed) % 2) {
        const size_t count = 2 + image_random(seed) % 40;
        struct st_run *runs = malloc(count * sizeof *runs);
        for (size_t i = 0; i < count; i++) {
            runs[i].from = image_random(seed) % 500;
            runs[i].to = runs[i].from + 1 + image_random(seed) % 9;
        }
        layout = st_layout_of_runs(runs, count, (int64_t)(image_random(seed) % 64) - 32);
    } else {
        layout = st_layout_block(1 + image_random(seed) % 16);
    }
    for (uint64_t i = image_random(seed) % 3; i > 0; i--) {
        struct st_layout *more = st_layout_repeat(layout, 1 + (int64_t)(image_random(seed) % 4),
                                                  (int64_t)(image_random(seed) % 300) - 100);
        st_layout_release(layout);
        layout = more;
    }
    return layout;
}

enum { BYTES = 8192, ZERO = 4096 };

static void mark_bytes(const struct st_buffer *buffer, uint8_t bytes[BYTES])
{
    struct st_window window;
    struct st_effort effort = st_effort_of(1 << 20);
    struct st_run run;
    memset(bytes, 0, BYTES);
    st_window_init(&window, buffer, 0, buffer->span);
    while (st_window_next(&window, &effort, &run) == ST_YES) {
        const int64_t first = ZERO + (int64_t)buffer->first + (int64_t)run.from;
        assert_in_range(first, 0, BYTES - (run.to - run.from));
        memset(bytes + first, 1, run.to - run.from);
    }
    st_window_deinit(&window);
}

static void test_footprint(void **state)
{
    uint64_t seed = 20261124;
    static uint8_t before[BYTES], after[BYTES];
    unsigned listed = 0, single = 0, put = 0;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct st_access_record access = {0};
        struct st_access_runs runs[ST_FOOTPRINT_RUNS];
        struct st_layout *layout = draw_layout(&seed);
        struct st_buffer buffer, back;
        const int64_t extent = (int64_t)(image_random(&seed) % 400) - 100;
        st_buffer_repeat(&buffer, layout, true, extent, 1 + (int64_t)(image_random(&seed) % 3), 0);
        if (st_footprint_put(&access, runs, &buffer)) {
            const uint64_t at = image_random(&seed) % 100;
            struct st_layout *read;
            assert_true(st_footprint_bytes(&access, runs, at, &back, &read));
            assert_int_equal(back.doubt, ST_DOUBT_NONE);
            back.first -= at;
            mark_bytes(&buffer, before);
            mark_bytes(&back, after);
            assert_memory_equal(before, after, BYTES);
            st_layout_release(read);
            put++;
            listed += access.runs != 0;
            single += !access.runs && !access.levels;
        }
        st_layout_release(layout);
    }
    assert_true(put > 15000 && listed > 3000 && single > 300 && put - listed - single > 2000);
}

static void test_footprint_refused(void **state)
{
    struct st_access_record access = {.runs = 3};
    struct st_access_runs runs[ST_FOOTPRINT_RUNS] = {{.runs = {{0, 4}, {9, 9}, {12, 13}}}};
    struct st_layout *layout;
    struct st_buffer bytes;
    (void)state;
    assert_false(st_footprint_bytes(&access, runs, 0, &bytes, &layout)); /* an empty block */
    runs[0].runs[1].to = 10;
    assert_true(st_footprint_bytes(&access, runs, 0, &bytes, &layout));
    assert_non_null(layout);
    st_layout_release(layout);
    runs[0].runs[1].to = UINT64_MAX;
    assert_false(st_footprint_bytes(&access, runs, 0, &bytes, &layout));
    access = (struct st_access_record){0};
    assert_false(st_footprint_bytes(&access, runs, 0, &bytes, &layout)); /* no bytes */
    access = (struct st_access_record){.block = 2, .low = INT64_MAX};
    assert_true(st_footprint_bytes(&access, runs, 0, &bytes, &layout));
    assert_int_not_equal(bytes.doubt, ST_DOUBT_NONE); /* beyond the end */
    st_layout_release(layout);
}

/* --- conflicts ------------------------------------------------------------------------------ */

enum { WINDOW = 5, OTHER_WINDOW = 6, INT = 77, FLOAT = 78, SUM = 1, MAX = 2 };
#define PUT ST_ACCESS_WRITES
#define RECV (ST_ACCESS_WRITES | ST_ACCESS_LOCAL)
#define SEND (ST_ACCESS_READS | ST_ACCESS_LOCAL)
#define GET ST_ACCESS_READS
#define ADD (ST_ACCESS_WRITES | ST_ACCESS_ATOMIC)
#define FETCH (ST_ACCESS_READS | ST_ACCESS_ATOMIC)
#define SWAP (ST_ACCESS_READS | ST_ACCESS_WRITES | ST_ACCESS_ATOMIC | ST_ACCESS_SWAPS)

struct drawn {
    uint32_t origin;
    unsigned kind;
    uint64_t at, window, element;
    uint32_t operation;
    unsigned epoch;
};

static struct st_remote *enter(struct st_races *races, const struct drawn *drawn, uint32_t knows)
{
    static uint64_t number;
    const struct st_access_record call = {
        .number = ++number,
        .window = drawn->window ? drawn->window : WINDOW,
        .element = drawn->element ? drawn->element : INT,
        .element_size = 4,
        .block = 4,
        .operation = drawn->operation,
        .kind = (uint8_t)drawn->kind,
        .epoch = (uint8_t)(drawn->epoch ? drawn->epoch : ST_ACCESS_FENCE)};
    struct st_clock start = {.ticks = {0}};
    start.ticks[1] = knows;
    struct st_layout *layout = st_layout_block(4);
    struct st_buffer bytes;
    st_buffer_repeat(&bytes, layout, true, 0, 1, 1000 + drawn->at);
    struct st_remote *remote = st_races_enter(races, &call, drawn->origin, &start, &bytes);
    st_layout_release(layout);
    return remote;
}

static void count_met(void *context, const struct st_remote *one, const struct st_remote *other,
                      enum st_race race, const struct st_shared *shared)
{
    unsigned *met = context;
    assert_true(one->is_settled && !other->is_settled && shared->length > 0);
    met[race]++;
}

static void check_pair(const struct drawn *one, const struct drawn *other, enum st_race expected)
{
    struct st_races *races = st_races_new(4);
    unsigned met[4] = {0};
    struct st_remote *first = enter(races, one, 0), *second = enter(races, other, 0);
    assert_int_equal(st_races_judge(first, second), expected);
    assert_int_equal(st_races_judge(second, first), expected);
    assert_int_equal(st_races_settle(races, NULL, count_met, met), 0);
    assert_int_equal(met[expected], expected != ST_RACE_NONE);
    assert_int_equal(met[1] + met[2] + met[3], expected != ST_RACE_NONE);
    st_races_free(races);
}

static void test_rules(void **state)
{
    (void)state;
    const struct {
        struct drawn one, other;
        enum st_race race;
    } rows[] = {
        {{.origin = 0, .kind = PUT}, {.origin = 1, .kind = RECV}, ST_RACE_CONFLICT},
        {{.origin = 1, .kind = GET}, {.origin = 1, .kind = RECV}, ST_RACE_CONFLICT},
        {{.origin = 0, .kind = GET}, {.origin = 1, .kind = SEND}, ST_RACE_NONE},
        {{.origin = 1, .kind = SEND}, {.origin = 1, .kind = RECV}, ST_RACE_NONE},
        {{.origin = 0, .kind = PUT}, {.origin = 2, .kind = PUT}, ST_RACE_CONFLICT},
        {{.origin = 0, .kind = PUT}, {.origin = 0, .kind = PUT}, ST_RACE_CONFLICT},
        {{.origin = 0, .kind = PUT}, {.origin = 2, .kind = GET}, ST_RACE_CONFLICT},
        {{.origin = 0, .kind = GET}, {.origin = 2, .kind = GET}, ST_RACE_NONE},
        {{.origin = 0, .kind = ADD, .operation = SUM},
         {.origin = 2, .kind = GET},
         ST_RACE_CONFLICT},
        {{.origin = 0, .kind = ADD, .operation = SUM},
         {.origin = 2, .kind = PUT},
         ST_RACE_CONFLICT},
        {{.origin = 0, .kind = FETCH}, {.origin = 2, .kind = GET}, ST_RACE_NONE},
        {{.origin = 0, .kind = FETCH}, {.origin = 2, .kind = PUT}, ST_RACE_CONFLICT},
        {{.origin = 0, .kind = ADD, .operation = SUM},
         {.origin = 2, .kind = ADD, .operation = SUM},
         ST_RACE_NONE},
        {{.origin = 0, .kind = ADD, .operation = SUM},
         {.origin = 2, .kind = ADD, .operation = MAX},
         ST_RACE_OPERATIONS},
        {{.origin = 0, .kind = ADD, .operation = SUM},
         {.origin = 0, .kind = ADD, .operation = MAX},
         ST_RACE_NONE},
        {{.origin = 0, .kind = ADD, .operation = SUM}, {.origin = 2, .kind = FETCH}, ST_RACE_NONE},
        {{.origin = 0, .kind = ADD, .operation = SUM}, {.origin = 2, .kind = SWAP}, ST_RACE_NONE},
        {{.origin = 0, .kind = ADD},
         {.origin = 2, .kind = ADD, .operation = SUM},
         ST_RACE_NONE}, /* an unknown one */
        {{.origin = 0, .kind = ADD, .operation = SUM},
         {.origin = 2, .kind = ADD, .operation = SUM, .element = FLOAT},
         ST_RACE_ELEMENTS},
        {{.origin = 0, .kind = ADD, .operation = SUM},
         {.origin = 0, .kind = ADD, .operation = SUM, .element = FLOAT},
         ST_RACE_ELEMENTS},
        {{.origin = 0, .kind = ADD, .operation = SUM},
         {.origin = 2, .kind = ADD, .at = 2, .operation = SUM},
         ST_RACE_ELEMENTS},
        {{.origin = 0, .kind = PUT, .epoch = ST_ACCESS_SHARED},
         {.origin = 2, .kind = PUT, .epoch = ST_ACCESS_SHARED},
         ST_RACE_CONFLICT},
        {{.origin = 0, .kind = PUT, .epoch = ST_ACCESS_EXCLUSIVE},
         {.origin = 2, .kind = PUT, .epoch = ST_ACCESS_SHARED},
         ST_RACE_NONE},
        {{.origin = 0, .kind = PUT, .epoch = ST_ACCESS_EXCLUSIVE},
         {.origin = 0, .kind = PUT, .epoch = ST_ACCESS_EXCLUSIVE},
         ST_RACE_CONFLICT},
        {{.origin = 0, .kind = PUT, .epoch = ST_ACCESS_EXCLUSIVE},
         {.origin = 2, .kind = PUT, .epoch = ST_ACCESS_EXCLUSIVE, .window = OTHER_WINDOW},
         ST_RACE_CONFLICT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_pair(&rows[i].one, &rows[i].other, rows[i].race);
    }
    /* Beside each other. */
    check_pair(&(struct drawn){.origin = 0, .kind = PUT},
               &(struct drawn){.origin = 2, .kind = PUT, .at = 3}, ST_RACE_CONFLICT);
    struct st_races *races = st_races_new(4);
    unsigned met[4] = {0};
    enter(races, &(struct drawn){.origin = 0, .kind = PUT}, 0);
    enter(races, &(struct drawn){.origin = 2, .kind = PUT, .at = 4}, 0);
    st_races_settle(races, NULL, count_met, met);
    assert_int_equal(met[ST_RACE_CONFLICT], 0);
    st_races_free(races);
}

static struct st_ending locks_of(uint32_t origin, uint8_t kind, uint32_t tick)
{
    return (struct st_ending){.origin = origin,
                              .window = WINDOW,
                              .epoch = ST_ACCESS_LOCKS,
                              .kind = kind,
                              .end = {origin, tick}};
}

static void test_order(void **state)
{
    const struct drawn put = {.origin = 1, .kind = PUT, .epoch = ST_ACCESS_SHARED},
                       get = {.origin = 1, .kind = GET, .epoch = ST_ACCESS_SHARED},
                       other = {.origin = 2, .kind = PUT, .epoch = ST_ACCESS_SHARED};
    struct st_races *races = st_races_new(4);
    (void)state;
    struct st_remote *first = enter(races, &put, 0), *read = enter(races, &get, 0);
    struct st_remote *early = enter(races, &other, 6), *late = enter(races, &other, 7),
                     *vague = enter(races, &other, ST_TICK_ALL);
    assert_int_equal(st_races_judge(first, late), ST_RACE_CONFLICT);
    assert_int_equal(st_races_judge(first, vague), ST_RACE_NONE);
    st_races_end(
        races, &(struct st_ending){.origin = 1, .window = OTHER_WINDOW, .epoch = ST_ACCESS_LOCKS});
    st_races_end(races,
                 &(struct st_ending){.origin = 1, .window = WINDOW, .epoch = ST_ACCESS_FENCE});
    assert_false(first->has_ended || read->has_ended);
    struct st_ending ending = locks_of(1, ST_ACCESS_READS, 7);
    st_races_end(races, &ending);
    assert_true(!first->has_ended && read->has_ended);
    assert_int_equal(st_races_judge(read, late), ST_RACE_NONE);
    assert_int_equal(st_races_judge(read, early), ST_RACE_CONFLICT);
    assert_int_equal(st_races_judge(first, late), ST_RACE_CONFLICT);
    ending = locks_of(1, 0, 7);
    st_races_end(races, &ending);
    assert_int_equal(st_races_judge(first, late), ST_RACE_NONE);
    assert_int_equal(st_races_judge(late, first), ST_RACE_NONE);
    assert_int_equal(st_races_judge(first, early), ST_RACE_CONFLICT);
    st_races_free(races);
}

static bool is_second(void *context, struct st_remote *remote)
{
    (void)context;
    return remote->origin == 2;
}

static void test_kept(void **state)
{
    struct st_races *races = st_races_new(4);
    unsigned met[4] = {0};
    struct st_clock known = {.ticks = {9, 9, 9, 9}};
    (void)state;
    const struct st_remote *first =
        enter(races, &(struct drawn){.origin = 1, .kind = PUT, .epoch = ST_ACCESS_SHARED}, 0);
    enter(races, &(struct drawn){.origin = 2, .kind = PUT}, 0);
    st_races_settle(races, is_second, count_met, met);
    assert_false(first->is_settled);
    assert_int_equal(met[ST_RACE_CONFLICT], 0);
    st_races_settle(races, NULL, count_met, met);
    assert_int_equal(met[ST_RACE_CONFLICT], 1);
    st_races_forget(races, &known);
    assert_int_equal(st_races_count(races), 2);
    struct st_ending ending = locks_of(1, 0, 10);
    st_races_end(races, &ending);
    st_races_forget(races, &known);
    assert_int_equal(st_races_count(races), 2);
    known.ticks[1] = 10;
    st_races_forget(races, &known);
    assert_int_equal(st_races_count(races), 1);
    assert_int_equal(st_races_drop(races, 1, 0), 0);
    assert_int_equal(st_races_drop(races, 2, 0), 1);
    enter(races, &(struct drawn){.origin = 2, .kind = PUT, .window = OTHER_WINDOW}, 0);
    enter(races, &(struct drawn){.origin = 2, .kind = PUT}, 0);
    st_races_drop_window(races, OTHER_WINDOW);
    assert_int_equal(st_races_count(races), 1);
    st_races_free(races);
}

/* No more than there is room for; those that have ended longest ago go. */
static void test_many(void **state)
{
    struct st_races *races = st_races_new(4);
    (void)state;
    for (uint32_t i = 0; i < ST_MOST_REMOTES + 100; i++) {
        const struct st_remote *one = enter(
            races,
            &(struct drawn){.origin = 1, .kind = PUT, .at = 8 * i, .epoch = ST_ACCESS_SHARED}, i);
        assert_non_null(one);
        const struct st_ending ending = locks_of(1, 0, i + 1);
        st_races_end(races, &ending);
    }
    assert_int_equal(st_races_count(races), ST_MOST_REMOTES);
    assert_int_equal(st_races_forgotten(races), 100);
    st_races_free(races);
    races = st_races_new(4);
    for (uint32_t i = 0; i < ST_MOST_REMOTES; i++) {
        assert_non_null(enter(races, &(struct drawn){.origin = 1, .kind = GET, .at = 8 * i}, 0));
    }
    assert_null(enter(races, &(struct drawn){.origin = 1, .kind = GET}, 0));
    st_races_free(races);
}

/* The same again and again in one epoch: the first one stands for all. */
static void test_repeated(void **state)
{
    const struct drawn add = {.origin = 1, .kind = ADD, .operation = SUM};
    const struct {
        struct drawn second;
        uint32_t knows;
        size_t kept;
    } rows[] = {
        {{.origin = 1, .kind = ADD, .operation = SUM}, 5, 1},
        {{.origin = 1, .kind = ADD, .operation = SUM}, 6, 1},
        {{.origin = 1, .kind = ADD, .operation = SUM},
         4,
         2}, /* it may come after what ended at 5 */
        {{.origin = 1, .kind = ADD, .operation = SUM}, ST_TICK_ALL, 2},
        {{.origin = 1, .kind = ADD, .operation = MAX}, 5, 2},
        {{.origin = 1, .kind = ADD, .operation = SUM, .element = FLOAT}, 5, 2},
        {{.origin = 1, .kind = ADD, .operation = SUM, .at = 2}, 5, 2},
        {{.origin = 2, .kind = ADD, .operation = SUM}, 5, 2},
        {{.origin = 1, .kind = ADD, .operation = SUM, .window = OTHER_WINDOW}, 5, 2},
        {{.origin = 1, .kind = ADD, .operation = SUM, .epoch = ST_ACCESS_SHARED}, 5, 2},
        {{.origin = 1, .kind = ADD | ST_ACCESS_ALONE, .operation = SUM}, 5, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct st_races *races = st_races_new(4);
        unsigned met[4] = {0};
        enter(races, &add, 5);
        enter(races, &rows[i].second, rows[i].knows);
        st_races_settle(races, NULL, count_met, met);
        assert_int_equal(st_races_count(races), rows[i].kept);
        st_races_free(races);
    }
    struct st_races *races = st_races_new(4);
    unsigned met[4] = {0};
    struct st_remote *first = enter(races, &add, 0);
    for (int i = 1; i <= 1000; i++) {
        enter(races, &add, 0);
        if (i % 7 == 0) {
            st_races_settle(races, NULL, count_met, met);
        }
    }
    st_races_settle(races, NULL, count_met, met);
    assert_int_equal(st_races_count(races), 1);
    enter(races, &(struct drawn){.origin = 2, .kind = PUT}, 0);
    st_races_settle(races, NULL, count_met, met);
    assert_int_equal(met[ST_RACE_CONFLICT], 1);
    /* Once it has ended, a new one is another. */
    struct st_ending ending = {
        .origin = 1, .window = WINDOW, .epoch = ST_ACCESS_FENCE, .end = {1, 3}};
    st_races_end(races, &ending);
    assert_true(first->has_ended);
    enter(races, &add, 0);
    st_races_settle(races, NULL, count_met, met);
    assert_int_equal(st_races_count(races), 3);
    st_races_free(races);
}

static bool is_joined(struct st_races *races, const struct st_access_record *call, uint64_t at,
                      uint64_t until)
{
    const struct st_buffer bytes = {
        .first = at, .span = 4, .item = {.count = 4, .stride = 1}, .disjoint = true};
    struct st_clock start = {.ticks = {0}};
    if (st_races_continue(races, call, 1, &bytes, until)) {
        return true;
    }
    assert_non_null(st_races_enter(races, call, 1, &start, &bytes));
    return false;
}

/* What one call site does at one tick, piece by piece, is one access. */
static void test_joined(void **state)
{
    const struct st_access_record put = {.window = WINDOW,
                                         .block = 4,
                                         .element = INT,
                                         .element_size = 4,
                                         .length = 1,
                                         .kind = PUT,
                                         .epoch = ST_ACCESS_SHARED,
                                         .place = 9,
                                         .tick = 5};
    struct st_access_record call = put;
    struct st_races *races = st_races_new(4);
    unsigned met[4] = {0};
    (void)state;
    for (call.number = 1; call.number <= 100; call.number++) {
        assert_int_equal(is_joined(races, &call, 1000 + 4 * call.number, 200), call.number > 1);
    }
    assert_int_equal(st_races_count(races), 1);
    /* The same bytes again are in conflict; what MPI has refused is not there. */
    call.number = 101;
    assert_true(is_joined(races, &call, 1404, 200));
    assert_int_equal(st_races_drop(races, 1, 101), 0);
    enter(races, &(struct drawn){.origin = 2, .kind = PUT, .at = 404}, 0);
    st_races_settle(races, NULL, count_met, met);
    assert_int_equal(met[ST_RACE_CONFLICT], 0);
    struct st_remote *other = enter(races, &(struct drawn){.origin = 2, .kind = PUT, .at = 400}, 0);
    st_races_settle(races, NULL, count_met, met);
    assert_int_equal(met[ST_RACE_CONFLICT], 1);
    assert_int_equal(st_remote_skipped(other, 1400), 0);
    /* What was compared stays as it is. */
    call.number = 102;
    assert_false(is_joined(races, &call, 1404, 200));
    st_races_free(races);

    races = st_races_new(4);
    call.number = 1;
    assert_false(is_joined(races, &call, 1000, 1));
    call.number = 2;
    assert_false(is_joined(races, &call, 1000, 2)); /* twice to the same bytes */
    assert_false(is_joined(races, &call, 1008, 2)); /* a gap */
    call.number = 3;
    assert_false(is_joined(races, &call, 1004, 2)); /* it is compared later */
    call.number = 4;
    assert_true(is_joined(races, &call, 1008, 2));
    const struct st_access_record others[] = {
        {.place = 8},    {.tick = 6},        {.window = OTHER_WINDOW},
        {.block = 8},    {.kind = GET},      {.epoch = ST_ACCESS_FENCE},
        {.match = 1},    {.opened = 1},      {.operation = SUM},
        {.function = 1}, {.element = FLOAT}, {.low = 1},
        {.length = 2},   {.levels = 1},      {.runs = 1}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        call = put;
        call.number = 5;
        call.place = others[i].place ? others[i].place : call.place;
        call.tick = others[i].tick ? others[i].tick : call.tick;
        call.window = others[i].window ? others[i].window : call.window;
        call.block = others[i].block ? others[i].block : call.block;
        call.kind = others[i].kind ? others[i].kind : call.kind;
        call.epoch = others[i].epoch ? others[i].epoch : call.epoch;
        call.element = others[i].element ? others[i].element : call.element;
        call.length = others[i].length ? others[i].length : call.length;
        call.match = others[i].match;
        call.opened = others[i].opened;
        call.operation = others[i].operation;
        call.function = others[i].function;
        call.low = others[i].low;
        call.levels = others[i].levels;
        call.runs = others[i].runs;
        assert_false(is_joined(races, &call, 1012, 2));
    }
    st_races_free(races);

    /* Reads and atomic accesses of the same bytes are no more than one. */
    races = st_races_new(4);
    call = put;
    call.kind = GET;
    for (call.number = 1; call.number < 4; call.number++) {
        assert_int_equal(is_joined(races, &call, 1000, 9), call.number > 1);
    }
    call.kind = ADD;
    for (call.number = 4; call.number < 7; call.number++) {
        assert_int_equal(is_joined(races, &call, 1000, 9), call.number > 4);
    }
    call.kind = ADD | ST_ACCESS_ALONE;
    assert_false(is_joined(races, &call, 1004, 9));
    call.number++;
    assert_false(is_joined(races, &call, 1008, 9));
    st_races_free(races);
}

/* The same again and again: the last ones stay, and are compared. */
static void test_alike(void **state)
{
    struct st_races *races = st_races_new(4);
    unsigned met[4] = {0};
    (void)state;
    for (uint32_t i = 1; i <= 1000; i++) {
        enter(races, &(struct drawn){.origin = 1, .kind = PUT, .epoch = ST_ACCESS_SHARED}, i);
        const struct st_ending ending = locks_of(1, 0, i + 1);
        st_races_end(races, &ending);
        st_races_settle(races, NULL, count_met, met);
    }
    assert_int_equal(met[ST_RACE_CONFLICT], 0);
    assert_in_range(st_races_count(races), 2, 20);
    enter(races, &(struct drawn){.origin = 2, .kind = PUT}, 1000);
    st_races_settle(races, NULL, count_met, met);
    assert_int_equal(met[ST_RACE_CONFLICT], 1);
    st_races_free(races);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_footprint), cmocka_unit_test(test_footprint_refused),
        cmocka_unit_test(test_rules),     cmocka_unit_test(test_order),
        cmocka_unit_test(test_kept),      cmocka_unit_test(test_many),
        cmocka_unit_test(test_repeated),  cmocka_unit_test(test_joined),
        cmocka_unit_test(test_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
