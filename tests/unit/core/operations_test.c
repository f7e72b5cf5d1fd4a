/* The pending operations, and handles (decode_operations.c): what is listed, and what damage leaves of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture.h"
#include "heap.h"

enum { PER_CHUNK = 4, RECORDS = 6, BUFFERS = 5 };

struct pending {
    struct fixture f;
    uint64_t head, records[2], buffers[2];
    struct st_operation_list list;
    struct st_damage damage;
};

static struct st_operations *head_of(struct pending *p)
{
    return image_at(&p->f.image, p->head);
}

static struct st_record *record_of(struct pending *p, uint32_t number)
{
    struct st_record *chunk = image_at(&p->f.image, p->records[number / PER_CHUNK]);
    return chunk + number % PER_CHUNK;
}

static struct st_record_buffer *buffer_of(struct pending *p, uint32_t number)
{
    struct st_record_buffer *chunk = image_at(&p->f.image, p->buffers[number / PER_CHUNK]);
    return chunk + number % PER_CHUNK;
}

/* A request with buffers 0 and 1, a window, a slot that is free, an operation with buffer 4 in
 * another chunk, and a request without a buffer that is older than all. */
static void fill(struct pending *p)
{
    for (uint32_t i = 0; i < 2 * PER_CHUNK; i++) {
        *record_of(p, i) = (struct st_record){.number = i,
                                              .site = ST_NO_SITE,
                                              .function = ST_NO_FUNCTION,
                                              .peer = ST_PEER_NONE,
                                              .tag = ST_PEER_NONE};
    }
    struct st_record *request = record_of(p, 0);
    request->serial = 7;
    request->handle = 0x98000000;
    request->kind = ST_KIND_REQUEST;
    request->flags = ST_RECORD_ACTIVE;
    request->function = 1;
    request->peer = 3;
    request->tag = 17;
    request->buffers = 1;
    *buffer_of(p, 0) = (struct st_record_buffer){
        .address = 0x1000, .count = 2, .type = 0, .next = 2, .access = ST_READ, .active = 1};
    *buffer_of(p, 1) = (struct st_record_buffer){
        .address = 0x2000, .count = 1, .type = ST_NO_NODE, .access = ST_WRITE, .active = 1};
    record_of(p, 1)->serial = 2;
    record_of(p, 1)->kind = ST_KIND_GROUP;
    struct st_record *operation = record_of(p, 4);
    operation->serial = 9;
    operation->kind = ST_KIND_OPERATION;
    operation->flags = ST_RECORD_RUNNING;
    operation->buffers = 5;
    *buffer_of(p, 4) = (struct st_record_buffer){.address = 0x3000, .record = 4};
    record_of(p, 5)->serial = 3;
    record_of(p, 5)->kind = ST_KIND_REQUEST;
}

static int open_pending(void **state)
{
    static struct pending pending;
    static const char functions[2][ST_FUNCTION_BYTES] = {"MPI_Irecv", "MPI_Isend"};
    static const char chunk[PER_CHUNK * sizeof(struct st_record)] = {0};
    struct pending *p = &pending;
    struct image *image = &p->f.image;
    fixture_init(&p->f);
    image_named(image, "MPI_INT", 4);
    for (int i = 0; i < 2; i++) {
        p->records[i] = image_add(image, chunk, sizeof chunk);
        p->buffers[i] = image_add(image, chunk, PER_CHUNK * sizeof(struct st_record_buffer));
    }
    const struct st_operations head = {
        .magic = ST_OPERATIONS_MAGIC,
        .record_chunks = image_add(image, p->records, sizeof p->records),
        .buffer_chunks = image_add(image, p->buffers, sizeof p->buffers),
        .functions = image_add(image, functions, sizeof functions),
        .record_chunk_count = 2,
        .records_per_chunk = PER_CHUNK,
        .records_used = RECORDS,
        .buffer_chunk_count = 2,
        .buffers_per_chunk = PER_CHUNK,
        .buffers_used = BUFFERS,
        .function_count = 2,
    };
    p->head = image_add(image, &head, sizeof head);
    fill(p);
    fixture_open(&p->f);
    *state = p;
    return 0;
}

static int close_pending(void **state)
{
    struct pending *p = *state;
    st_operations_free(&p->list);
    fixture_deinit(&p->f);
    return 0;
}

/* Lists them as the rank has them now; what was taken for it is paid for. */
static enum st_error list(struct pending *p)
{
    struct st_fault fault;
    bool changed;
    st_operations_free(&p->list);
    image_root(&p->f.image)->operations = p->head;
    assert_int_equal(st_registry_refresh(p->f.registry, &changed, &fault), ST_OK);
    size_t before = heap_watch();
    uint64_t delivered = p->f.image.bytes;
    enum st_error error = st_registry_operations(p->f.registry, &p->list, &p->damage, &fault);
    heap_must_be_paid(before, p->f.image.bytes - delivered);
    return error;
}

static void requests_and_operations_are_listed_oldest_first(void **state)
{
    struct pending *p = *state;
    assert_int_equal(list(p), ST_OK);
    assert_true(p->list.is_checked);
    assert_int_equal(p->damage.fault.error, ST_OK);
    assert_int_equal(p->list.count, 3);
    const struct st_operation *old = &p->list.operations[0], *request = old + 1, *last = old + 2;
    assert_int_equal(old->record.serial, 3);
    assert_int_equal(old->buffer_count, 0);
    assert_string_equal(old->function, "");
    assert_int_equal(request->record.serial, 7);
    assert_string_equal(request->function, "MPI_Isend");
    assert_int_equal(request->buffer_count, 2);
    const struct st_record_buffer *buffers = p->list.buffers + request->first_buffer;
    assert_int_equal(buffers[0].address, 0x1000);
    assert_int_equal(buffers[1].address, 0x2000);
    assert_int_equal(last->record.kind, ST_KIND_OPERATION);
    assert_int_equal(p->list.buffers[last->first_buffer].address, 0x3000);
}

/* root.changes does not tell of it. */
static void they_are_read_anew_each_time(void **state)
{
    struct pending *p = *state;
    assert_int_equal(list(p), ST_OK);
    record_of(p, 0)->serial = 0;
    record_of(p, 5)->flags = ST_RECORD_ACTIVE;
    assert_int_equal(list(p), ST_OK);
    assert_int_equal(p->list.count, 2);
    assert_int_equal(p->list.operations[0].record.flags, ST_RECORD_ACTIVE);
}

static enum st_error find(struct pending *p, enum st_kind kind, uint64_t handle,
                          struct st_object *object, struct st_fault *fault)
{
    bool changed;
    image_root(&p->f.image)->operations = p->head;
    assert_int_equal(st_registry_refresh(p->f.registry, &changed, fault), ST_OK);
    size_t before = heap_watch();
    uint64_t delivered = p->f.image.bytes;
    enum st_error error = st_registry_object(p->f.registry, kind, handle, object, fault);
    heap_must_be_paid(before, p->f.image.bytes - delivered);
    return error;
}

/* A handle is given out again: what lives is the newest. */
static void a_group_is_found_by_its_handle(void **state)
{
    struct pending *p = *state;
    struct st_object object;
    struct st_fault fault;
    *record_of(p, 1) = (struct st_record){.serial = 2,
                                          .number = 1,
                                          .kind = ST_KIND_GROUP,
                                          .handle = 0x88000001,
                                          .function = ST_NO_FUNCTION};
    *record_of(p, 2) = (struct st_record){
        .serial = 11, .number = 2, .kind = ST_KIND_GROUP, .handle = 0x88000001, .function = 1};
    assert_int_equal(find(p, ST_KIND_GROUP, 0x88000001, &object, &fault), ST_OK);
    assert_int_equal(object.record.serial, 11);
    assert_string_equal(object.function, "MPI_Isend");
    assert_null(object.name);
    assert_int_equal(find(p, ST_KIND_INFO, 0x88000001, &object, &fault), ST_OK);
    assert_int_equal(object.record.serial, 0);
    record_of(p, 2)->serial = 0;
    assert_int_equal(find(p, ST_KIND_GROUP, 0x88000001, &object, &fault), ST_OK);
    assert_int_equal(object.record.serial, 2);
    assert_null(object.name);
    assert_string_equal(object.function, "");
    p->head = 0;
    assert_int_equal(find(p, ST_KIND_GROUP, 0x88000001, &object, &fault), ST_OK);
    assert_int_equal(object.record.serial, 0);
}

static void a_damaged_group_is_a_fault(void **state)
{
    struct pending *p = *state;
    struct st_object object;
    struct st_fault fault;
    struct st_record *record = record_of(p, 1);
    record->handle = 0x88000001;
    record->function = 2;
    assert_int_equal(find(p, ST_KIND_GROUP, 0x88000001, &object, &fault), ST_DAMAGED_ROOT);
    record->function = ST_NO_FUNCTION;
    /* Where it may be cannot be read; but if it has been found, it is that. */
    uint64_t *directory = image_at(&p->f.image, head_of(p)->record_chunks);
    directory[1] = 64;
    assert_int_equal(find(p, ST_KIND_GROUP, 0x88000001, &object, &fault), ST_OK);
    assert_int_equal(find(p, ST_KIND_GROUP, 0x88000002, &object, &fault), ST_UNREADABLE);
    p->f.image.interrupt_at = p->f.image.reads + 2;
    assert_int_equal(find(p, ST_KIND_GROUP, 0x88000001, &object, &fault), ST_INTERRUPTED);
    p->f.image.interrupt_at = 0;
}

static void a_rank_without_checks_has_none(void **state)
{
    struct pending *p = *state;
    p->head = 0;
    assert_int_equal(list(p), ST_OK);
    assert_false(p->list.is_checked);
    assert_int_equal(p->list.count, 0);
}

static void damaged_ones_are_left_out(void **state)
{
    struct pending *p = *state;
    const struct {
        uint32_t *where, value;
        const char *field;
    } damages[] = {
        {&buffer_of(p, 1)->next, 1, "buffers"},   /* a chain that bites its own tail */
        {&buffer_of(p, 1)->next, 9, "buffers"},   /* out of range */
        {&buffer_of(p, 1)->record, 4, "buffers"}, /* another one's */
        {&record_of(p, 0)->buffers, UINT32_MAX, "buffers"},
        {&record_of(p, 0)->number, 1, "number"},
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        uint32_t before = *damages[i].where;
        *damages[i].where = damages[i].value;
        assert_int_equal(list(p), ST_OK);
        *damages[i].where = before;
        assert_in_range(p->list.count, 1, 2); /* a bad chain uses up what others may have */
        assert_int_equal(p->damage.read, p->list.count);
        assert_int_equal(p->damage.all, 3);
        assert_string_equal(p->damage.fault.field, damages[i].field);
    }
    record_of(p, 0)->function = 2;
    assert_int_equal(list(p), ST_OK);
    assert_string_equal(p->damage.fault.field, "function");
    record_of(p, 0)->function = 1;
    buffer_of(p, 0)->count = -1;
    assert_int_equal(list(p), ST_OK);
    assert_string_equal(p->damage.fault.field, "buffers");
}

static void numbers_that_cannot_be_are_refused(void **state)
{
    struct pending *p = *state;
    uint32_t *numbers[] = {
        &head_of(p)->magic,        &head_of(p)->record_chunk_count, &head_of(p)->records_per_chunk,
        &head_of(p)->records_used, &head_of(p)->buffers_used,       &head_of(p)->function_count};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint32_t before = *numbers[i];
        *numbers[i] = UINT32_MAX;
        assert_int_equal(list(p), ST_DAMAGED_ROOT);
        *numbers[i] = before;
    }
    head_of(p)->records_per_chunk = 0;
    assert_int_equal(list(p), ST_DAMAGED_ROOT);
}

static void chunks_that_are_not_there_are_damage(void **state)
{
    struct pending *p = *state;
    uint64_t *directory = image_at(&p->f.image, head_of(p)->record_chunks);
    uint64_t before = directory[1];
    directory[1] = 64;
    assert_int_equal(list(p), ST_OK);
    assert_int_equal(p->list.count, 1);
    assert_int_equal(p->damage.fault.error, ST_UNREADABLE);
    directory[1] = before;
    head_of(p)->functions = UINT64_MAX - 8;
    assert_int_equal(list(p), ST_OK);
    assert_int_equal(p->list.count, 2);
    p->f.image.interrupt_at = p->f.image.reads + 2;
    assert_int_equal(list(p), ST_INTERRUPTED);
    p->f.image.interrupt_at = 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_pending, close_pending)
    const struct CMUnitTest tests[] = {
        TEST(requests_and_operations_are_listed_oldest_first),
        TEST(they_are_read_anew_each_time),
        TEST(a_group_is_found_by_its_handle),
        TEST(a_damaged_group_is_a_fault),
        TEST(a_rank_without_checks_has_none),
        TEST(damaged_ones_are_left_out),
        TEST(numbers_that_cannot_be_are_refused),
        TEST(chunks_that_are_not_there_are_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
