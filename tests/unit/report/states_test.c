/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks wait for, told by an agent, and read by `mpipp run' (cmd/nodes/states.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../cmd/nodes/states.h"
#include "../../../cmd/nodes/stream.h"
#include "core/waits/deaths.h"
#include "core/waits/told.h"

enum { RANKS = 40, MOST_PARTS = 6, MOST_COMMS = 4, MOST_THREADS = 3, SIZE = 12, WORLD = 0x3f2a };

/* A rank with all that a state may have. */
struct made {
    struct st_wait_rank rank;
    struct st_wait_thread threads[MOST_THREADS];
    struct st_wait_part parts[MOST_PARTS], pending[MOST_PARTS];
    struct st_wait_comm comms[MOST_COMMS];
    uint64_t members[MOST_COMMS][SIZE], own_members[MOST_COMMS][SIZE];
    struct st_win_peer peers[MOST_COMMS][SIZE];
    struct st_wait_shown shown;
    struct st_wait_count sent[SIZE], received[SIZE];
};
static struct made made[RANKS];

static int draw(int below)
{
    return rand() % below;
}

static const char *draw_frames(int number)
{
    static const char *const frames[] = {
        NULL, "[{\"module\":\"/app\",\"offset\":4711,\"return\":true}]",
        "[{\"text\":\"solve.py:7 in "
        "step\"},{\"module\":\"/lib/x.so\",\"offset\":9,\"return\":true}]"};
    return frames[number % 3];
}

static const char *frames_of(void *context, const struct st_thread_call *call, uint32_t site)
{
    (void)context;
    return draw_frames((int)(call != NULL ? call->site : site));
}

static const char *draw_function(void)
{
    static const char *const names[] = {"MPI_Recv", "MPI_Barrier", "MPI_Waitall", "MPI_Sendrecv",
                                        "MPI_Intercomm_create"};
    return names[draw(5)];
}

static void make_comm(struct made *one, size_t at)
{
    struct st_wait_comm *comm = &one->comms[at];
    *comm = (struct st_wait_comm){.kind = draw(3) == 0 ? ST_KIND_WIN : ST_KIND_NONE,
                                  .id = (uint64_t)draw(4),
                                  .begun = (uint64_t)draw(1000),
                                  .size = SIZE,
                                  .own_rank = -1,
                                  .is_inter = draw(4) == 0};
    snprintf(comm->name, sizeof comm->name, "comm %d", draw(3));
    for (int i = 0; i < SIZE; i++) {
        one->members[at][i] = draw(9) == 0 ? ST_NO_GPID : st_gpid(WORLD, draw(2) ? i : draw(RANKS));
        one->own_members[at][i] = st_gpid(WORLD, 3 * i);
        one->peers[at][i] = (struct st_win_peer){
            .started = (uint32_t)draw(2), .lock = ST_LOCK_SHARED, .site = ST_NO_SITE};
    }
    comm->members = draw(2) ? one->members[at] : NULL;
    if (comm->is_inter) {
        comm->own_members = one->own_members[at];
        comm->own_size = SIZE;
    }
    if (comm->kind == ST_KIND_WIN) {
        comm->peers = one->peers[at];
        comm->own_rank = draw(SIZE);
    }
}

static struct st_wait_part draw_part(const struct st_wait_rank *rank)
{
    struct st_wait_part part = {.sort = (enum st_wait_sort)draw(ST_WAIT_LEADER),
                                .from_nearby = draw(2),
                                .of_some = draw(2),
                                .is_request = draw(2),
                                .is_complete = draw(4) == 0,
                                .comm =
                                    draw(5) == 0 ? ST_NO_COMM : (size_t)draw((int)rank->comm_count),
                                .peer = draw(SIZE + 3) - 3,
                                .n = (uint64_t)draw(1000),
                                .tag = draw(1000) - 2,
                                .starts = (uint32_t)draw(3),
                                .site = draw(3) == 0 ? ST_NO_SITE : (uint32_t)draw(30),
                                .handle = (uint64_t)draw(5)};
    snprintf(part.function, sizeof part.function, "%s", draw_function());
    st_wait_find_process(rank, &part);
    if (draw(6) == 0) {
        part.world = draw(RANKS);
        part.process = st_gpid(WORLD + 1, part.world);
    }
    return part;
}

static void make_counts(struct st_wait_counts *counts, struct st_wait_count *list)
{
    counts->list = list;
    for (int i = 0; i < SIZE; i++) {
        if (draw(3) == 0) {
            list[counts->count++] = (struct st_wait_count){i * 300, 1 + (uint64_t)draw(100000)};
        }
    }
}

static void make_rank(int number)
{
    struct made *one = &made[number];
    struct st_wait_rank *rank = &one->rank;
    *one = (struct made){.rank = {.world_rank = number,
                                  .world_size = RANKS,
                                  .world = WORLD,
                                  .presence = (enum st_wait_presence)draw(ST_WAIT_ENDED + 1),
                                  .threads = one->threads,
                                  .parts = one->parts,
                                  .pending = one->pending,
                                  .comms = one->comms,
                                  .comm_count = 1 + (size_t)draw(MOST_COMMS)}};
    for (size_t i = 0; i < rank->comm_count; i++) {
        make_comm(one, i);
    }
    rank->part_count = (size_t)draw(MOST_PARTS + 1);
    rank->pending_count = (size_t)draw(MOST_PARTS + 1);
    for (size_t i = 0; i < rank->part_count; i++) {
        one->parts[i] = draw_part(rank);
    }
    for (size_t i = 0; i < rank->pending_count; i++) {
        one->pending[i] = draw_part(rank);
    }
    rank->thread_count = (size_t)draw(MOST_THREADS + 1);
    for (size_t i = 0; i < rank->thread_count; i++) {
        struct st_wait_thread *thread = &one->threads[i];
        thread->in_call = draw(4) != 0;
        thread->runs = draw(2);
        thread->first = (size_t)draw((int)rank->part_count + 1);
        thread->count = (size_t)draw((int)(rank->part_count - thread->first) + 1);
        thread->call = (struct st_thread_call){.site = (uint32_t)draw(30), .pc = 4711};
        snprintf(thread->function, sizeof thread->function, "%s",
                 thread->in_call ? draw_function() : "");
    }
    one->shown = (struct st_wait_shown){
        .job = 7, .has_counts = draw(2), .is_sender = draw(2), .is_receiver = draw(2)};
    if (one->shown.has_counts) {
        make_counts(&one->shown.sent, one->sent);
        make_counts(&one->shown.received, one->received);
    }
}

static struct states_told told_of(int number)
{
    return (struct states_told){.pid = 4711 + 3 * number,
                                .identity = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(number + 1),
                                .is_read = number % 7 != 5,
                                .is_stuck = number % 2,
                                .is_stopped = number % 3 == 0,
                                .waits = &made[number].rank,
                                .shown = number % 5 != 0 ? &made[number].shown : NULL,
                                .frames = frames_of};
}

static char *write_all(size_t *length)
{
    struct states_writer *writer = states_begin();
    for (int i = 0; i < RANKS; i++) {
        const struct states_told told = told_of(i);
        states_add(writer, &told);
    }
    return states_end(writer, length);
}

static void check_site(const struct states *states, uint32_t site, const char *frames)
{
    if (frames == NULL) {
        assert_int_equal(site, ST_NO_SITE);
        assert_null(states_frames(states, site));
        return;
    }
    assert_string_equal(states_frames_text(states, site), frames);
    char *again = json_dumps(states_frames(states, site), JSON_COMPACT);
    assert_string_equal(again, frames);
    free(again);
}

static void check_comm(const struct st_wait_comm *read, const struct st_wait_comm *comm)
{
    assert_int_equal(read->kind, comm->kind);
    assert_int_equal(read->id, comm->id);
    assert_int_equal(read->begun, comm->begun);
    assert_int_equal(read->is_inter, comm->is_inter);
    assert_int_equal(read->size, comm->size);
    assert_int_equal(read->own_size, comm->own_size);
    assert_int_equal(read->own_rank, comm->own_rank);
    assert_string_equal(read->name, comm->name);
    assert_true((read->members == NULL) == (comm->members == NULL));
    assert_true((read->peers == NULL) == (comm->peers == NULL));
    if (comm->members != NULL) {
        assert_memory_equal(read->members, comm->members, SIZE * sizeof *comm->members);
    }
    if (comm->own_members != NULL) {
        assert_memory_equal(read->own_members, comm->own_members, SIZE * sizeof *comm->members);
    }
    if (comm->peers != NULL) {
        assert_memory_equal(read->peers, comm->peers, SIZE * sizeof *comm->peers);
    }
}

static void check_part(const struct states *states, const struct st_wait_part *read,
                       const struct st_wait_part *part)
{
    assert_int_equal(read->sort, part->sort);
    assert_int_equal(read->from_nearby, part->from_nearby);
    assert_int_equal(read->of_some, part->of_some);
    assert_int_equal(read->is_request, part->is_request);
    assert_int_equal(read->is_complete, part->is_complete);
    assert_int_equal(read->comm, part->comm);
    assert_int_equal(read->peer, part->peer);
    assert_int_equal(read->world, part->world);
    assert_int_equal(read->process, part->process);
    assert_int_equal(read->n, part->n);
    assert_int_equal(read->tag, part->tag);
    assert_int_equal(read->starts, part->starts);
    assert_int_equal(read->handle == 0, part->handle == 0);
    assert_string_equal(read->function, part->function);
    check_site(states, read->site, part->site != ST_NO_SITE ? draw_frames((int)part->site) : NULL);
}

/* Handles are others, but as many, and equal where they were. */
static void check_handles(const struct st_wait_rank *read, const struct st_wait_rank *rank)
{
    for (size_t i = 0; i < rank->part_count; i++) {
        for (size_t k = 0; k < rank->pending_count; k++) {
            assert_int_equal(read->parts[i].handle == read->pending[k].handle,
                             rank->parts[i].handle == rank->pending[k].handle);
        }
    }
}

static void check_counts(const struct st_wait_counts *read, const struct st_wait_counts *counts)
{
    assert_int_equal(read->count, counts->count);
    for (size_t i = 0; i < counts->count; i++) {
        assert_int_equal(read->list[i].rank, counts->list[i].rank);
        assert_int_equal(read->list[i].number, counts->list[i].number);
    }
}

static void check_shown(const struct st_wait_shown *read, const struct st_wait_shown *shown)
{
    assert_true((read == NULL) == (shown == NULL));
    if (shown != NULL) {
        assert_int_equal(read->job, shown->job);
        assert_int_equal(read->has_counts, shown->has_counts);
        assert_int_equal(read->is_sender, shown->is_sender);
        assert_int_equal(read->is_receiver, shown->is_receiver);
        check_counts(&read->sent, &shown->sent);
        check_counts(&read->received, &shown->received);
    }
}

static void check_one(const struct states *states, int number)
{
    const struct states_one *one = &states->list[number];
    const struct states_told told = told_of(number);
    const struct st_wait_rank *rank = told.waits;
    struct st_wait_rank read;
    assert_int_equal(one->pid, told.pid);
    assert_int_equal(one->identity, told.identity);
    assert_int_equal(one->is_read, told.is_read);
    assert_int_equal(one->is_stuck, told.is_stuck);
    assert_int_equal(one->is_stopped, told.is_stopped);
    if (!told.is_read) {
        return;
    }
    states_fill(one, &read);
    assert_int_equal(read.world_rank, rank->world_rank);
    assert_int_equal(read.world_size, rank->world_size);
    assert_int_equal(read.world, rank->world);
    assert_int_equal(read.presence, rank->presence);
    assert_int_equal(read.comm_count, rank->comm_count);
    assert_int_equal(read.part_count, rank->part_count);
    assert_int_equal(read.pending_count, rank->pending_count);
    assert_int_equal(read.thread_count, rank->thread_count);
    for (size_t i = 0; i < read.comm_count; i++) {
        check_comm(&read.comms[i], &rank->comms[i]);
    }
    for (size_t i = 0; i < read.part_count; i++) {
        check_part(states, &read.parts[i], &rank->parts[i]);
    }
    for (size_t i = 0; i < read.pending_count; i++) {
        check_part(states, &read.pending[i], &rank->pending[i]);
    }
    for (size_t i = 0; i < read.thread_count; i++) {
        const struct st_wait_thread *thread = &read.threads[i], *of = &rank->threads[i];
        assert_int_equal(thread->in_call, of->in_call);
        assert_int_equal(thread->runs, of->runs);
        assert_int_equal(thread->first, of->first);
        assert_int_equal(thread->count, of->count);
        assert_string_equal(thread->function, of->function);
        check_site(states, thread->call.site, of->in_call ? draw_frames((int)of->call.site) : NULL);
    }
    check_handles(&read, rank);
    check_shown(one->shown, told.shown);
}

static void what_is_told_is_read(void **state)
{
    (void)state;
    srand(1);
    for (int round = 0; round < 100; round++) {
        size_t length;
        for (int i = 0; i < RANKS; i++) {
            make_rank(i);
        }
        char *bytes = write_all(&length);
        struct states *states = states_read(bytes, length);
        free(bytes);
        assert_non_null(states);
        assert_int_equal(states->count, RANKS);
        for (int i = 0; i < RANKS; i++) {
            check_one(states, i);
        }
        states_drop(states_share(states)); /* it is still used */
        check_one(states, 0);
        states_drop(states);
    }
}

/* Of ranks in one call, whose numbers differ. */
static void equal_ones_are_small(void **state)
{
    enum { MANY = 1000, BYTES = 24 };
    struct st_wait_comm world = {.id = ST_WORLD_ID, .begun = 17, .size = MANY, .own_rank = -1};
    size_t length;
    (void)state;
    struct states_writer *writer = states_begin();
    for (int i = 0; i < MANY; i++) {
        struct st_wait_part part = {.sort = ST_WAIT_RECEIVE,
                                    .peer = (i + 1) % MANY,
                                    .tag = 7,
                                    .site = ST_NO_SITE,
                                    .function = "MPI_Recv"};
        struct st_wait_thread thread = {.in_call = true,
                                        .count = 1,
                                        .id = (uint64_t)rand(),
                                        .function = "MPI_Recv",
                                        .call = {.site = 1, .pc = (uint64_t)rand()}};
        struct st_wait_rank rank = {.world_rank = i,
                                    .world_size = MANY,
                                    .world = WORLD,
                                    .threads = &thread,
                                    .thread_count = 1,
                                    .parts = &part,
                                    .part_count = 1,
                                    .pending = &part,
                                    .pending_count = 1,
                                    .comms = &world,
                                    .comm_count = 1};
        st_wait_find_process(&rank, &part);
        const struct states_told told = {.pid = i,
                                         .identity = (uint64_t)rand(),
                                         .is_read = true,
                                         .waits = &rank,
                                         .frames = frames_of};
        states_add(writer, &told);
    }
    free(states_end(writer, &length));
    assert_in_range(length, MANY, MANY * BYTES);
}

/* A communicator that only the rank has is of no use elsewhere, unless the rank waits in it, or has sent messages to itself. */
static void what_nobody_else_has_stays(void **state)
{
    (void)state;
    uint64_t self = st_gpid(WORLD, 3);
    struct st_wait_comm comms[] = {{.id = 5, .size = 1, .members = &self, .own_rank = -1},
                                   {.id = ST_WORLD_ID, .size = SIZE, .own_rank = -1}};
    struct st_wait_part part = {.comm = 1, .peer = 2, .site = ST_NO_SITE};
    struct st_wait_count count = {3, 1};
    struct st_wait_shown shown = {.has_counts = true, .sent = {&count, 1}};
    const struct st_wait_rank rank = {.world_rank = 3,
                                      .world = WORLD,
                                      .comms = comms,
                                      .comm_count = 2,
                                      .pending = &part,
                                      .pending_count = 1};
    for (int i = 0; i < 3; i++) {
        size_t length;
        struct st_wait_rank read;
        struct states_writer *writer = states_begin();
        part.comm = i != 1;
        st_wait_find_process(&rank, &part);
        states_add(writer, &(struct states_told){
                               .is_read = true, .waits = &rank, .shown = i == 2 ? &shown : NULL});
        char *bytes = states_end(writer, &length);
        struct states *states = states_read(bytes, length);
        assert_non_null(states);
        states_fill(&states->list[0], &read);
        assert_int_equal(read.comm_count, i == 0 ? 1 : 2);
        assert_int_equal(read.comms[read.pending[0].comm].id, comms[part.comm].id);
        states_drop(states);
        free(bytes);
    }
}

/* All that a list should have is there. */
static uint64_t read_lists(const struct st_wait_rank *rank)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < rank->comm_count; i++) {
        const struct st_wait_comm *comm = &rank->comms[i];
        for (int32_t k = 0; k < comm->size; k++) {
            sum += comm->members != NULL ? comm->members[k] : 0;
            sum += comm->peers != NULL ? comm->peers[k].lock : 0;
        }
        for (int32_t k = 0; k < comm->own_size; k++) {
            sum += comm->own_members[k];
        }
    }
    return sum;
}

/* What was read is judged, and told. */
static void judge(const struct states *states)
{
    struct st_wait_rank *ranks = calloc(states->count + 1, sizeof *ranks);
    struct st_deaths deaths;
    static volatile uint64_t sum;
    for (size_t i = 0; i < states->count; i++) {
        ranks[i].world_rank = -1;
        if (states->list[i].is_read) {
            states_fill(&states->list[i], &ranks[i]);
            ranks[i].is_stuck = true;
            sum += read_lists(&ranks[i]);
            for (size_t k = 0; k < ranks[i].thread_count; k++) {
                states_frames(states, ranks[i].threads[k].call.site);
            }
        }
    }
    assert_true(st_deaths_find(ranks, states->count, &deaths));
    const struct st_told_job job = {.ranks = ranks, .count = states->count};
    for (size_t i = 0; i < deaths.count; i++) {
        struct st_told_text told;
        assert_true(st_told_death(&job, &deaths.list[i], &told));
        st_told_free(&told);
    }
    st_deaths_free(&deaths);
    free(ranks);
}

/* It is refused, or it is sound. */
static void damage_is_found(void **state)
{
    enum { ROUNDS = 60, CHANGES = 300 };
    size_t refused = 0, taken = 0;
    (void)state;
    srand(2);
    for (int round = 0; round < ROUNDS; round++) {
        size_t length;
        for (int i = 0; i < RANKS; i++) {
            make_rank(i);
        }
        char *bytes = write_all(&length);
        for (size_t cut = 0; cut < length; cut += 1 + cut / 16) {
            char *part = malloc(cut + 1); /* so that a read behind its end is seen */
            memcpy(part, bytes, cut);
            assert_null(states_read(part, cut));
            free(part);
        }
        for (int i = 0; i < CHANGES; i++) {
            const size_t at = (size_t)draw((int)length);
            const char before = bytes[at];
            bytes[at] = (char)rand();
            struct states *states = states_read(bytes, length);
            refused += states == NULL;
            taken += states != NULL;
            if (states != NULL) {
                judge(states);
            }
            states_drop(states);
            bytes[at] = before;
        }
        free(bytes);
    }
    assert_true(refused > ROUNDS && taken > ROUNDS);
}

/* A few bytes that say that very much follows. */
static void too_much_is_refused(void **state)
{
    (void)state;
    struct stream_writer group = {0}, all = {0};
    stream_put(&group, UINT64_C(1) << 20);
    stream_put(&group, 1);
    stream_put(&group, 5);
    stream_put_signed(&group, 1);
    stream_put(&group, UINT64_C(1) << 20);
    stream_put(&all, 0);
    stream_put(&all, 64);
    for (int i = 0; i < 64; i++) {
        group.bytes[group.length - 5] = (unsigned char)i; /* another one each time */
        stream_put_block(&all, group.bytes, group.length);
    }
    for (int i = 0; i < 3; i++) {
        stream_put(&all, 0);
    }
    assert_null(states_read((char *)all.bytes, all.length));
    all.length = 0;
    stream_put(&all, UINT64_MAX);
    assert_null(states_read((char *)all.bytes, all.length));
    all.length = 0;
    for (int i = 0; i < 5; i++) {
        stream_put(&all, 0);
    }
    struct states *states = states_read((char *)all.bytes, all.length);
    assert_non_null(states); /* of no rank */
    states_drop(states);
    free(group.bytes);
    free(all.bytes);
}

static void numbers_are_as_they_were(void **state)
{
    (void)state;
    const uint64_t numbers[] = {0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX - 1, UINT64_MAX};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    struct stream_writer writer = {0};
    for (size_t i = 0; i < COUNT; i++) {
        stream_put(&writer, numbers[i]);
        stream_put_signed(&writer, (int64_t)numbers[i]);
        stream_put_word(&writer, numbers[i]);
    }
    struct stream_reader reader = {writer.bytes, writer.length, false};
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(stream_take(&reader), numbers[i]);
        assert_int_equal(stream_take_signed(&reader), (int64_t)numbers[i]);
        assert_int_equal(stream_take_word(&reader), numbers[i]);
    }
    assert_false(reader.is_bad);
    assert_int_equal(stream_take(&reader), 0);
    assert_true(reader.is_bad);
    const unsigned char endless[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0};
    reader = (struct stream_reader){endless, sizeof endless, false};
    assert_int_equal(stream_take(&reader), 0);
    assert_true(reader.is_bad);
    free(writer.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_as_they_were), cmocka_unit_test(what_is_told_is_read),
        cmocka_unit_test(equal_ones_are_small),     cmocka_unit_test(damage_is_found),
        cmocka_unit_test(too_much_is_refused),      cmocka_unit_test(what_nobody_else_has_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
