/* The cache of target memory (memory.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "image.h"

#define PAGE UINT64_C(4096)

/* `bytes` of numbered bytes at IMAGE_BASE, no registry. */
static struct image numbered(size_t bytes)
{
    struct image image = {0};
    image_add(&image, NULL, bytes);
    for (size_t i = 0; i < bytes; i++) {
        image.data[i] = (unsigned char)(i % 251);
    }
    return image;
}

static struct st_memory over(struct image *image)
{
    struct st_memory memory;
    st_memory_init(&memory, image_read, image);
    return memory;
}

static void bytes_are_those_of_the_target(void **state)
{
    (void)state;
    struct image image = numbered(40 * PAGE);
    struct st_memory memory = over(&image);
    unsigned char buffer[3 * PAGE];
    uint64_t seed = image_seed(5), bad;
    for (int i = 0; i < 2000; i++) {
        size_t length = (size_t)image_between(&seed, 0, sizeof buffer);
        size_t at = (size_t)image_between(&seed, 0, (int64_t)(image.size - length));
        assert_true(st_memory_read(&memory, IMAGE_BASE + at, buffer, length, &bad));
        assert_memory_equal(buffer, image.data + at, length);
    }
    assert_true(image.reads <= 40); /* no page is read twice */
    st_memory_deinit(&memory);
    image_deinit(&image);
}

static void a_walk_upward_reads_in_large_pieces(void **state)
{
    (void)state;
    struct image image = numbered(64 * PAGE);
    struct st_memory memory = over(&image);
    uint64_t number;
    for (uint64_t at = 0; at < 64 * PAGE; at += 8) {
        assert_true(st_memory_read(&memory, IMAGE_BASE + at, &number, sizeof number, NULL));
    }
    assert_true(image.reads < 40); /* near the end, where 16 pages are too many, two a page */
    st_memory_deinit(&memory);
    image_deinit(&image);
}

static void the_first_bad_byte_is_named(void **state)
{
    (void)state;
    struct image image = numbered(4 * PAGE);
    unsigned char buffer[4 * PAGE];
    const uint64_t holes[] = {0, 1, 7, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE + 100, 4 * PAGE - 1};
    for (size_t i = 0; i < sizeof holes / sizeof *holes; i++) {
        struct st_memory memory = over(&image);
        uint64_t bad = 0;
        image.hole = IMAGE_BASE + holes[i];
        image.hole_end = image.hole + 3;
        assert_false(st_memory_read(&memory, IMAGE_BASE, buffer, sizeof buffer, &bad));
        assert_int_equal(bad, image.hole);
        assert_false(memory.interrupted);
        /* up to there all can be read, though the page cannot be read whole */
        assert_true(st_memory_read(&memory, IMAGE_BASE, buffer, holes[i], &bad));
        assert_memory_equal(buffer, image.data, holes[i]);
        st_memory_deinit(&memory);
    }
    image_deinit(&image);
}

static void finding_the_bad_byte_costs_few_reads(void **state)
{
    (void)state;
    struct image image = numbered(2 * PAGE);
    struct st_memory memory = over(&image);
    unsigned char buffer[PAGE];
    uint64_t bad;
    image.hole = IMAGE_BASE + PAGE - 2;
    image.hole_end = image.hole + 1;
    assert_false(st_memory_read(&memory, IMAGE_BASE, buffer, PAGE, &bad));
    assert_int_equal(bad, image.hole);
    assert_true(image.reads < 20);
    st_memory_deinit(&memory);
    image_deinit(&image);
}

static void the_end_of_the_address_space_is_an_end(void **state)
{
    (void)state;
    struct image image = numbered(PAGE);
    struct st_memory memory = over(&image);
    unsigned char buffer[64];
    uint64_t bad = 0;
    assert_false(st_memory_read(&memory, UINT64_MAX - 7, buffer, 8, &bad));
    assert_int_equal(bad, UINT64_MAX - 7);
    assert_false(st_memory_read(&memory, UINT64_MAX, buffer, sizeof buffer, &bad));
    assert_true(st_memory_read(&memory, UINT64_MAX, buffer, 0, &bad));
    st_memory_deinit(&memory);
    image_deinit(&image);
}

static enum st_read_result zeros(uint64_t address, void *buffer, size_t length, void *context)
{
    uint64_t *reads = context;
    (void)address;
    ++*reads;
    memset(buffer, 0, length);
    return ST_READ_OK;
}

static void the_highest_byte_can_be_read(void **state)
{
    (void)state;
    uint64_t reads = 0, bad = 1;
    struct st_memory memory;
    unsigned char buffer[16];
    st_memory_init(&memory, zeros, &reads);
    assert_true(st_memory_read(&memory, UINT64_MAX - 15, buffer, 16, &bad));
    assert_false(st_memory_read(&memory, UINT64_MAX - 7, buffer, 16, &bad));
    assert_int_equal(bad, UINT64_MAX);
    st_memory_deinit(&memory);
}

static void the_cache_is_bounded(void **state)
{
    (void)state;
    uint64_t reads = 0;
    struct st_memory memory;
    unsigned char byte;
    st_memory_init(&memory, zeros, &reads);
    for (uint64_t page = 0; page < 40000; page++) {
        assert_true(st_memory_read(&memory, page * 2 * PAGE, &byte, 1, NULL));
    }
    assert_true(memory.page_count <= 16384 + 16);
    st_memory_drop(&memory);
    for (uint64_t at = 0; at < 40000 * PAGE; at += PAGE) {
        assert_true(st_memory_read(&memory, at, &byte, 1, NULL));
    }
    assert_true(memory.page_count <= 16384 + 16);
    st_memory_deinit(&memory);
}

static void a_long_read_goes_past_the_cache(void **state)
{
    (void)state;
    struct image image = numbered(600 * PAGE);
    struct st_memory memory = over(&image);
    unsigned char *buffer = malloc(600 * PAGE);
    uint64_t bad = 0;
    assert_non_null(buffer);
    assert_true(st_memory_read(&memory, IMAGE_BASE + 5, buffer, 600 * PAGE - 10, &bad));
    assert_memory_equal(buffer, image.data + 5, 600 * PAGE - 10);
    assert_int_equal(image.reads, 3); /* 256 pages at a time */
    assert_int_equal(memory.page_count, 0);
    image.hole = IMAGE_BASE + 300 * PAGE + 17;
    image.hole_end = image.hole + 1;
    assert_false(st_memory_read(&memory, IMAGE_BASE, buffer, 600 * PAGE, &bad));
    assert_int_equal(bad, image.hole);
    free(buffer);
    st_memory_deinit(&memory);
    image_deinit(&image);
}

/* Nodes of a deep tree, the last first, with something else in between. */
static void walks_go_downward_too_and_side_by_side(void **state)
{
    (void)state;
    struct image image = numbered(512 * PAGE);
    struct st_memory memory = over(&image);
    uint64_t number;
    for (uint64_t at = 200 * PAGE; at > 0; at -= 8) {
        assert_true(st_memory_read(&memory, IMAGE_BASE + at, &number, sizeof number, NULL));
        uint64_t up = 501 * PAGE - at;
        assert_true(st_memory_read(&memory, IMAGE_BASE + up, &number, sizeof number, NULL));
        assert_memory_equal(&number, image.data + up, sizeof number);
    }
    assert_true(image.reads < 60);
    assert_true(image.bytes < 450 * PAGE); /* 400 are needed */
    st_memory_deinit(&memory);
    image_deinit(&image);
}

static void what_is_read_here_and_there_is_read_by_the_page(void **state)
{
    (void)state;
    struct image image = numbered(512 * PAGE);
    struct st_memory memory = over(&image);
    uint64_t number;
    for (uint64_t i = 0; i < 100; i++) {
        uint64_t at = (i * 37 % 128) * 4 * PAGE;
        assert_true(st_memory_read(&memory, IMAGE_BASE + at, &number, sizeof number, NULL));
    }
    assert_int_equal(image.bytes, 100 * PAGE);
    st_memory_deinit(&memory);
    image_deinit(&image);
}

static void dropped_memory_is_read_again(void **state)
{
    (void)state;
    struct image image = numbered(PAGE);
    struct st_memory memory = over(&image);
    unsigned char byte;
    assert_true(st_memory_read(&memory, IMAGE_BASE, &byte, 1, NULL));
    image.data[0] = 99;
    assert_true(st_memory_read(&memory, IMAGE_BASE, &byte, 1, NULL));
    assert_int_equal(byte, 0);
    st_memory_drop(&memory);
    assert_true(st_memory_read(&memory, IMAGE_BASE, &byte, 1, NULL));
    assert_int_equal(byte, 99);
    st_memory_deinit(&memory);
    image_deinit(&image);
}

/* Whichever read is interrupted: no other follows, and it is not taken for an unreadable one. */
static void an_interruption_is_passed_on_at_once(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth < 40; nth++) {
        struct image image = numbered(6 * PAGE);
        struct st_memory memory = over(&image);
        unsigned char buffer[6 * PAGE];
        uint64_t bad;
        image.hole = IMAGE_BASE + 5 * PAGE + 1000; /* so that all ways to read are gone */
        image.hole_end = image.hole + 1;
        image.interrupt_at = nth;
        assert_false(st_memory_read(&memory, IMAGE_BASE, buffer, sizeof buffer, &bad));
        assert_int_equal(memory.interrupted, image.reads >= nth);
        assert_true(image.reads <= nth || !memory.interrupted);
        st_memory_drop(&memory);
        assert_false(memory.interrupted);
        st_memory_deinit(&memory);
        image_deinit(&image);
    }
    struct image image = numbered(600 * PAGE);
    struct st_memory memory = over(&image);
    unsigned char *buffer = malloc(600 * PAGE);
    assert_non_null(buffer);
    image.interrupt_at = 2;
    assert_false(st_memory_read(&memory, IMAGE_BASE, buffer, 600 * PAGE, NULL));
    assert_true(memory.interrupted);
    assert_int_equal(image.reads, 2);
    free(buffer);
    st_memory_deinit(&memory);
    image_deinit(&image);
}

/* gdbserver refuses what does not fit its packets. */
static void a_reader_that_refuses_large_reads_still_reads(void **state)
{
    (void)state;
    struct image image = numbered(4 * PAGE);
    struct st_memory memory = over(&image);
    uint64_t number;
    image.longest = 64;
    for (uint64_t at = 0; at + 8 <= 4 * PAGE; at += 8) {
        assert_true(st_memory_read(&memory, IMAGE_BASE + at, &number, sizeof number, NULL));
        assert_memory_equal(&number, image.data + at, sizeof number);
    }
    st_memory_deinit(&memory);
    image_deinit(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_the_target),
        cmocka_unit_test(a_walk_upward_reads_in_large_pieces),
        cmocka_unit_test(the_first_bad_byte_is_named),
        cmocka_unit_test(finding_the_bad_byte_costs_few_reads),
        cmocka_unit_test(the_end_of_the_address_space_is_an_end),
        cmocka_unit_test(the_highest_byte_can_be_read),
        cmocka_unit_test(the_cache_is_bounded),
        cmocka_unit_test(a_long_read_goes_past_the_cache),
        cmocka_unit_test(walks_go_downward_too_and_side_by_side),
        cmocka_unit_test(what_is_read_here_and_there_is_read_by_the_page),
        cmocka_unit_test(dropped_memory_is_read_again),
        cmocka_unit_test(an_interruption_is_passed_on_at_once),
        cmocka_unit_test(a_reader_that_refuses_large_reads_still_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
