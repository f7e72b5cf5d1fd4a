/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a buffer (gdb-plugin/render): memory that cannot be read, absurd counts, interruption. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "rendering.h"

/* --- memory that cannot be read
 * ---------------------------------------------------------------------- */

static void what_can_be_read_is_shown_and_the_rest_is_named(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    int buffer[3000];
    for (int i = 0; i < 3000; i++) {
        buffer[i] = i;
    }
    uint32_t number = image_named(&s->f.image, "MPI_INT", 4);
    uint32_t letter = image_named(&s->f.image, "MPI_CHAR", 1);
    uint32_t vector = image_vector(&s->f.image, ST_VECTOR, 3, 2, 4, number);
    uint32_t types[] = {number, vector};
    uint32_t record =
        image_struct(&s->f.image, 2, (int64_t[]){0, 8}, (int64_t[]){2, 2}, types, 0, 88, false);
    rendering_open(s, buffer, sizeof buffer);

    s->f.image.hole = s->at + 4 * 4 + 2;
    s->f.image.hole_end = s->f.image.hole + 1;
    assert_string_equal(show_many(s, number, 8), "{0, 1, 2, 3");
    assert_int_equal(s->error, ST_UNREADABLE);
    assert_int_equal(s->failure.fault.address, s->f.image.hole);
    assert_int_equal(s->failure.fault.value, 4);
    assert_int_equal(s->failure.index_count, 1);
    assert_int_equal(s->failure.indices[0], 4);

    assert_string_equal(show(s, vector), "{{0, 1}, {");
    assert_int_equal(s->failure.index_count, 2);
    assert_int_equal(s->failure.indices[0], 1);
    assert_int_equal(s->failure.indices[1], 0);

    s->f.image.hole = s->at + 8 + 40 + 4 * 4; /* record[1] is two vectors: {1}[1][0] */
    s->f.image.hole_end = s->f.image.hole + 4;
    assert_string_equal(show(s, record),
                        "{[0] = {0, 1}, [1] = {{{2, 3}, {6, 7}, {10, 11}}, {{12, 13}, {");
    assert_int_equal(s->failure.fault.address, s->f.image.hole);
    assert_int_equal(s->failure.index_count, 4);
    const int64_t indices[] = {1, 1, 1, 0};
    assert_memory_equal(s->failure.indices, indices, sizeof indices);

    memset(image_at(&s->f.image, s->at), 'x', 8);
    s->f.image.hole = s->at + 5;
    s->f.image.hole_end = s->f.image.hole + 1;
    st_memory_drop(&s->memory);
    assert_string_equal(show_many(s, letter, 8), "\"xxxxx\"");
    assert_int_equal(s->error, ST_UNREADABLE);
    assert_int_equal(s->failure.indices[0], 5);

    s->f.image.hole = s->at;
    assert_string_equal(show(s, number), "");
    assert_int_equal(s->error, ST_UNREADABLE);
    assert_int_equal(s->failure.index_count, 0);
    assert_string_equal(show_many(s, letter, 8), "");
    assert_string_equal(show_many(s, number, 8), "{");
    rendering_free(s);
}

/* Repeats are counted over the elements that can be read. */
static void a_hole_after_repeats_is_met_in_its_turn(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    static const int buffer[40] = {0};
    uint32_t number = image_named(&s->f.image, "MPI_INT", 4);
    uint32_t pair = image_contiguous(&s->f.image, 2, number);
    rendering_open(s, buffer, sizeof buffer);
    s->f.image.hole = s->at + 30 * 4;
    s->f.image.hole_end = s->f.image.hole + 4;
    assert_string_equal(show_many(s, number, 40), "{0 <repeats 30 times>");
    assert_int_equal(s->failure.indices[0], 30);
    assert_int_equal(s->failure.index_count, 1);
    assert_string_equal(show_many(s, pair, 20), "{{0, 0} <repeats 15 times>, {");
    assert_int_equal(s->failure.indices[0], 15);
    assert_int_equal(s->failure.indices[1], 0);
    assert_int_equal(s->failure.index_count, 2);
    rendering_free(s);
}

/* gdbserver may refuse a large read of memory that can be read in small ones. */
static void a_reader_that_refuses_large_reads_overruns_nothing(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    struct rendering *s = rendering_new();
    int *buffer = malloc(COUNT * sizeof(*buffer));
    assert_non_null(buffer);
    for (int i = 0; i < COUNT; i++) {
        buffer[i] = i;
    }
    uint32_t number = image_named(&s->f.image, "MPI_INT", 4);
    rendering_open(s, buffer, COUNT * sizeof(*buffer));
    fixture_type(&s->f, number);
    s->f.image.longest = 64;
    assert_string_equal(show_many(s, number, 3), "{0, 1, 2}");
    s->options.elements = UINT64_MAX;
    show_many(s, number, COUNT);
    assert_int_equal(s->error, ST_OK);
    assert_memory_equal(s->text.data + s->text.length - 13, "99998, 99999}", 13);
    free(buffer);
    rendering_free(s);
}

/* --- absurd counts
 * ------------------------------------------------------------------------------------- */

static void a_count_of_10_to_the_12_is_shown_at_once(void **state)
{
    (void)state;
    enum { BYTES = 1 << 20 };
    const int64_t absurd = INT64_C(1000000000000);
    struct rendering *s = rendering_new();
    int *buffer = malloc(BYTES);
    assert_non_null(buffer);
    for (int i = 0; i < BYTES / 4; i++) {
        buffer[i] = i;
    }
    uint32_t number = image_named(&s->f.image, "MPI_INT", 4);
    uint32_t letter = image_named(&s->f.image, "MPI_CHAR", 1);
    uint32_t pair = image_contiguous(&s->f.image, 2, number);
    uint32_t same = image_resized(&s->f.image, 0, 0, number);
    uint32_t row = image_vector(&s->f.image, ST_HVECTOR, 4096, 1, 0, number);
    uint32_t plane = image_vector(&s->f.image, ST_HVECTOR, 4096, 1, 0, row);
    uint32_t cube = image_vector(&s->f.image, ST_HVECTOR, 4096, 1, 0, plane);
    rendering_open(s, buffer, BYTES);
    const uint32_t types[] = {number, letter, pair, same, row, cube};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        uint64_t bytes = s->f.image.bytes, reads = s->f.image.reads;
        show_many(s, types[i], absurd);
        assert_int_equal(s->error, ST_OK);
        assert_true(s->text.length < 100000);
        bool braces = s->text.data[s->text.length - 1] == '}'; /* else a string's end */
        assert_memory_equal(s->text.data + s->text.length - 3 - braces, "...", 3);
        assert_true(s->f.image.bytes - bytes <= 2 << 20);
        assert_true(s->f.image.reads - reads <= 600);
        assert_true(s->stub.asked <= 1 << 16);
    }
    free(buffer);
    rendering_free(s);
}

/* Rows of equal numbers are not read as a whole: after four million numbers the list ends. */
static void equal_rows_are_counted_only_so_far(void **state)
{
    (void)state;
    enum { ROW = 1 << 18, ROWS = 100 };
    struct rendering *s = rendering_new();
    int *buffer = calloc(ROW, sizeof(*buffer));
    assert_non_null(buffer);
    uint32_t number = image_named(&s->f.image, "MPI_INT", 4);
    uint32_t row = image_contiguous(&s->f.image, ROW, number);
    uint32_t same = image_resized(&s->f.image, 0, 0, row);
    uint32_t one = image_contiguous(&s->f.image, 1, number);
    uint32_t ones = image_resized(&s->f.image, 0, 0, image_contiguous(&s->f.image, ROW, one));
    rendering_open(s, buffer, ROW * sizeof(*buffer));
    show_many(s, same, 3);
    assert_string_equal(s->string, "{{{0 <repeats 262144 times>}}, {{0 <repeats 262144 times>}}, "
                                   "{{0 <repeats 262144 times>}}}");
    uint64_t bytes = s->f.image.bytes;
    show_many(s, same, ROWS);
    assert_string_equal(s->string, "{{{0 <repeats 262144 times>}} <repeats 15 times>...}");
    assert_true(s->f.image.bytes - bytes <= 18 << 20);
    show_many(s, ones, ROWS);
    assert_true(s->text.length < 5000);
    assert_memory_equal(s->text.data + s->text.length - 4, "...}", 4);
    s->options.elements = UINT64_MAX;
    show_many(s, same, ROWS);
    assert_string_equal(s->string, "{{{0 <repeats 262144 times>}} <repeats 100 times>}");
    free(buffer);
    rendering_free(s);
}

/* --- stopping
 * ---------------------------------------------------------------------------------------------- */

/* Whatever takes long asks whether to go on, and stops when told so. */
static void long_renderings_can_be_interrupted(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    struct rendering *s = rendering_new();
    int *buffer = malloc(COUNT * sizeof(*buffer));
    assert_non_null(buffer);
    for (int i = 0; i < COUNT; i++) {
        buffer[i] = i / 10; /* folded tens: indices that are never a round number */
    }
    uint32_t number = image_named(&s->f.image, "MPI_INT", 4);
    uint32_t pair = image_contiguous(&s->f.image, 2, number);
    uint32_t tens = image_contiguous(&s->f.image, 10, number);
    uint32_t same = image_vector(&s->f.image, ST_HVECTOR, 1000, 1, 0, number);
    rendering_open(s, buffer, COUNT * sizeof(*buffer));
    s->options.elements = UINT64_MAX;
    const struct {
        uint32_t type;
        int64_t count;
    } cases[] = {{number, COUNT}, {pair, COUNT / 2}, {tens, COUNT / 10}, {same, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        s->stub = (struct gdb_stub){.stop_at = 2};
        show_many(s, cases[i].type, cases[i].count);
        assert_int_equal(s->error, ST_INTERRUPTED);
        assert_int_equal(s->failure.fault.error, ST_INTERRUPTED);
        assert_int_equal(s->stub.questions, 2);
    }
    s->stub = (struct gdb_stub){0};
    s->f.image.interrupt_at = s->f.image.reads + 1;
    st_memory_drop(&s->memory);
    show_many(s, number, COUNT);
    assert_int_equal(s->error, ST_INTERRUPTED);
    free(buffer);
    rendering_free(s);
}

static void a_deep_type_does_not_exhaust_the_stack(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    int one = 1;
    uint32_t top = image_named(&s->f.image, "MPI_INT", 4);
    for (int i = 0; i < 100000; i++) {
        top = image_resized(&s->f.image, 0, 4, top);
        image_bury(&s->f.image, top, false);
    }
    rendering_open(s, &one, sizeof one);
    s->options.max_depth = UINT64_MAX;
    show(s, top);
    assert_int_equal(s->error, ST_OK);
    assert_true(s->text.length > 1000);
    s->options.max_depth = 3;
    assert_string_equal(show(s, top), "{{{{...}}}}");
    rendering_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_can_be_read_is_shown_and_the_rest_is_named),
        cmocka_unit_test(a_hole_after_repeats_is_met_in_its_turn),
        cmocka_unit_test(a_reader_that_refuses_large_reads_overruns_nothing),
        cmocka_unit_test(a_count_of_10_to_the_12_is_shown_at_once),
        cmocka_unit_test(equal_rows_are_counted_only_so_far),
        cmocka_unit_test(long_renderings_can_be_interrupted),
        cmocka_unit_test(a_deep_type_does_not_exhaust_the_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
