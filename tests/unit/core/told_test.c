/* A verdict in words (core/waits/told.h), of jobs that are written down. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/waits/told.h"
#include "heap.h"

enum { RANKS = 100 };

struct job {
    struct st_wait_rank ranks[RANKS];
    struct st_wait_thread threads[RANKS];
    struct st_wait_part parts[RANKS][2];
    struct st_wait_comm comms[RANKS];
    size_t count;
    bool has_places;
};

static void start(struct job *job, size_t count)
{
    *job = (struct job){.count = count, .has_places = true};
    for (size_t i = 0; i < count; i++) {
        struct st_wait_rank *rank = &job->ranks[i];
        job->comms[i] =
            (struct st_wait_comm){.id = ST_WORLD_ID, .size = (int32_t)count, .begun = 1};
        strcpy(job->comms[i].name, "MPI_COMM_WORLD");
        *rank = (struct st_wait_rank){.world_rank = (int32_t)i,
                                      .world_size = (int32_t)count,
                                      .is_stuck = true,
                                      .threads = &job->threads[i],
                                      .thread_count = 1,
                                      .parts = job->parts[i],
                                      .comms = &job->comms[i],
                                      .comm_count = 1};
    }
}

static struct st_wait_part *part_of(struct job *job, size_t rank, const char *function)
{
    struct st_wait_thread *thread = &job->threads[rank];
    struct st_wait_part *part = &job->parts[rank][thread->count++];
    thread->in_call = true;
    thread->id = 100 + rank;
    if (!*thread->function) {
        strcpy(thread->function, function);
    }
    *part = (struct st_wait_part){
        .peer = ST_PEER_NONE, .world = ST_PEER_NONE, .tag = ST_PEER_NONE, .site = ST_NO_SITE};
    strcpy(part->function, function);
    job->ranks[rank].part_count = thread->count;
    return part;
}

static struct st_wait_part *receives(struct job *job, size_t rank, const char *function,
                                     int32_t source, int32_t tag)
{
    struct st_wait_part *part = part_of(job, rank, function);
    part->sort = ST_WAIT_RECEIVE;
    part->peer = part->world = source;
    part->process = source >= 0 ? st_gpid(0, source) : ST_NO_GPID;
    part->tag = tag;
    return part;
}

static void meets(struct job *job, size_t rank, const char *function)
{
    struct st_wait_part *part = part_of(job, rank, function);
    part->sort = ST_WAIT_COLLECTIVE;
    part->n = job->comms[rank].begun = 2;
}

static void leaves(struct job *job, size_t rank, enum st_wait_presence presence)
{
    job->ranks[rank].presence = presence;
    job->ranks[rank].is_stuck = false;
    job->ranks[rank].thread_count = 0;
}

/* Each rank's calls are at a line of its own, if it is odd. */
static char *place_of(void *context, const struct st_told_spot *spot)
{
    const struct job *job = context;
    enum { ROOM = 64 };
    char *text = job->has_places ? malloc(ROOM) : NULL;
    if (!text) {
        return NULL;
    }
    snprintf(text, ROOM, "%s:%u%s", spot->part ? "posted.c" : "halo.c",
             spot->part ? spot->part->site : 50 + spot->rank % 2,
             spot->is_short ? "" : " in exchange()");
    return text;
}

static void add(char *text, size_t room, const char *prefix, const char *one)
{
    size_t length = strlen(text);
    snprintf(text + length, room - length, "%s%s\n", prefix, one);
}

/* All verdicts as a text, and with memory that ends at each point. */
static void expect(struct job *job, const char *wanted)
{
    struct st_deaths deaths;
    const struct st_told_job given = {
        .ranks = job->ranks, .count = job->count, .place = place_of, .context = job};
    char text[4096] = "";
    assert_true(st_deaths_find(job->ranks, job->count, &deaths));
    for (size_t i = 0; i < deaths.count; i++) {
        struct st_told_text told;
        assert_true(st_told_death(&given, &deaths.list[i], &told));
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s %s\n", told.subject, told.message);
        for (size_t k = 0; k < told.calls.count; k++) {
            const struct st_told_call *call = &told.calls.list[k];
            char line[1024];
            snprintf(line, sizeof line, "%s: %s @%s; %s", call->who, call->call, call->place,
                     call->waits);
            add(text, sizeof text, "  ", line);
        }
        for (size_t k = 0; k < told.behind.count; k++) {
            add(text, sizeof text, "  behind: ", told.behind.list[k].line);
        }
        st_told_free(&told);
    }
    assert_string_equal(text, wanted);
    for (long block = 1; deaths.count; block++) {
        struct st_told_text told;
        heap_end_after(block);
        bool done = st_told_death(&given, &deaths.list[0], &told);
        heap_end_after(-1);
        if (done) {
            st_told_free(&told);
            break;
        }
    }
    st_deaths_free(&deaths);
}

static void two_that_wait_for_each_other(void **state)
{
    struct job job;
    (void)state;
    start(&job, 8);
    receives(&job, 0, "MPI_Recv", 1, 7);
    struct st_wait_part *posted = receives(&job, 1, "MPI_Irecv", 0, 8);
    posted->is_request = true;
    posted->site = 57;
    strcpy(job.threads[1].function, "MPI_Wait");
    for (size_t i = 2; i < 8; i++) {
        meets(&job, i, "MPI_Barrier");
    }
    expect(&job,
           "ranks 0 and 1 wait for each other\n"
           "  rank 0: MPI_Recv(source=1, tag=7, MPI_COMM_WORLD) @halo.c:50 in exchange(); "
           "waits for a message from rank 1 with tag 7\n"
           "  rank 1: MPI_Wait: MPI_Irecv(source=0, tag=8, MPI_COMM_WORLD) @halo.c:51 in "
           "exchange(); waits for a message from rank 0 with tag 8 (MPI_Irecv of posted.c:57)\n"
           "  behind: ranks 2,4,6 wait for them in MPI_Barrier(MPI_COMM_WORLD) (halo.c:50)\n"
           "  behind: ranks 3,5,7 wait for them in MPI_Barrier(MPI_COMM_WORLD) (halo.c:51)\n");
    job.has_places = false;
    expect(&job, "ranks 0 and 1 wait for each other\n"
                 "  rank 0: MPI_Recv(source=1, tag=7, MPI_COMM_WORLD) @; "
                 "waits for a message from rank 1 with tag 7\n"
                 "  rank 1: MPI_Wait: MPI_Irecv(source=0, tag=8, MPI_COMM_WORLD) @; waits for a "
                 "message from rank 0 with tag 8 (MPI_Irecv)\n"
                 "  behind: ranks 2-7 wait for them in MPI_Barrier(MPI_COMM_WORLD)\n");
}

static void what_several_requests_wait_for_is_told_once(void **state)
{
    struct job job;
    (void)state;
    start(&job, 2);
    receives(&job, 0, "MPI_Sendrecv", 1, 7);
    receives(&job, 0, "MPI_Sendrecv", 1, 7);
    receives(&job, 1, "MPI_Sendrecv", 0, 7);
    receives(&job, 1, "MPI_Sendrecv", 0, 77); /* not the same, though it has the other in it */
    job.has_places = false;
    expect(&job, "ranks 0 and 1 wait for each other\n"
                 "  rank 0: MPI_Sendrecv(source=1, tag=7, source=1, tag=7, MPI_COMM_WORLD) @; "
                 "waits for a message from rank 1 with tag 7\n"
                 "  rank 1: MPI_Sendrecv(source=0, tag=7, source=0, tag=77, MPI_COMM_WORLD) @; "
                 "waits for a message from rank 0 with tag 7, or a message from rank 0 with tag "
                 "77\n");
}

static void those_who_have_left(void **state)
{
    struct job job;
    (void)state;
    start(&job, 4);
    job.has_places = false;
    meets(&job, 0, "MPI_Bcast");
    meets(&job, 1, "MPI_Bcast");
    meets(&job, 2, "MPI_Bcast");
    leaves(&job, 3, ST_WAIT_LEAVING);
    expect(&job, "ranks 0-2 wait in MPI_Bcast for rank 3, which is in MPI_Finalize\n"
                 "  ranks 0-2: MPI_Bcast(MPI_COMM_WORLD) @; waits for rank 3 to come to it\n");
    start(&job, 2);
    receives(&job, 0, "MPI_Recv", 1, ST_PEER_ANY);
    leaves(&job, 1, ST_WAIT_ENDED);
    expect(&job, "rank 0 waits for rank 1, which has ended\n"
                 "  rank 0: MPI_Recv(source=1, tag=MPI_ANY_TAG, MPI_COMM_WORLD) @halo.c:50 in "
                 "exchange(); waits for a message from rank 1 with any tag\n");
    start(&job, 1);
    receives(&job, 0, "MPI_Recv", 0, 7);
    job.has_places = false;
    expect(&job, "rank 0 waits for itself\n  rank 0: MPI_Recv(source=0, tag=7, MPI_COMM_WORLD) @; "
                 "waits for a message from rank 0 with tag 7\n");
}

/* As many calls as ranks: the first are told. */
static void many_calls(void **state)
{
    struct job *job = malloc(sizeof *job);
    struct st_told_calls calls;
    uint32_t all[RANKS];
    (void)state;
    start(job, RANKS);
    const struct st_told_job given = {.ranks = job->ranks, .count = RANKS};
    for (uint32_t i = 0; i < RANKS; i++) {
        receives(job, i, "MPI_Recv", (int32_t)(i + 1) % RANKS, 7);
        all[i] = i;
    }
    assert_true(st_told_list(&given, all, ST_TOLD_MOST, &calls));
    assert_int_equal(calls.count, ST_TOLD_MOST);
    assert_string_equal(calls.list[ST_TOLD_MOST - 1].who, "rank 31");
    st_told_list_free(&calls);
    assert_true(st_told_list(&given, all, ST_TOLD_MOST + 1, &calls));
    assert_int_equal(calls.count, ST_TOLD_MOST + 1);
    assert_string_equal(calls.list[ST_TOLD_MOST].line, "rank 32 waits in another call");
    st_told_list_free(&calls);
    job->parts[50][0].peer = job->parts[50][0].world = 4; /* as rank 3's */
    job->parts[50][0].process = st_gpid(0, 4);
    assert_true(st_told_list(&given, all, RANKS, &calls));
    assert_int_equal(calls.count, ST_TOLD_MOST + 1);
    assert_string_equal(calls.list[3].who, "ranks 3 and 50");
    assert_string_equal(calls.list[ST_TOLD_MOST].line,
                        "ranks 32-49,51-99 wait in other calls, or for other ranks");
    assert_int_equal(calls.list[ST_TOLD_MOST].count, RANKS - ST_TOLD_MOST - 1);
    st_told_list_free(&calls);
    free(job);
}

static void many_ranges(void **state)
{
    int32_t numbers[1000];
    (void)state;
    for (int32_t i = 0; i < 1000; i++) {
        numbers[i] = 1000000 + 2 * i;
    }
    numbers[1] = numbers[0] + 1;
    char *text = st_told_numbers(numbers, 1000);
    assert_ptr_equal(strstr(text, "ranks 1000000-1000001,1000004,1000006,"), text);
    assert_non_null(strstr(text, ",1000064 and 967 more"));
    free(text);
}

static void targets(void **state)
{
    struct job job;
    bool of_receive[4] = {0}, of_any[4] = {0}, of_barrier[4] = {0};
    (void)state;
    start(&job, 4);
    const struct st_told_job given = {.ranks = job.ranks, .count = job.count};
    receives(&job, 0, "MPI_Recv", 3, 7);
    receives(&job, 1, "MPI_Recv", ST_PEER_ANY, 7);
    meets(&job, 2, "MPI_Barrier");
    meets(&job, 3, "MPI_Barrier");
    st_told_targets(&given, 0, of_receive);
    st_told_targets(&given, 1, of_any);
    st_told_targets(&given, 2, of_barrier);
    assert_memory_equal(of_receive, ((bool[]){false, false, false, true}), sizeof of_receive);
    assert_memory_equal(of_any, ((bool[]){true, false, true, true}), sizeof of_any);
    assert_memory_equal(of_barrier, ((bool[]){true, true, false, false}), sizeof of_barrier);
}

static void numbers(void **state)
{
    int32_t one[] = {3}, two[] = {9, 1}, many[] = {7, 0, 2, 1, 1000000000};
    char *texts[] = {st_told_numbers(one, 1), st_told_numbers(two, 2), st_told_numbers(many, 5)};
    (void)state;
    assert_string_equal(texts[0], "rank 3");
    assert_string_equal(texts[1], "ranks 1 and 9");
    assert_string_equal(texts[2], "ranks 0-2,7,1000000000");
    for (size_t i = 0; i < 3; i++) {
        free(texts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_that_wait_for_each_other),
        cmocka_unit_test(what_several_requests_wait_for_is_told_once),
        cmocka_unit_test(those_who_have_left),
        cmocka_unit_test(many_calls),
        cmocka_unit_test(many_ranges),
        cmocka_unit_test(targets),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
