/* Orders of collective calls on several communicators (core/agree/orders.h, circle.h): who waits for whom in a circle. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/agree/circle.h"

enum { MOST_RANKS = 8, MOST_CALLS = 64, MOST_FOUND = 8 };

/* What ranks call: "A1 B1 A2", one call of communicator A, then one of B, then the next one of A; "A1' B1" with another
 * thread's call. A nonblocking call is not in it, but its number is. */
struct job {
    struct st_order_room rooms[MOST_RANKS];
    struct st_order_turn turns[MOST_RANKS][ST_ORDER_TURNS];
    struct st_order_calls calls[MOST_RANKS];
    size_t count;
    struct st_circle found[MOST_FOUND];
    size_t found_count;
};

static void add_call(struct st_order_room *room, struct st_order_turn *now, char comm,
                     uint64_t number, uint64_t thread)
{
    if (now->comm != (uint64_t)comm || now->thread != thread) {
        const struct st_order_turn turn = {
            .comm = (uint64_t)comm, .number = number, .before = now->before, .thread = thread};
        st_order_note(room, &turn);
        *now = turn;
    }
    now->before = number; /* the last call that is made */
}

static void add_rank(struct job *job, const char *text)
{
    struct st_order_room *room = &job->rooms[job->count];
    struct st_order_turn now = {0};
    while (*text) {
        char *end;
        const char comm = *text;
        const uint64_t number = strtoull(text + 1, &end, 10);
        const uint64_t thread = *end == '\'' ? 2 : 1;
        add_call(room, &now, comm, number, thread);
        text = end + (*end == '\'');
        text += *text == ' ';
    }
    struct st_order_calls *calls = &job->calls[job->count];
    calls->turns = job->turns[job->count];
    calls->count = st_order_read(room, job->turns[job->count]);
    calls->rank = (uint32_t)job->count++;
}

static void found(const struct st_circle *circle, void *context)
{
    struct job *job = context;
    if (job->found_count < MOST_FOUND) {
        job->found[job->found_count] = *circle;
    }
    job->found_count++;
}

/* Of as many ranks as there are texts. */
static struct job *run_job(const char *const *texts)
{
    struct job *job = calloc(1, sizeof *job);
    assert_non_null(job);
    for (; *texts; texts++) {
        add_rank(job, *texts);
    }
    assert_true(st_circles_find(job->calls, job->count, found, job));
    return job;
}

#define RUN(...) run_job((const char *const[]){__VA_ARGS__, NULL})

static void assert_step(const struct st_circle_step *step, uint32_t rank, char first,
                        uint64_t first_number, char then, uint64_t then_number)
{
    assert_int_equal(step->rank, rank);
    assert_int_equal(step->first->comm, first);
    assert_int_equal(step->first_number, first_number);
    assert_int_equal(step->then->comm, then);
    assert_int_equal(step->then_number, then_number);
    assert_true(step->first->number <= first_number && step->then->number <= then_number);
}

static void assert_silent(struct job *job)
{
    assert_int_equal(job->found_count, 0);
    free(job);
}

static void test_two_ranks(void **state)
{
    (void)state;
    struct job *job = RUN("A1 B1", "B1 A1");
    assert_int_equal(job->found_count, 1);
    assert_int_equal(job->found[0].count, 2);
    assert_step(&job->found[0].steps[0], 0, 'A', 1, 'B', 1);
    assert_step(&job->found[0].steps[1], 1, 'B', 1, 'A', 1);
    free(job);
}

/* In the middle of stays, and the numbers are right. */
static void test_later_calls(void **state)
{
    (void)state;
    struct job *job = RUN("A1 A2 A3 A4 B1 B2 A5", "A1 A2 B1 A3 A4 B2 A5");
    assert_int_equal(job->found_count, 1);
    assert_step(&job->found[0].steps[0], 0, 'A', 3, 'B', 1);
    assert_step(&job->found[0].steps[1], 1, 'B', 1, 'A', 3);
    free(job);
}

static void test_three_ranks(void **state)
{
    (void)state;
    struct job *job = RUN("A1 C1", "B1 A1", "C1 B1");
    assert_int_equal(job->found_count, 1);
    assert_int_equal(job->found[0].count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const struct st_circle_step *step = &job->found[0].steps[i];
        const uint32_t rank = step->rank;
        assert_step(step, rank, "ABC"[rank], 1, "CAB"[rank], 1);
        assert_int_equal(job->found[0].steps[(i + 1) % 3].then->comm, step->first->comm);
    }
    free(job);
}

/* Of several ranks two are wrong: those two are named. */
static void test_among_others(void **state)
{
    (void)state;
    struct job *job = RUN("W1 A1 B1 W2", "W1 B1 A1 W2", "W1 W2", "W1 C1 W2", "W1 C1 W2");
    assert_int_equal(job->found_count, 1);
    assert_int_equal(job->found[0].count, 2);
    free(job);
}

static void test_each_is_told(void **state)
{
    (void)state;
    struct job *job = RUN("A1 B1 C1 D1", "B1 A1 D1 C1");
    assert_int_equal(job->found_count, 2);
    free(job);
}

static void test_same_order(void **state)
{
    (void)state;
    assert_silent(RUN("A1 B1 A2 B2", "A1 B1 A2 B2"));
    assert_silent(RUN("A1 A2 A3", "A1"));
    assert_silent(RUN("A1", "B1"));
    assert_silent(RUN(""));
}

/* Communicators of each two of three ranks: there is an order that works. */
static void test_overlap(void **state)
{
    (void)state;
    assert_silent(RUN("A1 C1", "A1 B1", "B1 C1"));
    assert_silent(RUN("A1 C1", "B1 A1", "B1 C1"));
    assert_silent(RUN("A1 B1", "C1 A1", "C1 D1", "D1 B1"));
}

/* A rank is ahead, or behind: what the other one does not have yet says nothing. */
static void test_ahead(void **state)
{
    (void)state;
    assert_silent(RUN("A1 B1 A2 B2 A3", "A1 B1"));
    assert_silent(RUN("A1", "A1 B1 A2"));
    assert_silent(RUN("A1", "A1 A2 A3 B1 A4"));
    assert_silent(RUN("A1 B1", "A1 B1 A2 B2"));
    assert_silent(RUN("A1 A2 B1", "A1 B1"));
}

/* Numbers that nonblocking calls have taken. */
static void test_nonblocking(void **state)
{
    (void)state;
    assert_silent(RUN("A1 B2 A3", "A1 B2 A3"));
    assert_silent(RUN("A2 B1 A4 B3", "A2 B1 A4 B3"));
}

/* Two threads have no order, whichever ranks they are of. */
static void test_threads(void **state)
{
    (void)state;
    assert_silent(RUN("A1 B1'", "B1' A1"));
    assert_silent(RUN("A1 B1' A2 B2'", "B1' A1 B2' A2"));
    struct job *job = RUN("A1 B1 C1'", "B1 C1' A1");
    assert_int_equal(job->found_count, 1);
    free(job);
}

/* What is left of a long run is as good, and what is gone says nothing. */
static void test_ring(void **state)
{
    (void)state;
    struct job *job = calloc(1, sizeof *job);
    struct st_order_turn now[2] = {{0}, {0}};
    assert_non_null(job);
    for (uint64_t i = 1; i <= 2000; i++) {
        add_call(&job->rooms[0], &now[0], 'A', i, 1);
        add_call(&job->rooms[0], &now[0], 'B', i, 1);
        /* The other one is behind, and wrong at last. */
        if (i <= 1990) {
            add_call(&job->rooms[1], &now[1], i < 1985 ? 'A' : 'B', i, 1);
            add_call(&job->rooms[1], &now[1], i < 1985 ? 'B' : 'A', i, 1);
        }
    }
    for (uint32_t i = 0; i < 2; i++) {
        job->calls[i] =
            (struct st_order_calls){job->turns[i], st_order_read(&job->rooms[i], job->turns[i]), i};
        assert_int_equal(job->calls[i].count, ST_ORDER_TURNS - 1);
    }
    assert_true(st_circles_find(job->calls, 2, found, job));
    assert_true(job->found_count > 0);
    assert_step(&job->found[0].steps[0], 0, 'A', 1985, 'B', 1985);
    free(job);
}

/* Random ranks that follow one order, each in some of the communicators; one of them is ahead. */
static void test_random(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int round = 0; round < 2000; round++) {
        char texts[4][MOST_CALLS * 4] = {"", "", "", ""};
        const char *list[5] = {texts[0], texts[1], texts[2], texts[3], NULL};
        unsigned members[4];
        int numbers[4] = {0};
        for (int c = 0; c < 4; c++) {
            members[c] = (unsigned)rand_r(&seed) % 15 + 1;
        }
        const int ahead = rand_r(&seed) % 4;
        for (int i = 0; i < 30; i++) {
            const int c = rand_r(&seed) % 4;
            numbers[c]++;
            for (int r = 0; r < 4; r++) {
                if (members[c] >> r & 1 && (i < 20 || r == ahead)) {
                    char *end = texts[r] + strlen(texts[r]);
                    sprintf(end, "%s%c%d", end == texts[r] ? "" : " ", 'A' + c, numbers[c]);
                }
            }
        }
        assert_silent(run_job(list));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_ranks),    cmocka_unit_test(test_later_calls),
        cmocka_unit_test(test_three_ranks),  cmocka_unit_test(test_among_others),
        cmocka_unit_test(test_each_is_told), cmocka_unit_test(test_same_order),
        cmocka_unit_test(test_overlap),      cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_nonblocking),  cmocka_unit_test(test_threads),
        cmocka_unit_test(test_ring),         cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
