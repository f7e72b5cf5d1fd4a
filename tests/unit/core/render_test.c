/* The text of a buffer (gdb-plugin/render), as gdb 13 writes values of the same shape. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "number.h"
#include "oracle.h"
#include "rendering.h"

/* --- shapes
 * --------------------------------------------------------------------------------------- */

/* The paper's Figure 1 in a buffer. */
static void a_struct_has_indices(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    struct image *image = &s->f.image;
    unsigned char buffer[108] = {0};
    memcpy(buffer + 4, (int[]){1, 2, 3, 4, 5}, 20);
    memcpy(buffer + 51, "holisti", 7);
    memcpy(buffer + 80, (double[]){3.14, 2.71}, 16);
    uint32_t types[] = {
        image_named(image, "MPI_LB", 0),   image_named(image, "MPI_INT", 4),
        image_named(image, "MPI_CHAR", 1), image_named(image, "MPI_DOUBLE", 8),
        image_named(image, "MPI_UB", 0),
    };
    uint32_t top = image_struct(image, 5, (int64_t[]){-4, 0, 47, 76, 100},
                                (int64_t[]){1, 5, 7, 2, 1}, types, -4, 104, false);
    rendering_open(s, buffer, sizeof buffer);
    s->at += 4;
    assert_string_equal(show(s, top), "{[0] = {MPI_LB}, [1] = {1, 2, 3, 4, 5}, [2] = \"holisti\", "
                                      "[3] = {3.1400000000000001, 2.71}, [4] = {MPI_UB}}");
    s->options.pretty = true;
    assert_string_equal(show(s, top), "{\n"
                                      "  [0] = {MPI_LB},\n"
                                      "  [1] = {1, 2, 3, 4, 5},\n"
                                      "  [2] = \"holisti\",\n"
                                      "  [3] = {3.1400000000000001, 2.71},\n"
                                      "  [4] = {MPI_UB}\n"
                                      "}");
    s->options.elements = 2;
    s->options.pretty = false;
    assert_string_equal(show(s, top), "{[0] = {MPI_LB}, [1] = {1, 2...}...}");
    rendering_free(s);
}

static void stages_nest_and_a_resized_type_is_one(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    struct image *image = &s->f.image;
    int buffer[24];
    for (int i = 0; i < 24; i++) {
        buffer[i] = i;
    }
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint32_t vector = image_vector(image, ST_VECTOR, 3, 2, 4, number);
    uint32_t dup = image_dup(image, vector);
    uint32_t array = image_subarray(image, 3, (int64_t[]){2, 3, 4}, (int64_t[]){2, 2, 2},
                                    (int64_t[]){0, 1, 2}, false, number);
    uint32_t columns = image_subarray(image, 2, (int64_t[]){4, 6}, (int64_t[]){2, 3},
                                      (int64_t[]){1, 0}, true, number);
    uint32_t resized = image_resized(image, 0, 8, number);
    uint32_t empty = image_contiguous(image, 0, number);
    uint32_t blocks = image_indexed(image, ST_INDEXED, 3, (int64_t[]){5, 0, 9},
                                    (int64_t[]){2, 0, 1}, 0, number, false);
    uint32_t opaque = image_plain(image, ST_OPAQUE, 8, 0, 8);
    rendering_open(s, buffer, sizeof buffer);
    assert_string_equal(show(s, number), "0");
    assert_string_equal(show(s, vector), "{{0, 1}, {4, 5}, {8, 9}}");
    assert_string_equal(show(s, dup), "{{0, 1}, {4, 5}, {8, 9}}");
    assert_string_equal(show(s, array), "{{{6, 7}, {10, 11}}, {{18, 19}, {22, 23}}}");
    assert_string_equal(show(s, columns), "{{1, 2}, {5, 6}, {9, 10}}");
    assert_string_equal(show(s, resized), "{0}");
    assert_string_equal(show_many(s, resized, 3), "{{0}, {2}, {4}}");
    assert_string_equal(show_many(s, number, 3), "{0, 1, 2}");
    assert_string_equal(show(s, empty), "{}");
    assert_string_equal(show_many(s, number, 0), "{}");
    assert_string_equal(show(s, blocks), "{{5, 6}, {}, {9}}");
    assert_string_equal(show(s, opaque), "<unknown>");
    s->options.max_depth = 1;
    assert_string_equal(show(s, array), "{{...}, {...}}");
    s->options.max_depth = 2;
    assert_string_equal(show(s, array), "{{{...}, {...}}, {{...}, {...}}}");
    s->options.max_depth = 0;
    assert_string_equal(show(s, array), "{...}");
    s->options.max_depth = UINT64_MAX;
    s->options.array_indexes = true;
    assert_string_equal(show(s, vector),
                        "{[0] = {[0] = 0, [1] = 1}, [1] = {[0] = 4, [1] = 5}, [2] = {[0] = 8, [1] "
                        "= 9}}");
    s->options.array_indexes = false;
    s->options.array = true;
    assert_string_equal(show_many(s, number, 2), "{\n  0,\n  1\n}");
    s->options.elements = 2;
    assert_string_equal(show(s, vector), "{\n"
                                         "  {\n"
                                         "    0,\n"
                                         "    1\n"
                                         "  },\n"
                                         "  {\n"
                                         "    4,\n"
                                         "    5\n"
                                         "  }...\n"
                                         "}");
    rendering_free(s);
}

/* --- repeats and limits
 * --------------------------------------------------------------------------- */

static void stages_of_one_child_are_left_out(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    struct image *image = &s->f.image;
    int buffer[8] = {0, 1, 2, 3, 4, 5, 0x636261, 7};
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint32_t letter = image_named(image, "MPI_CHAR", 1), bound = image_named(image, "MPI_LB", 0);
    uint32_t column = image_vector(image, ST_VECTOR, 3, 1, 2, number);
    uint32_t pair = image_struct(image, 3, (int64_t[]){0, 0, 24}, (int64_t[]){1, 1, 1},
                                 (uint32_t[]){bound, number, letter}, 0, 28, false);
    uint32_t resized = image_resized(image, 0, 32, image_resized(image, 0, 32, pair));
    s->options.stages = false;
    rendering_open(s, buffer, sizeof buffer);
    assert_string_equal(show(s, column), "{0, 2, 4}");
    assert_string_equal(show_many(s, column, 1), "{0, 2, 4}");
    assert_string_equal(show_many(s, number, 1), "0");
    assert_string_equal(show_many(s, resized, 1), "{[0] = {MPI_LB}, [1] = 0, [2] = \"a\"}");
    s->options.max_depth = 1;
    assert_string_equal(show(s, column), "{0, 2, 4}");
    s->options.max_depth = 0;
    assert_string_equal(show(s, column), "{...}");
    rendering_free(s);
}

static void fortran_has_parentheses_and_counts_from_one(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    struct image *image = &s->f.image;
    int buffer[16] = {0, 1, 2, 3, 4, 5, 0x636261, 7};
    uint32_t number = image_named(image, "MPI_INTEGER", 4);
    uint32_t bound = image_named(image, "MPI_LB", 0);
    uint32_t column = image_vector(image, ST_VECTOR, 3, 1, 2, number);
    uint32_t pair = image_struct(image, 2, (int64_t[]){0, 0}, (int64_t[]){1, 3},
                                 (uint32_t[]){bound, number}, 0, 16, false);
    s->options.stages = false;
    s->options.fortran = true;
    rendering_open(s, buffer, sizeof buffer);
    assert_string_equal(show(s, column), "(0, 2, 4)");
    assert_string_equal(show_many(s, column, 0), "()");
    assert_string_equal(show_many(s, pair, 1), "( [0] = (MPI_LB), [1] = (0, 1, 2) )");
    assert_string_equal(show_many(s, pair, 2), "(( [0] = (MPI_LB), [1] = (0, 1, 2) ), "
                                               "( [0] = (MPI_LB), [1] = (4, 5, 6513249) ))");
    s->options.array_indexes = true;
    assert_string_equal(show(s, column), "((1) = 0, (2) = 2, (3) = 4)");
    s->options.array_indexes = false;
    s->options.elements = 2;
    assert_string_equal(show(s, column), "(0, 2, ...)");
    s->options.elements = 0;
    assert_string_equal(show(s, column), "(...)");
    s->options.elements = 200;
    s->options.pretty = true;
    assert_string_equal(show_many(s, pair, 1), "(\n  [0] = (MPI_LB),\n  [1] = (0, 1, 2)\n)");
    s->options.max_depth = 0;
    assert_string_equal(show(s, column), "(...)");
    rendering_free(s);
}

static void repeats_fold_from_the_threshold_on(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    int buffer[64] = {1, 2};
    for (int i = 2; i < 12; i++) {
        buffer[i] = 7; /* ten */
    }
    for (int i = 12; i < 21; i++) {
        buffer[i] = 8; /* nine */
    }
    buffer[21] = 9;
    uint32_t number = image_named(&s->f.image, "MPI_INT", 4);
    rendering_open(s, buffer, sizeof buffer);
    assert_string_equal(show_many(s, number, 22),
                        "{1, 2, 7 <repeats 10 times>, 8, 8, 8, 8, 8, 8, 8, 8, 8, 9}");
    assert_string_equal(show_many(s, number, 64), "{1, 2, 7 <repeats 10 times>, 8, 8, 8, 8, 8, 8, "
                                                  "8, 8, 8, 9, 0 <repeats 42 times>}");
    s->options.repeats = UINT64_MAX;
    assert_string_equal(show_many(s, number, 13), "{1, 2, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8}");
    s->options.repeats = 3;
    s->options.array_indexes = true;
    assert_string_equal(show_many(s, number, 13),
                        "{[0] = 1, [1] = 2, [2] = 7 <repeats 10 times>, [12] = 8}");
    rendering_free(s);
}

/* gdb counts a folded group as `repeats` elements of the limit. */
static void lists_are_cut_at_the_elements_limit(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    int buffer[400];
    for (int i = 0; i < 400; i++) {
        buffer[i] = i < 200 ? 5 : i;
    }
    uint32_t number = image_named(&s->f.image, "MPI_INT", 4);
    rendering_open(s, buffer, sizeof buffer);
    s->options.elements = 12;
    assert_string_equal(show_many(s, number, 400), "{5 <repeats 200 times>, 200, 201...}");
    s->options.elements = 3;
    assert_string_equal(show_many(s, number, 3), "{5, 5, 5}");
    assert_string_equal(show_many(s, number, 4), "{5, 5, 5...}");
    s->options.elements = 0;
    assert_string_equal(show_many(s, number, 4), "{...}");
    rendering_free(s);
}

static void equal_neighbours_of_a_list_fold_too(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    int buffer[40] = {0};
    buffer[0] = 1;
    buffer[30] = 2;
    uint32_t number = image_named(&s->f.image, "MPI_INT", 4);
    uint32_t pair = image_contiguous(&s->f.image, 2, number);
    uint32_t rows = image_vector(&s->f.image, ST_VECTOR, 20, 2, 2, number);
    rendering_open(s, buffer, sizeof buffer);
    const char *folded =
        "{{1, 0}, {0, 0} <repeats 14 times>, {2, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}";
    assert_string_equal(show_many(s, pair, 20), folded);
    assert_string_equal(show(s, rows), folded);
    s->options.elements = 3;
    s->options.repeats = 3;
    assert_string_equal(show_many(s, pair, 20), "{{1, 0}, {0, 0} <repeats 14 times>...}");
    rendering_free(s);
}

/* --- numbers
 * ----------------------------------------------------------------------------------------- */

#define NUMBER(text, name, type, value)                                                            \
    do {                                                                                           \
        type number_ = (value);                                                                    \
        struct st_basic basic_ = st_basic_of(name, sizeof number_);                                \
        struct st_text text_ = {0};                                                                \
        assert_true(st_number_native(&basic_));                                                    \
        st_number(&text_, &basic_, &number_);                                                      \
        assert_int_equal(text_.length, strlen(text));                                              \
        assert_memory_equal(text_.data, text, strlen(text));                                       \
        st_text_deinit(&text_);                                                                    \
    } while (0)

static double bits_of_double(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static float bits_of_float(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void numbers_are_gdbs(void **state)
{
    (void)state;
    NUMBER("-128", "MPI_INT8_T", int8_t, INT8_MIN);
    NUMBER("255", "MPI_UINT8_T", uint8_t, UINT8_MAX);
    NUMBER("-32768", "MPI_SHORT", int16_t, INT16_MIN);
    NUMBER("65535", "MPI_UNSIGNED_SHORT", uint16_t, UINT16_MAX);
    NUMBER("-2147483648", "MPI_INT", int32_t, INT32_MIN);
    NUMBER("4294967295", "MPI_UNSIGNED", uint32_t, UINT32_MAX);
    NUMBER("-9223372036854775808", "MPI_LONG", int64_t, INT64_MIN);
    NUMBER("9223372036854775807", "MPI_LONG", int64_t, INT64_MAX);
    NUMBER("18446744073709551615", "MPI_UINT64_T", uint64_t, UINT64_MAX);
    NUMBER("0", "MPI_INT", int32_t, 0);
    NUMBER("0.10000000000000001", "MPI_DOUBLE", double, 0.1);
    NUMBER("100", "MPI_DOUBLE", double, 100.0);
    NUMBER("-0", "MPI_DOUBLE", double, -0.0);
    NUMBER("1.0000000000000001e+300", "MPI_DOUBLE", double, 1e300);
    NUMBER("4.9406564584124654e-324", "MPI_DOUBLE", double, 4.9406564584124654e-324);
    NUMBER("inf", "MPI_DOUBLE", double, (double)INFINITY);
    NUMBER("-inf", "MPI_DOUBLE", double, -(double)INFINITY);
    NUMBER("nan(0x8000000000000)", "MPI_DOUBLE", double,
           bits_of_double(UINT64_C(0x7ff8000000000000)));
    NUMBER("-nan(0x8000000000000)", "MPI_DOUBLE", double,
           bits_of_double(UINT64_C(0xfff8000000000000)));
    NUMBER("nan(0x000000001)", "MPI_DOUBLE", double, bits_of_double(UINT64_C(0x7ff0000000000001)));
    NUMBER("0.100000001", "MPI_FLOAT", float, 0.1f);
    NUMBER("-0", "MPI_FLOAT", float, -0.0f);
    NUMBER("-nan(0x400000)", "MPI_FLOAT", float, bits_of_float(0xffc00000));
    NUMBER("inf", "MPI_REAL", float, INFINITY);
    NUMBER("3.40282347e+38", "MPI_FLOAT", float, FLT_MAX);
}

static void what_is_no_plain_number_is_gdbs_to_write(void **state)
{
    (void)state;
    const char *foreign[] = {"MPI_CHAR", "MPI_C_BOOL", "MPI_BYTE", "MPI_PACKED", "MPI_NOVELTY"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        struct st_basic basic = st_basic_of(foreign[i], 1);
        assert_false(st_number_native(&basic));
    }
    struct st_basic wide = st_basic_of("MPI_LONG_DOUBLE", 16),
                    huge = st_basic_of("MPI_INTEGER16", 16);
    assert_false(st_number_native(&wide));
    assert_false(st_number_native(&huge));

    struct rendering *s = rendering_new();
    unsigned char buffer[64];
    memset(buffer, 1, sizeof buffer);
    uint32_t pair = image_named(&s->f.image, "MPI_DOUBLE_INT", 12);
    s->f.image.nodes[pair].args[2] = 16;
    uint32_t number = image_named(&s->f.image, "MPI_INT", 4);
    uint32_t zero = image_named(&s->f.image, "MPI_UB", 0);
    rendering_open(s, buffer, sizeof buffer);
    assert_string_equal(show(s, pair), "<MPI_DOUBLE_INT:12>");
    assert_string_equal(show_many(s, pair, 3), "{MPI_DOUBLE_INT:3:36}");
    assert_string_equal(show(s, number), "16843009");
    s->options.natural = false; /* a format letter: everything is gdb's */
    assert_string_equal(show(s, number), "<MPI_INT:4>");
    assert_string_equal(show_many(s, number, 5), "{MPI_INT:5:20}");
    assert_string_equal(show(s, zero), "MPI_UB");
    assert_string_equal(show_many(s, zero, 5), "{MPI_UB <repeats 5 times>}");
    rendering_free(s);
}

static void a_format_that_fails_ends_the_text(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    unsigned char buffer[64] = {0};
    uint32_t letter = image_named(&s->f.image, "MPI_CHAR", 1);
    uint32_t lines = image_vector(&s->f.image, ST_VECTOR, 3, 2, 4, letter);
    rendering_open(s, buffer, sizeof buffer);
    s->stub.fails = true;
    const uint32_t both[] = {letter, lines};
    for (size_t i = 0; i < 2; i++) {
        show(s, both[i]);
        assert_int_equal(s->error, ST_INTERRUPTED);
        assert_int_equal(s->failure.fault.error, ST_INTERRUPTED);
    }
    rendering_free(s);
}

/* The sum of the numbers in "@3@, @4@". */
static int64_t count_shown(const struct st_text *text)
{
    int64_t sum = 0, number = 0;
    bool inside = false;
    for (size_t i = 0; i < text->length; i++) {
        if (text->data[i] == '@') {
            sum += inside ? number : 0;
            number = 0;
            inside = !inside;
        } else if (inside) {
            number = 10 * number + (text->data[i] - '0');
        }
    }
    return sum;
}

/* All leaves of random types, in the order of the type map. */
static void every_leaf_is_shown_in_order(void **state)
{
    (void)state;
    uint64_t seed = image_seed(4242);
    for (int i = 0; i < 500; i++) {
        struct rendering *s = rendering_new();
        struct map map = {0};
        unsigned char buffer[1 << 16];
        for (size_t j = 0; j < sizeof buffer; j++) {
            buffer[j] = (unsigned char)image_random(&seed);
        }
        uint32_t top = oracle_random(&s->f.image, &seed, 4, &map);
        bool fits = map_true_lb(&map) > -32000 && map_true_ub(&map) < 32000;
        rendering_open(s, buffer, sizeof buffer);
        s->at += 1 << 15;
        s->options.elements = s->options.repeats = s->options.max_depth = UINT64_MAX;
        s->options.natural = false;
        s->stub.counts = true;
        show(s, top);
        assert_true(!fits || count_shown(&s->text) == (int64_t)map.count);
        assert_true(!fits || s->error == ST_OK);
        map_deinit(&map);
        rendering_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_struct_has_indices),
        cmocka_unit_test(stages_nest_and_a_resized_type_is_one),
        cmocka_unit_test(stages_of_one_child_are_left_out),
        cmocka_unit_test(fortran_has_parentheses_and_counts_from_one),
        cmocka_unit_test(repeats_fold_from_the_threshold_on),
        cmocka_unit_test(lists_are_cut_at_the_elements_limit),
        cmocka_unit_test(equal_neighbours_of_a_list_fold_too),
        cmocka_unit_test(numbers_are_gdbs),
        cmocka_unit_test(what_is_no_plain_number_is_gdbs_to_write),
        cmocka_unit_test(a_format_that_fails_ends_the_text),
        cmocka_unit_test(every_leaf_is_shown_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
