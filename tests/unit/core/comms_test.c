/* Communicators (decode_comms.c): what is found and listed, and what damage leaves of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture.h"
#include "heap.h"

enum { PER_CHUNK = 2, COMMS = 3, WORLD = 9 };

struct made {
    struct fixture f;
    uint64_t head, chunks[2], members;
    struct st_communicator *comms;
    size_t count;
    struct st_damage damage;
};

static struct st_operations *head_of(struct made *m)
{
    return image_at(&m->f.image, m->head);
}

static struct st_comm *comm_of(struct made *m, uint32_t number)
{
    struct st_comm *chunk = image_at(&m->f.image, m->chunks[number / PER_CHUNK]);
    return chunk + number % PER_CHUNK;
}

/* Every second rank of a world of six, by two names; an intercommunicator whose other group is listed;
 * the same handle a second time, which nothing is known of yet. */
static void fill(struct made *m)
{
    const struct st_dimension grid = {.processes = 3, .periodic = 1, .here = 1};
    const struct st_freed_call freed[ST_MOST_FREED_CALLS] = {[5] = {.order = 69, .starts = 4}};
    *comm_of(m, 0) = (struct st_comm){
        .serial = 8,
        .handle = 0x84000001,
        .id = 77,
        .collectives = 3,
        .name = image_block(&m->f.image, "rows", 4),
        .group = {.world = WORLD, .size = 3, .first = 1, .stride = 2, .form = ST_GROUP_STRIDED},
        .grid = image_block(&m->f.image, &grid, sizeof grid),
        .freed = image_block(&m->f.image, freed, sizeof freed),
        .rank = 1,
        .site = ST_NO_SITE,
        .number = 0,
        .function = 1,
        .flags = ST_COMM_KNOWN};
    *comm_of(m, 1) =
        (struct st_comm){.serial = 5,
                         .handle = 0x84000002,
                         .group = {.size = 1, .form = ST_GROUP_UNKNOWN},
                         .remote = {.members = m->members, .size = 2, .form = ST_GROUP_LISTED},
                         .number = 1,
                         .function = ST_NO_FUNCTION,
                         .flags = ST_COMM_KNOWN | ST_COMM_INTER};
    *comm_of(m, 2) = (struct st_comm){
        .serial = 4, .handle = 0x84000001, .number = 2, .rank = 7, .function = ST_NO_FUNCTION};
}

static int open_made(void **state)
{
    static struct made made;
    static const char functions[2][ST_FUNCTION_BYTES] = {"MPI_Comm_dup", "MPI_Comm_split"};
    static const char chunk[PER_CHUNK * sizeof(struct st_comm)] = {0};
    const uint64_t gpids[] = {st_gpid(WORLD, 4), st_gpid(3, 0)};
    struct made *m = &made;
    struct image *image = &m->f.image;
    fixture_init(&m->f);
    image_named(image, "MPI_INT", 4);
    for (int i = 0; i < 2; i++) {
        m->chunks[i] = image_add(image, chunk, sizeof chunk);
    }
    m->members = image_block(image, gpids, sizeof gpids);
    const struct st_operations head = {
        .magic = ST_OPERATIONS_MAGIC,
        .functions = image_add(image, functions, sizeof functions),
        .function_count = 2,
        .comm_chunks = image_add(image, m->chunks, sizeof m->chunks),
        .comm_chunk_count = 2,
        .comms_per_chunk = PER_CHUNK,
        .comms_used = COMMS,
    };
    m->head = image_add(image, &head, sizeof head);
    fill(m);
    fixture_open(&m->f);
    *state = m;
    return 0;
}

static void let_go(struct made *m)
{
    st_communicators_free(m->comms, m->count);
    m->comms = NULL;
    m->count = 0;
}

static int close_made(void **state)
{
    struct made *m = *state;
    let_go(m);
    fixture_deinit(&m->f);
    return 0;
}

static void refresh(struct made *m)
{
    struct st_fault fault;
    bool changed;
    image_root(&m->f.image)->operations = m->head;
    assert_int_equal(st_registry_refresh(m->f.registry, &changed, &fault), ST_OK);
}

/* Lists them as the rank has them now; what was taken for it is paid for. */
static enum st_error list(struct made *m)
{
    struct st_fault fault;
    let_go(m);
    refresh(m);
    size_t before = heap_watch();
    uint64_t delivered = m->f.image.bytes;
    enum st_error error =
        st_registry_comms(m->f.registry, &m->comms, &m->count, &m->damage, &fault);
    heap_must_be_paid(before, m->f.image.bytes - delivered);
    return error;
}

static enum st_error find_kind(struct made *m, enum st_kind kind, uint64_t handle,
                               struct st_communicator *comm, struct st_fault *fault)
{
    refresh(m);
    size_t before = heap_watch();
    uint64_t delivered = m->f.image.bytes;
    enum st_error error = st_registry_comm(m->f.registry, kind, handle, comm, fault);
    heap_must_be_paid(before, m->f.image.bytes - delivered);
    return error;
}

static enum st_error find(struct made *m, uint64_t handle, struct st_communicator *comm,
                          struct st_fault *fault)
{
    return find_kind(m, ST_KIND_COMM, handle, comm, fault);
}

static void all_are_listed_oldest_first(void **state)
{
    struct made *m = *state;
    assert_int_equal(list(m), ST_OK);
    assert_int_equal(m->damage.fault.error, ST_OK);
    assert_int_equal(m->count, 3);
    const struct st_communicator *unknown = m->comms, *inter = unknown + 1, *rows = unknown + 2;
    assert_int_equal(unknown->comm.group.size, -1);
    assert_int_equal(unknown->comm.rank, -1);
    assert_int_equal(st_communicator_member(unknown, false, 0), ST_NO_GPID);
    assert_string_equal(rows->name, "rows");
    assert_string_equal(rows->function, "MPI_Comm_split");
    assert_int_equal(rows->comm.id, 77);
    assert_int_equal(rows->dimensions, 1);
    assert_int_equal(rows->grid->processes, 3);
    assert_int_equal(rows->grid->here, 1);
    assert_int_equal(inter->dimensions, 0);
    assert_int_equal(rows->freed[5].order, 69);
    assert_int_equal(rows->freed[5].starts, 4);
    assert_null(inter->freed);
    assert_int_equal(rows->comm.collectives, 3);
    assert_int_equal(st_communicator_member(rows, false, 0), st_gpid(WORLD, 1));
    assert_int_equal(st_communicator_member(rows, false, 2), st_gpid(WORLD, 5));
    assert_int_equal(st_communicator_member(rows, false, 3), ST_NO_GPID);
    assert_int_equal(st_communicator_member(rows, false, -1), ST_NO_GPID);
    assert_int_equal(st_communicator_member(rows, true, 0), ST_NO_GPID);
    assert_int_equal(st_communicator_member(inter, false, 0), ST_NO_GPID);
    uint64_t other = st_communicator_member(inter, true, 1);
    assert_int_equal(st_gpid_world(other), 3);
    assert_int_equal(st_gpid_rank(other), 0);
    assert_int_equal(st_communicator_member(inter, true, 0), st_gpid(WORLD, 4));
}

/* A handle is given out again: what lives is the newest. */
static void one_is_found_by_its_handle(void **state)
{
    struct made *m = *state;
    struct st_communicator comm;
    struct st_fault fault;
    assert_int_equal(find(m, 0x84000001, &comm, &fault), ST_OK);
    assert_int_equal(comm.comm.serial, 8);
    assert_string_equal(comm.name, "rows");
    st_communicator_deinit(&comm);
    comm_of(m, 0)->serial = 0;
    assert_int_equal(find(m, 0x84000001, &comm, &fault), ST_OK);
    assert_int_equal(comm.comm.serial, 4);
    assert_null(comm.name);
    assert_int_equal(find(m, 0x84000009, &comm, &fault), ST_OK);
    assert_int_equal(comm.comm.serial, 0);
    m->head = 0;
    assert_int_equal(find(m, 0x84000001, &comm, &fault), ST_OK);
    assert_int_equal(comm.comm.serial, 0);
    assert_int_equal(list(m), ST_OK);
    assert_int_equal(m->count, 0);
}

static void damaged_ones_are_left_out(void **state)
{
    struct made *m = *state;
    const struct {
        void *where;
        uint32_t value;
        const char *field;
    } damages[] = {
        {&comm_of(m, 0)->number, 1, "number"},
        {&comm_of(m, 0)->rank, 3, "rank"},
        {&comm_of(m, 0)->rank, UINT32_MAX, "rank"},
        {&comm_of(m, 0)->group.size, UINT32_MAX, "group"},
        {&comm_of(m, 0)->group.size, INT32_MAX, "group"},
        {&comm_of(m, 0)->group.first, UINT32_MAX, "group"},
        {&comm_of(m, 0)->group.stride, UINT32_MAX, "group"}, /* the last one is below 0 */
        {&comm_of(m, 0)->group.stride, INT32_MAX, "group"},
        {&comm_of(m, 0)->group.form, 3, "group"},
        {&comm_of(m, 0)->name, 64, "name"},
        {(char *)&comm_of(m, 0)->group.world + 4, 256, "group"}, /* 2^40 */
        {&comm_of(m, 1)->remote.size, 3, "members"},             /* one more than the block has */
        {&comm_of(m, 1)->remote.size, 1 << 24, "members"},
        {&comm_of(m, 1)->remote.members, 64, "members"},
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        uint32_t before;
        memcpy(&before, damages[i].where, sizeof before);
        memcpy(damages[i].where, &damages[i].value, sizeof before);
        assert_int_equal(list(m), ST_OK);
        memcpy(damages[i].where, &before, sizeof before);
        assert_int_equal(m->count, 2);
        assert_int_equal(m->damage.read, 2);
        assert_int_equal(m->damage.all, 3);
        assert_string_equal(m->damage.fault.field, damages[i].field);
    }
    comm_of(m, 0)->function = 2;
    assert_int_equal(list(m), ST_OK);
    assert_string_equal(m->damage.fault.field, "function");
}

/* The block says that it has what it has not: room is taken as far as it could be read. */
static void members_that_are_not_there_cost_nothing(void **state)
{
    struct made *m = *state;
    struct st_block *block = image_at(&m->f.image, m->members);
    block->bytes = UINT64_C(1) << 27;
    comm_of(m, 1)->remote.size = 1 << 24;
    assert_int_equal(list(m), ST_OK);
    assert_int_equal(m->count, 2);
    assert_int_equal(m->damage.fault.error, ST_UNREADABLE);
}

static void a_grid_must_be_sound(void **state)
{
    struct made *m = *state;
    struct st_block *block = image_at(&m->f.image, comm_of(m, 0)->grid);
    struct st_dimension *dimension = (struct st_dimension *)(block + 1);
    const struct {
        void *where;
        uint32_t value;
    } damages[] = {
        {&block->magic, 0},         {&block->bytes, 0},         {&block->bytes, 11},
        {&block->bytes, 65 * 12},   {&dimension->here, 3},      {&dimension->here, UINT32_MAX},
        {&dimension->processes, 0}, {&comm_of(m, 0)->grid, 64},
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        uint32_t before;
        memcpy(&before, damages[i].where, sizeof before);
        memcpy(damages[i].where, &damages[i].value, sizeof before);
        assert_int_equal(list(m), ST_OK);
        memcpy(damages[i].where, &before, sizeof before);
        assert_int_equal(m->count, 2);
        assert_string_equal(m->damage.fault.field, "grid");
    }
    comm_of(m, 0)->kind = ST_KIND_WIN; /* only a communicator has one */
    comm_of(m, 0)->grid = 64;
    assert_int_equal(list(m), ST_OK);
    assert_int_equal(m->count, 3);
}

static void the_freed_calls_must_be_there(void **state)
{
    struct made *m = *state;
    struct st_block *block = image_at(&m->f.image, comm_of(m, 0)->freed);
    const uint64_t bytes = block->bytes;
    block->bytes = bytes - 8;
    assert_int_equal(list(m), ST_OK);
    assert_int_equal(m->count, 2);
    assert_string_equal(m->damage.fault.field, "freed");
    block->bytes = bytes;
    comm_of(m, 0)->freed = 64;
    assert_int_equal(list(m), ST_OK);
    assert_int_equal(m->count, 2);
    assert_string_equal(m->damage.fault.field, "freed");
}

/* Of all objects with the handle, the newest of the kind is found. */
static void a_window_is_found_by_its_handle(void **state)
{
    struct made *m = *state;
    struct st_communicator comm;
    struct st_object object;
    struct st_fault fault;
    comm_of(m, 2)->kind = ST_KIND_WIN;
    comm_of(m, 2)->name = image_block(&m->f.image, "left", 4);
    assert_int_equal(find_kind(m, ST_KIND_WIN, 0x84000001, &comm, &fault), ST_OK);
    assert_int_equal(comm.comm.serial, 4);
    assert_string_equal(comm.name, "left");
    st_communicator_deinit(&comm);
    assert_int_equal(find_kind(m, ST_KIND_FILE, 0x84000001, &comm, &fault), ST_OK);
    assert_int_equal(comm.comm.serial, 0);
    assert_int_equal(st_registry_object(m->f.registry, ST_KIND_WIN, 0x84000001, &object, &fault),
                     ST_OK);
    assert_int_equal(object.record.serial, 4);
    assert_string_equal(object.name, "left");
    free(object.name);
    comm_of(m, 2)->name = 64;
    assert_int_not_equal(find_kind(m, ST_KIND_WIN, 0x84000001, &comm, &fault), ST_OK);
    assert_null(comm.name);
}

static void what_is_looked_for_must_be_sound(void **state)
{
    struct made *m = *state;
    struct st_communicator comm;
    struct st_fault fault;
    comm_of(m, 0)->rank = 3;
    assert_int_equal(find(m, 0x84000001, &comm, &fault), ST_DAMAGED_ROOT);
    assert_int_equal(find(m, 0x84000002, &comm, &fault), ST_OK);
    st_communicator_deinit(&comm);
    uint64_t *directory = image_at(&m->f.image, head_of(m)->comm_chunks);
    directory[1] = 64;
    assert_int_equal(find(m, 0x84000002, &comm, &fault), ST_OK);
    st_communicator_deinit(&comm);
    assert_int_equal(find(m, 0x84000003, &comm, &fault), ST_UNREADABLE);
    m->f.image.interrupt_at = m->f.image.reads + 2;
    assert_int_equal(find(m, 0x84000002, &comm, &fault), ST_INTERRUPTED);
    m->f.image.interrupt_at = m->f.image.reads + 2;
    assert_int_equal(list(m), ST_INTERRUPTED);
    m->f.image.interrupt_at = 0;
}

static void numbers_that_cannot_be_are_refused(void **state)
{
    struct made *m = *state;
    uint32_t *numbers[] = {&head_of(m)->comm_chunk_count, &head_of(m)->comms_per_chunk,
                           &head_of(m)->comms_used};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint32_t before = *numbers[i];
        *numbers[i] = UINT32_MAX;
        assert_int_equal(list(m), ST_DAMAGED_ROOT);
        *numbers[i] = before;
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_made, close_made)
    const struct CMUnitTest tests[] = {
        TEST(all_are_listed_oldest_first),      TEST(one_is_found_by_its_handle),
        TEST(damaged_ones_are_left_out),        TEST(members_that_are_not_there_cost_nothing),
        TEST(what_is_looked_for_must_be_sound), TEST(numbers_that_cannot_be_are_refused),
        TEST(a_window_is_found_by_its_handle),  TEST(a_grid_must_be_sound),
        TEST(the_freed_calls_must_be_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
