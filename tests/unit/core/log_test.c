/* The collective calls that a rank has left for the others, read by a debugger (core/agree/log.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/agree/log.h"
#include "core/model/hash.h"
#include "core/signature/element.h"
#include "fixture.h"

enum { JOB = 9, COMM = 77, PLACE = 24 };

struct made {
    struct fixture f;
    uint64_t shared, area;
    struct st_call_log log;
};

static struct st_rank_area *area_of(struct made *m)
{
    return image_at(&m->f.image, m->area);
}

static uint64_t hash_of(const char *name)
{
    const struct st_basic_element element = {.kind = ST_NAMED, .name = name};
    return st_element_hash(&element);
}

static void leave(struct made *m, size_t at, struct st_collective call)
{
    call.comm = call.comm ? call.comm : st_hash_word(COMM, JOB);
    st_rank_call_write(&area_of(m)->calls[at], st_collective_key(call.comm, call.number), &call);
}

static int open_made(void **state)
{
    static struct made made;
    static const char functions[2][ST_FUNCTION_BYTES] = {"MPI_Barrier", "MPI_Bcast"};
    struct made *m = &made;
    struct image *image = &m->f.image;
    *m = (struct made){0};
    fixture_init(&m->f);
    image->has_calls = true;
    image_named(image, "MPI_INT", 4);
    image_named(image, "MPI_DOUBLE", 8);
    const struct st_operations head = {.magic = ST_OPERATIONS_MAGIC,
                                       .functions = image_add(image, functions, sizeof functions),
                                       .function_count = 2};
    image->operations = image_add(image, &head, sizeof head);
    m->area = image_add(image, NULL, sizeof(struct st_rank_area));
    const struct st_shared_area shared = {
        .magic = ST_SHARED_MAGIC, .version = ST_SEGMENT_VERSION, .area = m->area, .job = JOB};
    m->shared = image->shared = image_add(image, &shared, sizeof shared);
    fixture_open(&m->f);
    *state = m;
    return 0;
}

static int close_made(void **state)
{
    struct made *m = *state;
    st_call_log_free(&m->log);
    fixture_deinit(&m->f);
    return 0;
}

static enum st_error read_log(struct made *m)
{
    struct st_fault fault;
    bool changed;
    st_call_log_free(&m->log);
    assert_int_equal(st_registry_refresh(m->f.registry, &changed, &fault), ST_OK);
    return st_call_log_read(m->f.registry, &m->log, &fault);
}

static void says(struct made *m, size_t at, const char *text)
{
    char said[ST_CALL_TEXT];
    st_call_log_text(&m->log, &m->log.calls[at], said);
    assert_string_equal(said, text);
}

static void calls_are_in_order(void **state)
{
    struct made *m = *state;
    leave(m, 3, (struct st_collective){.number = 12, .called = 0});
    leave(m, 300,
          (struct st_collective){.number = 2,
                                 .called = 1,
                                 .length = 8,
                                 .root = 1,
                                 .hash = {hash_of("MPI_DOUBLE")},
                                 .flags = ST_COLLECTIVE_SIGNATURE | ST_COLLECTIVE_UNIFORM |
                                          ST_COLLECTIVE_ROOT});
    leave(m, 511,
          (struct st_collective){.number = 3,
                                 .called = 1,
                                 .hash = {1},
                                 .length = 1,
                                 .operation = 7,
                                 .flags = ST_COLLECTIVE_SIGNATURE | ST_COLLECTIVE_UNIFORM |
                                          ST_COLLECTIVE_IN_PLACE | ST_COLLECTIVE_PLACED});
    leave(m, 4, (struct st_collective){.number = 4, .called = 99, .flags = 0x10});
    const uint32_t inter = ST_COLLECTIVE_SIGNATURE | ST_COLLECTIVE_ROOT | ST_COLLECTIVE_INTER;
    leave(m, 5,
          (struct st_collective){.number = 5, .called = 1, .root = ST_ROOT_SELF, .flags = inter});
    leave(m, 6,
          (struct st_collective){.number = 6, .called = 1, .root = ST_ROOT_NONE, .flags = inter});
    leave(m, 7, (struct st_collective){.number = 7, .called = 1, .root = 2, .flags = inter});
    assert_int_equal(read_log(m), ST_OK);
    assert_true(m->log.is_there);
    assert_int_equal(m->log.count, 7);
    assert_int_equal(m->log.calls[0].call.comm, st_call_log_comm(&m->log, COMM));
    says(m, 0, "MPI_Bcast(data=8 x MPI_DOUBLE, root=1)");
    says(m, 1, "MPI_Bcast(buffer=MPI_IN_PLACE, data=1 x a basic type, op=another operation)");
    says(m, 2, "a collective call(data=nothing)");
    says(m, 3, "MPI_Bcast(data=nothing, root=MPI_ROOT)");
    says(m, 4, "MPI_Bcast(data=nothing, root=MPI_PROC_NULL)");
    says(m, 5, "MPI_Bcast(data=nothing, root=2)");
    says(m, 6, "MPI_Barrier");
}

/* Half written, or not a call at all. */
static void what_is_no_call_is_left_out(void **state)
{
    struct made *m = *state;
    leave(m, 0, (struct st_collective){.number = 1});
    leave(m, 1, (struct st_collective){.number = 2});
    leave(m, 2, (struct st_collective){.number = 3});
    area_of(m)->calls[0].key = 0;
    area_of(m)->calls[1].call.number = 5;
    memset(&area_of(m)->calls[9], 0xff, 400 * sizeof(struct st_rank_call));
    assert_int_equal(read_log(m), ST_OK);
    assert_int_equal(m->log.count, 1);
    assert_int_equal(m->log.calls[0].call.number, 3);
}

static size_t frames_of(struct made *m, uint32_t place, uint64_t *frames)
{
    struct st_fault fault = {0};
    struct st_logged_call call = {.call.place = place};
    size_t count = 99;
    assert_int_equal(st_call_log_site(m->f.registry, &m->log, &call, frames, 4, &count, &fault),
                     ST_OK);
    return count;
}

static void sites_are_read(void **state)
{
    struct made *m = *state;
    struct st_rank_place *place = (struct st_rank_place *)(void *)&area_of(m)->places[PLACE];
    uint64_t frames[4];
    place->frames = 2;
    place->addresses[0] = 0x1234;
    place->addresses[1] = 0x5678;
    assert_int_equal(read_log(m), ST_OK);
    assert_int_equal(frames_of(m, PLACE, frames), 2);
    assert_int_equal(frames[1], 0x5678);
    place->frames = 100;
    assert_int_equal(frames_of(m, PLACE, frames), 4);
    place->frames = UINT32_MAX;
    assert_int_equal(frames_of(m, PLACE, frames), 0);
    assert_int_equal(frames_of(m, 0, frames), 0);
    assert_int_equal(frames_of(m, PLACE + 1, frames), 0);
    assert_int_equal(frames_of(m, ST_AREA_PLACES - 8, frames), 0);
    assert_int_equal(frames_of(m, UINT32_MAX, frames), 0);
}

static void there_may_be_none(void **state)
{
    struct made *m = *state;
    struct st_shared_area *shared = image_at(&m->f.image, m->shared);
    image_root(&m->f.image)->shared = 0;
    assert_int_equal(read_log(m), ST_OK);
    assert_false(m->log.is_there);
    image_root(&m->f.image)->shared = 8;
    assert_int_equal(read_log(m), ST_UNREADABLE);
    image_root(&m->f.image)->shared = m->shared;
    shared->version++;
    assert_int_equal(read_log(m), ST_DAMAGED_ROOT);
    shared->version--;
    shared->area += 4;
    assert_int_equal(read_log(m), ST_DAMAGED_ROOT);
    shared->area = 16;
    assert_int_equal(read_log(m), ST_UNREADABLE);
    assert_int_equal(m->log.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(calls_are_in_order, open_made, close_made),
        cmocka_unit_test_setup_teardown(what_is_no_call_is_left_out, open_made, close_made),
        cmocka_unit_test_setup_teardown(sites_are_read, open_made, close_made),
        cmocka_unit_test_setup_teardown(there_may_be_none, open_made, close_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
