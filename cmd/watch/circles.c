/* SPDX-License-Identifier: BSD-3-Clause */
#include "circles.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../say.h"
#include "../words.h"
#include "core/agree/circle.h"
#include "core/waits/told.h"
#include "report/catalogue.h"
#include "shared.h"

/* Milliseconds between looks: while ranks change the communicator so often that their notes are
 * soon overwritten, and otherwise. Looks may take one part in SHARE of the time. */
enum { BUSY_WAIT = 100, CALM_WAIT = 1000, SHARE = 50, BUSY_TURNS = ST_ORDER_TURNS / 8 };
/* After so many findings, no more are reported. */
enum { MOST_TOLD = 32 };
/* Numbers of these records, different from those of the ranks and of the other files of the watch. */
#define FIRST_NUMBER (INT64_C(1) << 42)

struct circles {
    int64_t due;
    uint64_t written; /* number of turns of all ranks at the last look */
    char *told[MOST_TOLD];
    size_t told_count;
};

struct circles *circles_new(void)
{
    return zeroed(1, sizeof(struct circles));
}

/* --- in words ------------------------------------------------------------------------------ */

struct telling {
    struct circles *circles;
    const struct shared *shared;
    struct findings *findings;
};

/* The frames of a call, if it is known which call of its turn it was. */
static json_t *site_of(const struct shared *shared, uint32_t rank, const struct st_order_turn *turn,
                       uint64_t number)
{
    if (turn->number == number) {
        return shared_frames(shared, rank, turn->place);
    }
    const struct st_rank_area *area = shared_area(shared, rank);
    const uint64_t key = st_collective_key(turn->comm, number);
    struct st_collective call;
    for (size_t i = 0; area != NULL && i < 1 << ST_AREA_LOG2_CALLS; i++) {
        if (st_rank_call_read(&area->calls[i], key, &call) && call.comm == turn->comm &&
            call.number == number) {
            return shared_frames(shared, rank, call.place);
        }
    }
    return json_array();
}

/* The kind of object on which the calls of a function are counted. */
static const char *counted_on(const char *function)
{
    static const struct {
        const char *begin, *noun;
    } nouns[] = {{"MPI_Win_create", "communicator"},
                 {"MPI_Win_allocate", "communicator"},
                 {"MPI_File_open", "communicator"},
                 {"MPI_Win_", "window"},
                 {"MPI_File_", "file"}};
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++) {
        if (strncmp(function, nouns[i].begin, strlen(nouns[i].begin)) == 0) {
            return nouns[i].noun;
        }
    }
    return "communicator";
}

/* "A": the communicator of the step at INDEX. The communicator that it calls later is that of the
 * previous step. */
static char letter_of(size_t index)
{
    return (char)('A' + index);
}

static json_t *call_record(const struct telling *telling, const struct st_circle_step *step,
                           bool is_first, char letter)
{
    const struct st_order_turn *turn = is_first ? step->first : step->then;
    const uint64_t number = is_first ? step->first_number : step->then_number;
    const int rank = shared_rank(telling->shared, step->rank);
    const char *function = shared_function(telling->shared, step->rank, turn->called);
    return json_pack("{s:i, s:s, s:s, s:s, s:o}", "rank", rank, "label", text_of("rank %d", rank),
                     "call", function, "remark",
                     text_of("%s: collective call %llu of %s %c", is_first ? "first" : "then",
                             (unsigned long long)number, counted_on(function), letter),
                     "site", site_of(telling->shared, step->rank, turn, number));
}

/* Two calls of each rank. */
static json_t *calls_of(const struct telling *telling, const struct st_circle *circle)
{
    json_t *others = json_array();
    for (size_t i = 0; i < circle->count; i++) {
        const struct st_circle_step *step = &circle->steps[i];
        const size_t before = (i == 0 ? circle->count : i) - 1;
        json_array_append_new(others, call_record(telling, step, true, letter_of(i)));
        json_array_append_new(others, call_record(telling, step, false, letter_of(before)));
    }
    return others;
}

static json_t *record_of(const struct telling *telling, const struct st_circle *circle,
                         json_t *others)
{
    const struct st_check_row *row = &st_check_rows[ST_COLLECTIVE_ORDER];
    const uint32_t first = circle->steps[0].rank;
    int32_t numbers[ST_MOST_STEPS];
    json_t *ranks = json_array();
    for (size_t i = 0; i < circle->count; i++) {
        numbers[i] = shared_rank(telling->shared, circle->steps[i].rank);
        json_array_append_new(ranks, json_integer(numbers[i]));
    }
    const char *subject = st_told_numbers(numbers, circle->count);
    if (subject == NULL) {
        fail(1, "out of memory");
    }
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:I, s:i, s:I, s:O, s:O}", "record", "finding",
        "id", row->id, "severity", st_severity_name(row->severity), "subject", subject, "message",
        circle->count == 2
            ? "make collective calls of two communicators in opposite orders"
            : text_of("make collective calls of %zu communicators in a circle", circle->count),
        "advice",
        "make the calls of several communicators in the same order in all ranks: where they wait "
        "for all their ranks, this hangs",
        "rank", shared_rank(telling->shared, first), "ranks", ranks, "pid",
        (json_int_t)telling->shared->ranks[first].pid, "count", 1, "n",
        FIRST_NUMBER + (json_int_t)telling->circles->told_count, "site",
        json_object_get(json_array_get(others, 0), "site"), "other", others);
}

/* --- findings ------------------------------------------------------------------------------ */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Calls at the same places are reported once, whichever ranks make them. */
static char *key_of(const json_t *others)
{
    enum { MOST = 2 * ST_MOST_STEPS };
    char *sites[MOST], *key = text_of("%s", "");
    const size_t count = json_array_size(others) < MOST ? json_array_size(others) : MOST;
    for (size_t i = 0; i < count; i++) {
        sites[i] = json_dumps(json_object_get(json_array_get(others, i), "site"), JSON_COMPACT);
        if (sites[i] == NULL) {
            fail(1, "out of memory");
        }
    }
    qsort(sites, count, sizeof *sites, by_text);
    for (size_t i = 0; i < count; i++) {
        char *longer = text_of("%s%s", key, sites[i]);
        free(sites[i]);
        free(key);
        key = longer;
    }
    return key;
}

static bool is_told(const struct circles *circles, const char *key)
{
    for (size_t i = 0; i < circles->told_count; i++) {
        if (strcmp(circles->told[i], key) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns NULL if nothing is known of the rank yet. */
static const char *process_of(const struct telling *telling, uint32_t rank)
{
    const struct findings *findings = telling->findings;
    for (size_t i = 0; i < findings->process_count; i++) {
        if (findings->processes[i]->pid == telling->shared->ranks[rank].pid) {
            return findings->processes[i]->key;
        }
    }
    return NULL;
}

static void add_finding(struct telling *telling, const struct st_circle *circle,
                        const char *process, char *key, json_t *others)
{
    json_t *record = record_of(telling, circle, others);
    char *line = record != NULL ? json_dumps(record, JSON_COMPACT) : NULL;
    if (line == NULL) {
        fail(1, "out of memory");
    }
    findings_line(telling->findings, process, line, strlen(line));
    telling->circles->told[telling->circles->told_count++] = key;
    free(line);
    json_decref(record);
}

/* The same circle, beginning with its lowest rank. */
static struct st_circle turned(const struct telling *telling, const struct st_circle *circle)
{
    struct st_circle result = {.count = circle->count};
    size_t lowest = 0;
    for (size_t i = 1; i < circle->count; i++) {
        if (shared_rank(telling->shared, circle->steps[i].rank) <
            shared_rank(telling->shared, circle->steps[lowest].rank)) {
            lowest = i;
        }
    }
    for (size_t i = 0; i < circle->count; i++) {
        result.steps[i] = circle->steps[(lowest + i) % circle->count];
    }
    return result;
}

static void tell_circle(const struct st_circle *found, void *context)
{
    struct telling *telling = context;
    const struct st_circle circle = turned(telling, found);
    const char *process = process_of(telling, circle.steps[0].rank);
    if (process == NULL || telling->circles->told_count == MOST_TOLD) {
        return;
    }
    json_t *others = calls_of(telling, &circle);
    char *key = key_of(others);
    if (is_told(telling->circles, key)) {
        free(key);
    } else {
        add_finding(telling, &circle, process, key, others);
    }
    json_decref(others);
}

/* --- a look -------------------------------------------------------------------------------- */

static uint64_t count_turns(const struct shared *shared)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < shared->rank_count; i++) {
        const struct st_rank_area *area = shared_area(shared, i);
        count += area != NULL ? __atomic_load_n(&area->orders.written, __ATOMIC_RELAXED) : 0;
    }
    return count;
}

/* If ranks have made different calls on a communicator, the numbers of their later calls mean
 * nothing. */
static size_t without_ended(const struct shared *shared, struct st_order_turn *turns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (st_ended_has(shared->ended, turns[i].comm)) {
            return 0;
        }
    }
    return count;
}

static void look_at_orders(struct telling *telling)
{
    const struct shared *shared = telling->shared;
    struct st_order_calls *calls = zeroed(shared->rank_count + 1, sizeof *calls);
    struct st_order_turn *room =
        zeroed((size_t)shared->rank_count * ST_ORDER_TURNS + 1, sizeof *room);
    for (uint32_t i = 0; i < shared->rank_count; i++) {
        const struct st_rank_area *area = shared_area(shared, i);
        struct st_order_turn *turns = room + (size_t)i * ST_ORDER_TURNS;
        calls[i] = (struct st_order_calls){turns, 0, i};
        if (area != NULL) {
            calls[i].count = without_ended(shared, turns, st_order_read(&area->orders, turns));
        }
    }
    st_circles_find(calls, shared->rank_count, tell_circle, telling);
    free(calls);
    free(room);
}

/* Returns how many turns are new. */
static uint64_t look_at_ranks(struct circles *circles, struct findings *findings)
{
    struct shared shared = {0};
    struct telling telling = {.circles = circles, .shared = &shared, .findings = findings};
    if (circles->told_count == MOST_TOLD || !shared_map(&shared)) {
        return 0;
    }
    const uint64_t written = count_turns(&shared), turns = written - circles->written;
    if (turns != 0) {
        look_at_orders(&telling);
    }
    circles->written = written;
    shared_unmap(&shared);
    return turns;
}

static int64_t processor_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void circles_step(struct circles *circles, struct findings *findings, int64_t now)
{
    if (now < circles->due) {
        return;
    }
    const int64_t before = processor_ms();
    const uint64_t turns = look_at_ranks(circles, findings);
    const int64_t least = (processor_ms() - before) * SHARE;
    const int64_t wait = turns > BUSY_TURNS ? BUSY_WAIT : CALM_WAIT;
    circles->due = now + (wait > least ? wait : least);
}

int circles_wait(const struct circles *circles, int64_t now)
{
    return circles->due > now ? (int)(circles->due - now) : 0;
}

void circles_finish(struct circles *circles, struct findings *findings)
{
    look_at_ranks(circles, findings);
}
