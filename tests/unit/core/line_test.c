/* A call in one line (core/waits/line.c), and what MPI's memory shows of completion (completion.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/decode/completion.h"
#include "core/waits/line.h"
#include "fixture.h"

enum { RECORDS = 6, SLOTS = 4, ROOM = 5000 };
#define WORLD UINT64_C(0x44000000)
#define ROWS UINT64_C(0x84000001)
#define REQUEST UINT64_C(0xac000000)
#define BUILTIN UINT64_C(0x6c000001)
#define NONE UINT64_C(0x2c000000)
#define ANY ((uint64_t)-2)
#define NOBODY ((uint64_t)-1)

struct job {
    struct fixture f;
    uint64_t head, records, comm, slots, names;
};

static const char forms[] =
    "MPI_Recv:write|void *|buf,count|int|count,type|MPI_Datatype|datatype,source|int|source,"
    "anytag|int|tag,comm|MPI_Comm|comm,status|MPI_Status *|status\n"
    "MPI_Send:read|const void *|buf,count|int|count,type|MPI_Datatype|datatype,dest|int|dest,"
    "tag|int|tag,comm|MPI_Comm|comm\n"
    "MPI_Bcast:bcast:member|void *|buffer,count|int|count,type|MPI_Datatype|datatype,"
    "root|int|root,comm|MPI_Comm|comm\n"
    "MPI_Barrier:comm|MPI_Comm|comm\n"
    "MPI_Win_lock:lock|int|lock_type,target|int|rank,mode|int|assert,win|MPI_Win|win\n"
    "MPI_Wait:done|MPI_Request *|request,status|MPI_Status *|status\n"
    "MPI_Waitall:n|int|count,dones|MPI_Request *|array_of_requests,"
    "statuses|MPI_Status *|array_of_statuses\n"
    "MPI_Finalize:\n";

static struct st_record *record_of(struct job *job, size_t number)
{
    return (struct st_record *)image_at(&job->f.image, job->records) + number;
}

static struct st_comm *comm_of(struct job *job)
{
    return image_at(&job->f.image, job->comm);
}

/* Requests 1 to 4 were given out to the slots 0 to 3; those of slots 2 and 3 share a handle. */
static void fill(struct job *job)
{
    static const uint64_t handles[SLOTS] = {REQUEST, REQUEST + 1, BUILTIN, BUILTIN};
    uint32_t *slots = image_at(&job->f.image, job->slots);
    *comm_of(job) = (struct st_comm){.serial = 1,
                                     .handle = ROWS,
                                     .name = image_block(&job->f.image, "rows", 4),
                                     .function = ST_NO_FUNCTION};
    for (uint32_t i = 0; i < SLOTS; i++) {
        *record_of(job, i + 1) = (struct st_record){.serial = i + 2,
                                                    .number = i + 1,
                                                    .kind = ST_KIND_REQUEST,
                                                    .flags = ST_RECORD_ACTIVE,
                                                    .handle = handles[i],
                                                    .variable = job->slots + i * sizeof *slots,
                                                    .comm = i ? ROWS : WORLD,
                                                    .peer = i == 1 ? ST_PEER_ANY : 1,
                                                    .tag = i == 2 ? ST_PEER_ANY : 7,
                                                    .site = ST_NO_SITE,
                                                    .function = (uint16_t)(i / 2)};
        slots[i] = (uint32_t)handles[i];
    }
}

static int open_job(void **state)
{
    static struct job job;
    static const char functions[3][ST_FUNCTION_BYTES] = {"MPI_Irecv", "MPI_Isend", "MPI_Ibcast"};
    static const struct st_name names[] = {{WORLD, "MPI_Comm", "MPI_COMM_WORLD"},
                                           {NOBODY, "rank", "MPI_PROC_NULL"},
                                           {ANY, "source", "MPI_ANY_SOURCE"},
                                           {NOBODY, "tag", "MPI_ANY_TAG"},
                                           {NONE, "MPI_Request", "MPI_REQUEST_NULL"}};
    struct image *image = &job.f.image;
    fixture_init(&job.f);
    image_named(image, "MPI_INT", 4);
    job.records = image_add(image, NULL, RECORDS * sizeof(struct st_record));
    uint64_t chunk = image_add(image, &job.records, sizeof job.records);
    job.comm = image_add(image, NULL, sizeof(struct st_comm));
    uint64_t comms = image_add(image, &job.comm, sizeof job.comm);
    const struct st_operations head = {
        .magic = ST_OPERATIONS_MAGIC,
        .record_chunks = chunk,
        .functions = image_add(image, functions, sizeof functions),
        .record_chunk_count = 1,
        .records_per_chunk = RECORDS,
        .records_used = RECORDS,
        .function_count = 3,
        .comm_chunks = comms,
        .comm_chunk_count = 1,
        .comms_per_chunk = 1,
        .comms_used = 1,
    };
    job.head = image_add(image, &head, sizeof head);
    job.slots = image_add(image, NULL, ROOM * sizeof(uint32_t));
    job.names = image_add(image, names, sizeof names);
    uint64_t text = image_add(image, forms, sizeof forms - 1);
    fill(&job);
    image->operations = job.head;
    image_finish(image);
    image_root(image)->forms = text;
    image_root(image)->forms_bytes = sizeof forms - 1;
    image_root(image)->names = job.names;
    image_root(image)->name_count = sizeof names / sizeof *names;
    assert_int_equal(
        st_registry_open(&job.f.registry, image_read, image, image->root, &(struct st_fault){0}),
        ST_OK);
    *state = &job;
    return 0;
}

static int close_job(void **state)
{
    struct job *job = *state;
    fixture_deinit(&job->f);
    return 0;
}

/* The rank is in the call. */
static bool has_begun;

static const char *described(struct job *job, const char *function, const uint64_t *given)
{
    static char text[ST_LINE];
    uint64_t values[ST_CALL_VALUES] = {0}, offset;
    struct st_call_form form;
    assert_int_equal(st_registry_form_of(job->f.registry, function, &offset, NULL), ST_OK);
    assert_int_equal(st_registry_form(job->f.registry, offset, &form, NULL), ST_OK);
    memcpy(values, given, form.count * sizeof *given);
    assert_int_equal(st_line_of_call(job->f.registry, &form, values, has_begun, text, NULL), ST_OK);
    return text;
}
#define SAYS(text, function, ...)                                                                  \
    assert_string_equal(described(job, function, (uint64_t[ST_CALL_VALUES]){__VA_ARGS__}), text)

static void messages_have_a_side_a_tag_and_a_communicator(void **state)
{
    struct job *job = *state;
    SAYS("MPI_Recv from 1, tag 7, MPI_COMM_WORLD", "MPI_Recv", 4096, 1, 2, 1, 7, WORLD);
    SAYS("MPI_Recv from any rank, any tag, rows", "MPI_Recv", 4096, 1, 2, ANY, NOBODY, ROWS);
    SAYS("MPI_Send to MPI_PROC_NULL, tag 0, communicator 0x84000009", "MPI_Send", 4096, 1, 2,
         NOBODY, 0, 0x84000009);
}

static void collectives_that_have_begun_have_a_number(void **state)
{
    struct job *job = *state;
    has_begun = true;
    SAYS("MPI_Barrier of MPI_COMM_WORLD", "MPI_Barrier", WORLD); /* not known */
    SAYS("MPI_Barrier of rows", "MPI_Barrier", ROWS);            /* not counted */
    comm_of(job)->collectives = 12;
    SAYS("MPI_Barrier #12 of rows", "MPI_Barrier", ROWS);
    SAYS("MPI_Bcast #12 of rows, root 3", "MPI_Bcast", 4096, 1, 2, 3, ROWS);
    SAYS("MPI_Recv from 1, tag 7, rows", "MPI_Recv", 4096, 1, 2, 1, 7, ROWS);
    has_begun = false;
    SAYS("MPI_Barrier of rows", "MPI_Barrier", ROWS);
}

static void collectives_have_a_communicator_and_a_root(void **state)
{
    struct job *job = *state;
    SAYS("MPI_Barrier of MPI_COMM_WORLD", "MPI_Barrier", WORLD);
    SAYS("MPI_Bcast of rows, root 3", "MPI_Bcast", 4096, 1, 2, 3, ROWS);
    SAYS("MPI_Win_lock of window 0xa0000000, target 2", "MPI_Win_lock", 1, 2, 0, 0xa0000000);
    SAYS("MPI_Finalize", "MPI_Finalize", 0);
}

static void those_that_wait_name_what_is_not_complete(void **state)
{
    struct job *job = *state;
    uint32_t *slots = image_at(&job->f.image, job->slots);
    SAYS("MPI_Wait: MPI_Irecv from any rank, tag 7, rows", "MPI_Wait", job->slots + 4);
    SAYS("MPI_Wait: 1 request", "MPI_Wait", job->slots + 8); /* MPICH: complete at once */
    SAYS("MPI_Waitall: MPI_Irecv from 1, tag 7, MPI_COMM_WORLD, and 1 more", "MPI_Waitall", 4,
         job->slots);
    record_of(job, 3)->variable = record_of(job, 4)->variable = 0; /* as from Fortran */
    SAYS("MPI_Waitall: MPI_Irecv from 1, tag 7, MPI_COMM_WORLD, and 1 more", "MPI_Waitall", 4,
         job->slots);
    slots[0] = NONE;
    SAYS("MPI_Waitall: MPI_Irecv from any rank, tag 7, rows", "MPI_Waitall", 4, job->slots);
    slots[1] = 0x98000077; /* that nobody gave out */
    SAYS("MPI_Waitall: 3 requests", "MPI_Waitall", 4, job->slots);
    record_of(job, 3)->function = 2;
    record_of(job, 3)->handle = REQUEST + 2;
    slots[2] = REQUEST + 2;
    SAYS("MPI_Waitall: MPI_Ibcast of rows, root 1, and 1 more", "MPI_Waitall", 4, job->slots);
}

static void what_is_bad_is_left_out(void **state)
{
    struct job *job = *state;
    SAYS("MPI_Wait", "MPI_Wait", UINT64_C(1) << 40);
    SAYS("MPI_Waitall", "MPI_Waitall", (uint64_t)-1, job->slots);
    SAYS("MPI_Waitall: MPI_Irecv from 1, tag 7, MPI_COMM_WORLD, and 1 more", "MPI_Waitall",
         UINT64_MAX >> 1, job->slots);
    ((struct st_operations *)image_at(&job->f.image, job->head))->magic++;
    SAYS("MPI_Waitall", "MPI_Waitall", 4, job->slots);
    SAYS("MPI_Barrier of communicator 0x84000001", "MPI_Barrier", ROWS);
}

static void long_names_are_cut(void **state)
{
    struct job *job = *state;
    char name[300];
    memset(name, 'x', sizeof name);
    comm_of(job)->name = image_block(&job->f.image, name, sizeof name);
    uint64_t values[ST_CALL_VALUES] = {ROWS};
    const char *text = described(job, "MPI_Barrier", values);
    assert_int_equal(strlen(text), ST_LINE - 1);
    assert_string_equal(text + ST_LINE - 6, "xx...");
}

static void an_interruption_ends_it_wherever_it_comes(void **state)
{
    struct job *job = *state;
    char text[ST_LINE];
    uint64_t values[ST_CALL_VALUES] = {4, job->slots}, offset;
    struct st_call_form form;
    struct st_fault fault = {0};
    st_registry_form_of(job->f.registry, "MPI_Waitall", &offset, NULL);
    st_registry_form(job->f.registry, offset, &form, NULL);
    for (uint64_t at = 1, last = 0; !last; at++) {
        st_registry_forget(job->f.registry, NULL);
        job->f.image.interrupt_at = job->f.image.reads + at;
        enum st_error error = st_line_of_call(job->f.registry, &form, values, true, text, &fault);
        last = job->f.image.reads < job->f.image.interrupt_at ? at : 0;
        assert_int_equal(error, last ? ST_OK : ST_INTERRUPTED);
        assert_true(!last || last > 4);
    }
}

/* --- completion ---------------------------------------------------------------------------- */

/* What Open MPI's MPI_REQUEST_NULL looks like, with the word at 48. */
struct null_request {
    uint64_t object[3];
    int32_t source, tag, error, cancelled;
    uint64_t count, word, more[20];
};

static uint64_t make_openmpi(struct job *job, const struct null_request *null)
{
    struct st_root *root;
    uint64_t at = image_add(&job->f.image, null, sizeof *null);
    struct st_name *names = image_at(&job->f.image, job->names);
    names[4].value = at;
    root = image_root(&job->f.image);
    root->mpi = ST_MPI_OPENMPI;
    root->handle_bytes = 8;
    root->status_bytes = 24;
    root->status_source = 0;
    root->status_tag = 4;
    root->status_error = 8;
    st_registry_close(job->f.registry);
    assert_int_equal(st_registry_open(&job->f.registry, image_read, &job->f.image,
                                      job->f.image.root, &(struct st_fault){0}),
                     ST_OK);
    return at;
}

static enum st_completion completion(struct job *job, const struct st_completion_record *where,
                                     const struct st_record *record)
{
    enum st_completion found;
    assert_int_equal(st_completion_of(job->f.registry, where, record, &found, NULL), ST_OK);
    return found;
}

static void open_mpi_shows_where_it_notes_completion(void **state)
{
    struct job *job = *state;
    struct null_request null = {.source = -1, .tag = -1, .word = 1};
    struct st_completion_record where;
    struct st_record record = {.kind = ST_KIND_REQUEST, .flags = ST_RECORD_ACTIVE};
    uint64_t at = make_openmpi(job, &null);
    assert_int_equal(st_completion_learn(job->f.registry, &where, NULL), ST_OK);
    assert_int_equal(where.width, 8);
    assert_int_equal(where.offset, offsetof(struct null_request, word));
    record.handle = at;
    assert_int_equal(completion(job, &where, &record), ST_COMPLETE);
    uint64_t *word = image_at(&job->f.image, at + where.offset);
    *word = 0;
    assert_int_equal(completion(job, &where, &record), ST_INCOMPLETE);
    *word = 0x7ffc12345678; /* what waits for it */
    assert_int_equal(completion(job, &where, &record), ST_INCOMPLETE);
    *word = 3;
    assert_int_equal(completion(job, &where, &record), ST_COMPLETION_UNKNOWN);
    *word = 1;
    record.flags = ST_RECORD_ACTIVE | ST_RECORD_POSSIBLE;
    assert_int_equal(completion(job, &where, &record), ST_COMPLETION_UNKNOWN);
    record.flags = 0;
    assert_int_equal(completion(job, &where, &record), ST_COMPLETION_UNKNOWN);
    record.flags = ST_RECORD_ACTIVE;
    record.handle = UINT64_C(1) << 40;
    assert_int_equal(completion(job, &where, &record), ST_COMPLETION_UNKNOWN);
}

/* Another layout, or one that fits in two places: nothing is known. */
static void what_looks_otherwise_shows_nothing(void **state)
{
    struct job *job = *state;
    struct null_request null = {.source = -1, .tag = -1, .word = 2};
    struct st_completion_record where;
    make_openmpi(job, &null);
    assert_int_equal(st_completion_learn(job->f.registry, &where, NULL), ST_OK);
    assert_int_equal(where.width, 0);
    null.word = 1;
    null.more[4] = UINT64_MAX;
    null.more[7] = 1;
    make_openmpi(job, &null);
    assert_int_equal(st_completion_learn(job->f.registry, &where, NULL), ST_OK);
    assert_int_equal(where.width, 0);
}

static void mpich_shows_what_was_complete_at_once(void **state)
{
    struct job *job = *state;
    struct st_completion_record where;
    assert_int_equal(st_completion_learn(job->f.registry, &where, NULL), ST_OK);
    assert_int_equal(where.width, 0);
    assert_int_equal(completion(job, &where, record_of(job, 1)), ST_COMPLETION_UNKNOWN);
    assert_int_equal(completion(job, &where, record_of(job, 3)), ST_COMPLETE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_job, close_job)
        TEST(messages_have_a_side_a_tag_and_a_communicator),
        TEST(collectives_have_a_communicator_and_a_root),
        TEST(collectives_that_have_begun_have_a_number),
        TEST(those_that_wait_name_what_is_not_complete),
        TEST(what_is_bad_is_left_out),
        TEST(long_names_are_cut),
        TEST(an_interruption_ends_it_wherever_it_comes),
        TEST(open_mpi_shows_where_it_notes_completion),
        TEST(what_looks_otherwise_shows_nothing),
        TEST(mpich_shows_what_was_complete_at_once),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
