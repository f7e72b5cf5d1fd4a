/* SPDX-License-Identifier: BSD-3-Clause */
#include "circles.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../nodes/far_turns.h"
#include "../say.h"
#include "../words.h"
#include "core/agree/circle.h"
#include "core/waits/told.h"
#include "report/catalogue.h"
#include "shared.h"
#include "turns.h"

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

/* A rank whose turns are known. */
struct order_rank {
    int rank; /* in its MPI_COMM_WORLD */
    int64_t pid;
    const char *host;     /* NULL: this one */
    struct far_rank *far; /* NULL: of this node */
    uint32_t index;       /* there */
};

struct telling {
    struct circles *circles;
    const struct shared *shared;
    struct order_rank *ranks; /* by the number of a step's rank */
    struct findings *findings;
};

/* What is known of a call. Returns a new object: turn_described(). */
static json_t *describe_call(const struct telling *telling, uint32_t number_of_rank,
                             const struct st_order_turn *turn, uint64_t number)
{
    const struct order_rank *rank = &telling->ranks[number_of_rank];
    json_t *described = rank->far != NULL
                            ? far_turn(rank->far, turn, number)
                            : turn_described(telling->shared, rank->index, turn, number);
    return described != NULL ? described
                             : json_pack("{s:s, s:[]}", "function", "a collective call", "frames");
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
    const int rank = telling->ranks[step->rank].rank;
    json_t *described = describe_call(telling, step->rank, turn, number);
    const char *function = json_string_value(json_object_get(described, "function"));
    json_t *record =
        json_pack("{s:i, s:s, s:s, s:s, s:O}", "rank", rank, "label", text_of("rank %d", rank),
                  "call", function, "remark",
                  text_of("%s: collective call %llu of %s %c", is_first ? "first" : "then",
                          (unsigned long long)number, counted_on(function), letter),
                  "site", json_object_get(described, "frames"));
    json_decref(described);
    return record;
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
        numbers[i] = telling->ranks[circle->steps[i].rank].rank;
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
        "rank", telling->ranks[first].rank, "ranks", ranks, "pid",
        (json_int_t)telling->ranks[first].pid, "count", 1, "n",
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
static const char *process_of(const struct telling *telling, uint32_t number)
{
    const struct findings *findings = telling->findings;
    const struct order_rank *rank = &telling->ranks[number];
    for (size_t i = 0; i < findings->process_count; i++) {
        const struct process *process = findings->processes[i];
        if (process->pid == rank->pid && process->rank == rank->rank &&
            (rank->host == NULL || strcmp(process->host, rank->host) == 0)) {
            return process->key;
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
        if (telling->ranks[circle->steps[i].rank].rank <
            telling->ranks[circle->steps[lowest].rank].rank) {
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
    uint64_t count = far_count_turns();
    for (uint32_t i = 0; i < shared->rank_count; i++) {
        const struct st_rank_area *area = shared_area(shared, i);
        count += area != NULL ? __atomic_load_n(&area->orders.written, __ATOMIC_RELAXED) : 0;
    }
    return count;
}

/* If ranks have made different calls on a communicator, the numbers of their later calls mean
 * nothing. */
static size_t without_ended(const struct shared *shared, const struct st_order_turn *turns,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (st_ended_has(shared->ended, turns[i].comm)) {
            return 0;
        }
    }
    return count;
}

/* Adds the ranks of this node. Their turns are read into ROOM. */
static void add_near(struct telling *telling, struct st_order_calls *calls,
                     struct st_order_turn *room)
{
    const struct shared *shared = telling->shared;
    for (uint32_t i = 0; i < shared->rank_count; i++) {
        const struct st_rank_area *area = shared_area(shared, i);
        struct st_order_turn *turns = room + (size_t)i * ST_ORDER_TURNS;
        telling->ranks[i] = (struct order_rank){
            .rank = shared_rank(shared, i), .pid = shared->ranks[i].pid, .index = i};
        calls[i] = (struct st_order_calls){turns, 0, i};
        if (area != NULL) {
            calls[i].count = without_ended(shared, turns, st_order_read(&area->orders, turns));
        }
    }
}

/* Adds the ranks of other nodes, after those of this one. */
static void add_far(struct telling *telling, struct st_order_calls *calls,
                    const struct far_order *orders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct far_order *order = &orders[i];
        const uint32_t number = telling->shared->rank_count + (uint32_t)i;
        telling->ranks[number] = (struct order_rank){
            .rank = order->rank, .pid = order->pid, .host = order->host, .far = order->far};
        calls[number] = (struct st_order_calls){
            order->turns, without_ended(telling->shared, order->turns, order->count), number};
    }
}

static void look_at_orders(struct telling *telling)
{
    size_t far_count;
    const uint32_t near_count = telling->shared->rank_count;
    struct far_order *orders = far_list_orders(&far_count);
    const size_t count = near_count + far_count;
    struct st_order_calls *calls = zeroed(count + 1, sizeof *calls);
    struct st_order_turn *room = zeroed((size_t)near_count * ST_ORDER_TURNS + 1, sizeof *room);
    telling->ranks = zeroed(count + 1, sizeof *telling->ranks);
    add_near(telling, calls, room);
    add_far(telling, calls, orders, far_count);
    st_circles_find(calls, count, tell_circle, telling);
    free(telling->ranks);
    free(calls);
    free(room);
    free(orders);
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
