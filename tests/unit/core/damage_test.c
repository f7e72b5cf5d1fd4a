/* The decoder on damaged registries: one fault with something to say, never a crash, never a hang.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture.h"
#include "zoo.h"

/* A damaged count may make the decoder ask for more than a sanitizer lets it have; it copes. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=512:quarantine_size_mb=4:"
           "malloc_context_size=4";
}

static struct fixture zoo(void)
{
    struct fixture f;
    fixture_init(&f);
    zoo_fill(&f.image);
    image_finish(&f.image);
    return f;
}

static enum st_error open_error(struct image *image, struct st_fault *fault)
{
    struct st_registry *registry = NULL;
    *fault = (struct st_fault){0};
    enum st_error error = st_registry_open(&registry, image_read, image, image->root, fault);
    if (!error) {
        st_registry_close(registry);
    }
    assert_int_equal(fault->error, error);
    return error;
}

/* --- the root
 * -------------------------------------------------------------------------------------- */

static void what_is_no_registry_is_said(void **state)
{
    (void)state;
    struct fixture f = zoo();
    struct st_fault fault;
    struct st_root good = *image_root(&f.image), *root = image_root(&f.image);

    assert_int_equal(open_error(&f.image, &fault), ST_OK);
    root->magic[3] ^= 1;
    assert_int_equal(open_error(&f.image, &fault), ST_NOT_A_REGISTRY);
    assert_int_equal(fault.address, f.image.root);
    *root = good;
    root->layout = ST_LAYOUT_VERSION + 1;
    root->node_bytes = 4; /* nothing else is looked at: it may all be different */
    assert_int_equal(open_error(&f.image, &fault), ST_OTHER_LAYOUT);
    assert_int_equal(fault.value, ST_LAYOUT_VERSION + 1);
    *root = good;
    root->byte_order = 0x04030201;
    root->layout = 0x01000000;
    assert_int_equal(open_error(&f.image, &fault), ST_OTHER_BYTE_ORDER);
    *root = good;
    f.image.hole = f.image.root + 100;
    f.image.hole_end = f.image.hole + 1;
    assert_int_equal(open_error(&f.image, &fault), ST_UNREADABLE);
    assert_int_equal(fault.address, f.image.root);
    f.image.hole = f.image.hole_end = 0;
    f.image.interrupt_at = f.image.reads + 1;
    assert_int_equal(open_error(&f.image, &fault), ST_INTERRUPTED);
    struct st_registry *registry;
    assert_int_equal(st_registry_open(&registry, image_read, &f.image, 0, &fault), ST_UNREADABLE);
    assert_int_equal(st_registry_open(&registry, image_read, &f.image, UINT64_MAX, NULL),
                     ST_UNREADABLE);
    fixture_deinit(&f);
}

#define ROOT_FIELD(name, impossible)                                                               \
    {#name, offsetof(struct st_root, name), sizeof(((struct st_root *)0)->name), impossible}

static void an_impossible_field_of_the_root_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t offset, size;
        uint64_t value;
    } fields[] = {
        ROOT_FIELD(root_bytes, 1),
        ROOT_FIELD(node_bytes, 87),
        ROOT_FIELD(mpi, 3),
        ROOT_FIELD(node_chunk_count, UINT32_MAX),
        ROOT_FIELD(nodes_per_chunk, 0),
        ROOT_FIELD(nodes_per_chunk, UINT32_MAX),
        ROOT_FIELD(nodes_used, UINT32_MAX),
        ROOT_FIELD(site_chunk_count, UINT32_MAX),
        ROOT_FIELD(sites_per_chunk, 0),
        ROOT_FIELD(sites_used, UINT32_MAX),
        ROOT_FIELD(site_frames, 0),
        ROOT_FIELD(site_frames, 65),
        ROOT_FIELD(ring_slots, UINT32_MAX),
        ROOT_FIELD(ring_next, 8),
    };
    struct fixture f = zoo();
    struct st_root good = *image_root(&f.image);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct st_fault fault;
        memcpy((char *)image_root(&f.image) + fields[i].offset, &fields[i].value, fields[i].size);
        assert_int_equal(open_error(&f.image, &fault), ST_DAMAGED_ROOT);
        assert_string_equal(fault.field, fields[i].name);
        assert_int_equal(fault.value, fields[i].value);
        *image_root(&f.image) = good;
    }
    fixture_deinit(&f);
}

static void a_damaged_table_is_said(void **state)
{
    (void)state;
    struct fixture f = zoo();
    const struct st_type *type;
    struct st_fault fault = {0};
    struct st_table *table = image_at(&f.image, f.image.table);
    assert_int_equal(st_registry_open(&f.registry, image_read, &f.image, f.image.root, &fault),
                     ST_OK);
    table->log2_slots = 32;
    assert_int_equal(st_registry_find(f.registry, 5, &type, &fault), ST_FIND_FAILED);
    assert_int_equal(fault.error, ST_DAMAGED_ROOT);
    assert_string_equal(fault.field, "log2_slots");
    fixture_deinit(&f);

    f = zoo();
    table = image_at(&f.image, f.image.table);
    memset(table->slots, 0xff, (1u << table->log2_slots) * sizeof(uint32_t)); /* no empty slot */
    assert_int_equal(st_registry_open(&f.registry, image_read, &f.image, f.image.root, &fault),
                     ST_OK);
    assert_int_equal(st_registry_find(f.registry, 5, &type, &fault), ST_FIND_FAILED);
    assert_int_equal(fault.error, ST_DAMAGED_ROOT);
    assert_string_equal(fault.field, "slot of the table");
    assert_int_equal(fault.value, UINT32_MAX);
    fixture_deinit(&f);
}

/* A table full of one node: the probe ends all the same. */
static void a_table_without_an_end_is_walked_once(void **state)
{
    (void)state;
    struct fixture f = zoo();
    const struct st_type *type;
    struct st_table *table = image_at(&f.image, f.image.table);
    for (uint32_t i = 0; i < 1u << table->log2_slots; i++) {
        table->slots[i] = 1;
    }
    struct st_fault fault;
    assert_int_equal(st_registry_open(&f.registry, image_read, &f.image, f.image.root, &fault),
                     ST_OK);
    assert_int_equal(fixture_find(&f, 5, &type), ST_UNKNOWN_HANDLE);
    fixture_deinit(&f);
}

/* --- nodes
 * ------------------------------------------------------------------------------------------ */

static enum st_error decode_error(struct image *image, uint32_t ordinal, struct st_fault *fault)
{
    struct st_registry *registry;
    const struct st_type *type;
    *fault = (struct st_fault){0};
    assert_int_equal(st_registry_open(&registry, image_read, image, image->root, fault), ST_OK);
    enum st_error error = st_registry_type(registry, ordinal, 0, &type, fault);
    assert_int_equal(fault->error, error);
    st_registry_close(registry);
    return error;
}

static void circles_are_found(void **state)
{
    (void)state;
    for (uint32_t length = 1; length < 300; length += 7) {
        for (uint32_t tail = 0; tail < 300; tail += 59) {
            struct image image;
            struct st_fault fault;
            image_init(&image);
            uint32_t first = image_dup(&image, 0), top = first;
            for (uint32_t i = 1; i < length + tail; i++) {
                top = image_dup(&image, top);
            }
            image_finish(&image);
            image_node_at(&image, first)->base = first + length - 1;
            /* A root that promises billions of nodes: the walk must not count on that bound. */
            image_root(&image)->node_chunk_count = 1u << 20;
            image_root(&image)->nodes_used = 1u << 22;
            uint64_t reads = image.reads;
            assert_int_equal(decode_error(&image, top, &fault), ST_CYCLE);
            assert_true(fault.node < length + tail);
            assert_true(image.reads - reads < 10000);
            image_deinit(&image);
        }
    }
}

static void a_circle_through_a_struct_is_found(void **state)
{
    (void)state;
    struct image image;
    struct st_fault fault;
    image_init(&image);
    uint32_t number = image_named(&image, "MPI_INT", 4);
    uint32_t types[] = {number, 3, number};
    image_struct(&image, 3, (int64_t[]){0, 4, 8}, (int64_t[]){1, 1, 1}, types, 0, 12, false);
    image_dup(&image, 1);
    image_dup(&image, 2);
    image_finish(&image);
    assert_int_equal(decode_error(&image, 3, &fault), ST_CYCLE);
    image_deinit(&image);
}

/* A type used a million times below another is no circle. */
static void a_type_used_twice_is_no_circle(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    uint32_t top = image_named(&f.image, "MPI_INT", 4);
    for (int i = 0; i < 62; i++) { /* 2^62 paths to the leaf */
        top = image_struct(&f.image, 2, (int64_t[]){0, 0}, (int64_t[]){1, 1},
                           (uint32_t[]){top, top}, 0, 4, false);
    }
    fixture_open(&f);
    assert_int_equal(fixture_type(&f, top)->measure.elements, INT64_C(1) << 62);
    fixture_deinit(&f);
}

static void impossible_parameters_are_named(void **state)
{
    (void)state;
    struct fixture f;
    struct st_fault fault;
    fixture_init(&f);
    struct image *image = &f.image;
    uint32_t number = image_named(image, "MPI_INT", 4);
    struct {
        uint32_t ordinal;
        const char *field;
    } bad[] = {
        {image_contiguous(image, -1, number), "count"},
        {image_vector(image, ST_VECTOR, -1, 1, 1, number), "count"},
        {image_vector(image, ST_VECTOR, 1, -1, 1, number), "blocklength"},
        {image_vector(image, ST_HVECTOR, 1, INT64_MIN, 1, number), "blocklength"},
        {image_indexed(image, ST_INDEXED, 2, (int64_t[]){0, 1}, (int64_t[]){1, -1}, 0, number,
                       true),
         "blocklength"},
        {image_indexed(image, ST_INDEXED_BLOCK, 1, (int64_t[]){0}, NULL, -5, number, true),
         "blocklength"},
        {image_indexed(image, ST_HINDEXED_BLOCK, 1, (int64_t[]){0}, NULL, -5, number, true),
         "blocklength"},
        {image_subarray(image, 1, (int64_t[]){4}, (int64_t[]){5}, (int64_t[]){0}, false, number),
         "dimension"},
        {image_subarray(image, 1, (int64_t[]){4}, (int64_t[]){2}, (int64_t[]){3}, false, number),
         "dimension"},
        {image_subarray(image, 1, (int64_t[]){4}, (int64_t[]){2}, (int64_t[]){INT64_MAX}, false,
                        number),
         "dimension"},
        {image_darray(image, 2, 0, 1, (int64_t[]){4}, (int64_t[]){3}, (int64_t[]){1},
                      (int64_t[]){2}, false, number),
         "dimension"},
        {image_darray(image, 2, 0, 1, (int64_t[]){4}, (int64_t[]){1}, (int64_t[]){0},
                      (int64_t[]){2}, false, number),
         "dimension"},
        {image_darray(image, 2, 0, 1, (int64_t[]){4}, (int64_t[]){1}, (int64_t[]){1},
                      (int64_t[]){0}, false, number),
         "dimension"},
        {image_darray(image, 2, -1, 1, (int64_t[]){4}, (int64_t[]){1}, (int64_t[]){2},
                      (int64_t[]){2}, false, number),
         "rank"},
        {image_dup(image, ST_NO_NODE), "base"},
        {image_plain(image, ST_COMBINER_END, 0, 0, 0), "combiner"},
        {image_plain(image, 0, 0, 0, 0), "combiner"},
        {image_named(image, "MPI_INT", INT64_C(1) << 62), "size"},
        {image_named(image, "MPI\nINT", 4), "name"},
    };
    image_finish(image);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(decode_error(image, bad[i].ordinal, &fault), ST_DAMAGED_NODE);
        assert_string_equal(fault.field, bad[i].field);
        assert_int_equal(fault.node, bad[i].ordinal);
    }
    fixture_deinit(&f);
}

static void a_length_that_lies_allocates_nothing(void **state)
{
    (void)state;
    struct fixture f;
    struct st_fault fault;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t top = image_indexed(&f.image, ST_INDEXED, 2, (int64_t[]){0, 1}, (int64_t[]){1, 1}, 0,
                                 number, true);
    image_finish(&f.image);
    struct st_block *block = image_at(&f.image, image_node_at(&f.image, top)->block);
    image_node_at(&f.image, top)->args[0] = 3; /* more than the block holds */
    assert_int_equal(decode_error(&f.image, top, &fault), ST_DAMAGED_NODE);
    assert_string_equal(fault.field, "length");
    block->bytes = ST_MOST_BLOCK; /* more than the image holds */
    image_node_at(&f.image, top)->args[0] = INT64_C(1) << 28;
    uint64_t bytes = f.image.bytes;
    assert_int_equal(decode_error(&f.image, top, &fault), ST_UNREADABLE);
    assert_true(f.image.bytes - bytes < 1u << 20);
    block->bytes = ST_MOST_BLOCK + 1;
    assert_int_equal(decode_error(&f.image, top, &fault), ST_DAMAGED_NODE);
    block->bytes = UINT64_MAX;
    assert_int_equal(decode_error(&f.image, top, &fault), ST_DAMAGED_NODE);
    fixture_deinit(&f);
}

/* A tombstone whose arrays were not kept: no block, no base. It still has its bounds. */
static void elided_types_decode_without_base_and_block(void **state)
{
    (void)state;
    static const unsigned combiners[] = {ST_DUP,     ST_CONTIGUOUS, ST_VECTOR,
                                         ST_INDEXED, ST_STRUCT,     ST_SUBARRAY,
                                         ST_DARRAY,  ST_RESIZED,    ST_HINDEXED_BLOCK};
    for (size_t i = 0; i < sizeof combiners / sizeof *combiners; i++) {
        struct fixture f;
        fixture_init(&f);
        uint32_t gone = image_plain(&f.image, combiners[i], 3, 1, 2);
        f.image.nodes[gone].flags = ST_ELIDED | ST_FREED;
        image_set_bounds(&f.image, gone, -8, 80);
        image_bury(&f.image, gone, true);
        fixture_open(&f);
        const struct st_type *type = NULL;
        assert_int_equal(fixture_find(&f, image_handle(&f.image, gone), &type), ST_TOMBSTONE);
        int64_t extent = 0;
        assert_true(st_elided(type));
        assert_null(type->base);
        assert_int_equal(type->entries, 0);
        assert_true(st_extent(type, &extent));
        assert_int_equal(extent, 80);
        assert_int_equal(type->measure.lb, -8);
        assert_true(type->measure.unknown & ST_UNKNOWN_SIZE);
        assert_true(type->measure.unknown & ST_UNKNOWN_ELEMENTS);
        fixture_deinit(&f);
    }
}

/* --- everything, one field at a time -------------------------------------------------------------
 */

static const uint64_t hostile[] = {
    0,
    1,
    2,
    7,
    UINT64_MAX,
    UINT64_C(1) << 31,
    (UINT64_C(1) << 31) - 1,
    UINT32_MAX - 1,
    UINT64_C(1) << 62,
    UINT64_C(1) << 63,
    (UINT64_C(1) << 63) - 1,
    IMAGE_BASE,
    IMAGE_BASE + 1,
    IMAGE_BASE + 4095,
    IMAGE_BASE - 1,
    IMAGE_BASE + (UINT64_C(1) << 30),
    UINT64_MAX - 4095,
};

/* What reading all of the image once may read, in sizes of the image: nothing goes round in circles. */
enum { MOST_READ = 16 };

/* With ST_EVERY=1, every aligned place of the image, that is every field of every structure, gets every value: a minute.
 * Else every third does, and every seventh without the sanitizers, which see more. */
static size_t places_between(void)
{
    if (getenv("ST_EVERY")) {
        return 1;
    }
#ifdef __SANITIZE_ADDRESS__
    return 3;
#else
    return 7;
#endif
}

static void fields_take_every_hostile_value(void **state)
{
    (void)state;
    struct fixture f = zoo();
    uint64_t sum = zoo_read(&f.image, 200);
    assert_int_not_equal(sum, 0);
    for (size_t width = 1; width <= 8; width *= 2) {
        /* Single bytes matter where there are one-byte fields: in the nodes. */
        for (size_t at = 0; at + width <= f.image.size; at += places_between() * width) {
            unsigned char good[8];
            memcpy(good, f.image.data + at, width);
            for (size_t v = 0; v < sizeof hostile / sizeof *hostile; v++) {
                /* 0, 1, -1 for all; bits 31 and below for 32; the rest for 64. */
                if ((width < 8 && v > 6) || (width < 4 && v != 0 && v != 1 && v != 4)) {
                    continue;
                }
                if (memcmp(good, &hostile[v], width) == 0) {
                    continue;
                }
                uint64_t before = f.image.bytes;
                memcpy(f.image.data + at, &hostile[v], width);
                sum += zoo_read(&f.image, 20);
                uint64_t read = f.image.bytes - before;
                if (read > MOST_READ * f.image.size) {
                    fail_msg("%zu bytes at %zu = 0x%llx: %llu bytes read of an image of %zu", width,
                             at, (unsigned long long)hostile[v], (unsigned long long)read,
                             f.image.size);
                }
            }
            memcpy(f.image.data + at, good, width);
        }
    }
    fixture_deinit(&f);
}

static void an_image_that_ends_anywhere_is_read_to_there(void **state)
{
    (void)state;
    struct fixture f = zoo();
    size_t whole = f.image.size;
    for (f.image.size = whole; f.image.size > 0; f.image.size -= f.image.size < 8 ? 1 : 8) {
        zoo_read(&f.image, 20);
    }
    f.image.size = whole;
    fixture_deinit(&f);
}

static void an_interruption_comes_through_from_every_read(void **state)
{
    (void)state;
    struct fixture f = zoo();
    struct st_registry *registry;
    struct st_fault fault;
    bool done = false;
    f.image.size -= 8; /* so that the last page is read past the cache, too */
    for (uint64_t nth = 1; !done; nth++) {
        struct st_row *rows = NULL;
        size_t count;
        f.image.interrupt_at = 0;
        assert_int_equal(st_registry_open(&registry, image_read, &f.image, f.image.root, &fault),
                         ST_OK);
        f.image.interrupt_at = f.image.reads + nth;
        enum st_error error = st_registry_rows(registry, &rows, &count, NULL, &fault);
        done = f.image.reads < f.image.interrupt_at;
        if (done) {
            assert_int_equal(error, ST_OK);
            free(rows);
        } else {
            assert_int_equal(error, ST_INTERRUPTED);
            assert_int_equal(f.image.reads, f.image.interrupt_at); /* and at once */
        }
        st_registry_close(registry);
    }
    done = false;
    for (uint64_t nth = 1; !done; nth++) {
        f.image.interrupt_at = 0;
        assert_int_equal(st_registry_open(&registry, image_read, &f.image, f.image.root, &fault),
                         ST_OK);
        f.image.interrupt_at = f.image.reads + nth;
        const struct st_type *type;
        enum st_error error = st_registry_type(registry, f.image.node_count - 2, 0, &type, &fault);
        done = f.image.reads < f.image.interrupt_at;
        assert_int_equal(error, done ? ST_OK : ST_INTERRUPTED);
        if (!done) { /* it can be tried again */
            assert_int_equal(f.image.reads, f.image.interrupt_at);
            assert_int_equal(st_registry_type(registry, f.image.node_count - 2, 0, &type, &fault),
                             ST_OK);
        }
        st_registry_close(registry);
    }
    fixture_deinit(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_registry_is_said),
        cmocka_unit_test(an_impossible_field_of_the_root_is_named),
        cmocka_unit_test(a_damaged_table_is_said),
        cmocka_unit_test(a_table_without_an_end_is_walked_once),
        cmocka_unit_test(circles_are_found),
        cmocka_unit_test(a_circle_through_a_struct_is_found),
        cmocka_unit_test(a_type_used_twice_is_no_circle),
        cmocka_unit_test(impossible_parameters_are_named),
        cmocka_unit_test(a_length_that_lies_allocates_nothing),
        cmocka_unit_test(elided_types_decode_without_base_and_block),
        cmocka_unit_test(fields_take_every_hostile_value),
        cmocka_unit_test(an_image_that_ends_anywhere_is_read_to_there),
        cmocka_unit_test(an_interruption_comes_through_from_every_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
