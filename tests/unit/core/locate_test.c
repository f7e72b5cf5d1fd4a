/* From a byte of memory to its elements, where unrolling would not end: found in a few steps, or
 * said to be undecided. Small types are in element_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/address/address.h"
#include "fixture.h"
#include "core/address/locate.h"

#define MILLION INT64_C(1000000)
#define BILLION INT64_C(1000000000)

struct finder {
    struct fixture f;
    struct st_indexes indexes;
    struct st_locate locate;
};

static void finder_open(struct finder *finder)
{
    struct st_place nothing = {0};
    fixture_open(&finder->f);
    st_indexes_init(&finder->indexes);
    st_locate_init(&finder->locate, &finder->indexes, &nothing, 0);
}

static void finder_close(struct finder *finder)
{
    st_locate_deinit(&finder->locate);
    st_indexes_deinit(&finder->indexes);
    fixture_deinit(&finder->f);
}

/* Looks for a byte of `count` of a type (negative: of the type itself) at address 0. */
static void look(struct finder *finder, uint32_t ordinal, int64_t count, int64_t byte)
{
    const struct st_type *type = fixture_type(&finder->f, ordinal);
    struct st_place root = count < 0 ? st_place_of(type, 0) : st_place_repeat(type, 0, count);
    st_locate_restart(&finder->locate, &root, byte);
}

static void check_address(struct finder *finder, const char *expected)
{
    char text[200];
    st_address_format(&finder->locate.route, ST_ADDRESS_SHORT, text, sizeof text);
    assert_string_equal(text, expected);
}

static void finds(struct finder *finder, const char *address, int64_t within)
{
    assert_int_equal(st_locate_next(&finder->locate), ST_LOCATED);
    check_address(finder, address);
    assert_int_equal(finder->locate.within, within);
}

static void finds_no_more(struct finder *finder, uint64_t most_steps)
{
    assert_int_equal(st_locate_next(&finder->locate), ST_LOCATE_END);
    assert_int_equal(st_locate_next(&finder->locate), ST_LOCATE_END);
    assert_true(ST_LOCATE_STEPS - finder->locate.steps <= most_steps);
}

/* The columns of a matrix, a million each way, one after the other; the same in three dimensions.
 */
static void transposed_arrays_take_a_step_a_level(void **state)
{
    (void)state;
    struct finder finder;
    fixture_init(&finder.f);
    struct image *image = &finder.f.image;
    uint32_t real = image_named(image, "MPI_DOUBLE", 8);
    uint32_t column = image_vector(image, ST_VECTOR, MILLION, 1, MILLION, real);
    uint32_t narrow = image_resized(image, 0, 8, column);
    uint32_t backwards = image_resized(image, 0, -8, column);
    /* cube[1000][1000][1000], last index slowest: planes of columns of single elements */
    uint32_t line = image_vector(image, ST_HVECTOR, 1000, 1, 8 * MILLION, real);
    uint32_t plane = image_vector(image, ST_HVECTOR, 1000, 1, 8 * 1000, line);
    uint32_t cube = image_vector(image, ST_HVECTOR, 1000, 1, 8, plane);
    finder_open(&finder);

    look(&finder, narrow, MILLION, 8 * (123456 * MILLION + 654321) + 3);
    finds(&finder, "{654321}[0][123456][0]", 3);
    finds_no_more(&finder, 20);
    look(&finder, backwards, MILLION, 8 * (123456 * MILLION - 654321) + 7);
    finds(&finder, "{654321}[0][123456][0]", 7);
    finds_no_more(&finder, 20);
    look(&finder, narrow, MILLION, 8 * MILLION * MILLION);
    finds_no_more(&finder, 20);
    look(&finder, cube, 1, 8 * (12 * MILLION + 34 * 1000 + 56));
    finds(&finder, "{0}[56][0][34][0][12][0]", 0);
    finds_no_more(&finder, 20);
    finder_close(&finder);
}

static void overlapping_elements_are_found_one_by_one(void **state)
{
    (void)state;
    struct finder finder;
    fixture_init(&finder.f);
    struct image *image = &finder.f.image;
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint32_t shifted = image_vector(image, ST_HVECTOR, BILLION * 1000, 1, 1, number);
    uint32_t same = image_vector(image, ST_HVECTOR, BILLION * 1000, 1, 0, number);
    uint32_t unlike = image_vector(image, ST_HVECTOR, MILLION, 1, 1000,
                                   image_vector(image, ST_HVECTOR, MILLION, 1, 999, number));
    finder_open(&finder);

    look(&finder, shifted, -1, BILLION);
    finds(&finder, "[999999997][0]", 3);
    finds(&finder, "[999999998][0]", 2);
    finds(&finder, "[999999999][0]", 1);
    finds(&finder, "[1000000000][0]", 0);
    finds_no_more(&finder, 30);

    look(&finder, same, -1, 4);
    finds_no_more(&finder, 10);
    look(&finder, same, -1, 2);
    finder.locate.steps = 1000;
    int64_t found = 0;
    enum st_located answer;
    while ((answer = st_locate_next(&finder.locate)) == ST_LOCATED) {
        found++;
    }
    assert_int_equal(answer, ST_LOCATE_UNDECIDED);
    assert_true(found > 300);
    assert_int_equal(st_locate_next(&finder.locate), ST_LOCATE_UNDECIDED);
    finder.locate.steps = 10; /* it goes on where it was */
    assert_int_equal(st_locate_next(&finder.locate), ST_LOCATED);
    assert_int_equal(finder.locate.route.steps[0].index, found);

    /* 1000 i + 999 j <= byte < 1000 i + 999 j + 4: counted for each i */
    int64_t byte = 1234567, expected = 0;
    for (int64_t i = 0; 1000 * i <= byte; i++) {
        int64_t rest = (byte - 1000 * i) % 999;
        expected += rest < 4;
    }
    look(&finder, unlike, -1, byte);
    for (found = 0; st_locate_next(&finder.locate) == ST_LOCATED; found++) {
        const struct st_step *steps = finder.locate.route.steps;
        int64_t at = 1000 * steps[0].index + 999 * steps[2].index;
        assert_int_equal(finder.locate.within, byte - at);
    }
    assert_int_equal(found, expected);
    assert_true(expected > 3);
    finder_close(&finder);
}

static bool stop(void *context)
{
    int *asked = context;
    return ++*asked == 3;
}

static void a_long_walk_can_be_interrupted(void **state)
{
    (void)state;
    struct finder finder;
    int asked = 0;
    fixture_init(&finder.f);
    uint32_t number = image_named(&finder.f.image, "MPI_INT", 4);
    uint32_t same = image_vector(&finder.f.image, ST_HVECTOR, BILLION, 1, 0, number);
    finder_open(&finder);
    look(&finder, same, -1, 0);
    finder.locate.interrupted = stop;
    finder.locate.context = &asked;
    enum st_located answer;
    while ((answer = st_locate_next(&finder.locate)) == ST_LOCATED) {
    }
    assert_int_equal(answer, ST_LOCATE_FAILED);
    assert_int_equal(finder.locate.error, ST_INTERRUPTED);
    finder_close(&finder);
}

/* A million blocks out of order, no two at one byte; and one below them all. */
static void wide_lists_are_searched(void **state)
{
    (void)state;
    enum { BLOCKS = 1000000, STEP = 7919, PRIME = 1000003 };
    struct finder finder;
    int64_t *offsets = calloc(BLOCKS, sizeof(*offsets)),
            *lengths = calloc(BLOCKS, sizeof(*lengths));
    fixture_init(&finder.f);
    struct image *image = &finder.f.image;
    uint32_t number = image_named(image, "MPI_INT", 4);
    for (int64_t i = 0; i < BLOCKS; i++) {
        offsets[i] = 3 * (i * STEP % PRIME);
        lengths[i] = i % 3;
    }
    uint32_t scattered =
        image_indexed(image, ST_INDEXED, BLOCKS, offsets, lengths, 0, number, true);
    offsets[500000] = 0;
    lengths[500000] = 3 * PRIME;
    uint32_t covered = image_indexed(image, ST_INDEXED, BLOCKS, offsets, lengths, 0, number, true);
    finder_open(&finder);
    uint64_t seed = image_seed(5);
    for (int k = 0; k < 20000; k++) {
        int64_t block = image_between(&seed, 0, BLOCKS - 1);
        int64_t first = 12 * (block * STEP % PRIME);
        int64_t within = image_between(&seed, 0, 11);
        look(&finder, scattered, -1, first + within);
        if (within / 4 < block % 3) {
            assert_int_equal(st_locate_next(&finder.locate), ST_LOCATED);
            assert_int_equal(finder.locate.route.steps[0].index, block);
            assert_int_equal(finder.locate.route.steps[1].index, within / 4);
            assert_int_equal(finder.locate.within, within % 4);
        }
        finds_no_more(&finder, 10);
        look(&finder, covered, -1, first + within);
        int hits = 0;
        bool wide = false;
        while (st_locate_next(&finder.locate) == ST_LOCATED) {
            wide = wide || finder.locate.route.steps[0].index == 500000;
            hits++;
        }
        assert_true(wide);
        assert_int_equal(hits, 1 + (block != 500000 && within / 4 < block % 3));
        assert_true(ST_LOCATE_STEPS - finder.locate.steps < 15);
    }
    finder_close(&finder);
    free(offsets);
    free(lengths);
}

static void addresses_of_64_bits_are_displacements_too(void **state)
{
    (void)state;
    struct finder finder;
    fixture_init(&finder.f);
    struct image *image = &finder.f.image;
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint64_t high = UINT64_C(0xffffffffff600000); /* from MPI_BOTTOM: a negative displacement */
    int64_t offsets[] = {INT64_C(0x7ffc12345678), (int64_t)high, INT64_MAX - 3, INT64_MIN};
    uint32_t absolute = image_indexed(image, ST_HINDEXED_BLOCK, 4, offsets, NULL, 1, number, true);
    finder_open(&finder);
    for (int64_t i = 0; i < 4; i++) {
        char address[] = "[0][0]";
        address[1] = (char)('0' + i);
        look(&finder, absolute, -1, offsets[i]);
        finds(&finder, address, 0);
        finds_no_more(&finder, 10);
        look(&finder, absolute, -1, offsets[i] + 3);
        finds(&finder, address, 3);
        finds_no_more(&finder, 10);
    }
    finder_close(&finder);
}

/* Nodes whose own displacement leaves 64 bits have elements whose does not; and the other way. */
static void what_leaves_64_bits_holds_no_byte(void **state)
{
    (void)state;
    struct finder finder;
    fixture_init(&finder.f);
    struct image *image = &finder.f.image;
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint32_t back =
        image_indexed(image, ST_HINDEXED_BLOCK, 1, (int64_t[]){-100}, NULL, 1, number, false);
    uint32_t inner =
        image_indexed(image, ST_HINDEXED_BLOCK, 2, (int64_t[]){50, 0}, NULL, 1, back, false);
    uint32_t outer = image_indexed(image, ST_HINDEXED_BLOCK, 1, (int64_t[]){INT64_MAX - 10}, NULL,
                                   1, inner, true);
    uint32_t sparse = image_vector(image, ST_HVECTOR, INT64_MAX, 1, INT64_C(1) << 62, number);
    uint32_t least = image_vector(image, ST_HVECTOR, 2, 1, INT64_MIN, number);
    uint32_t past = image_indexed(image, ST_HINDEXED_BLOCK, 2, (int64_t[]){INT64_MAX - 1, 8}, NULL,
                                  1, number, true);
    uint32_t array = image_subarray(image, 1, (int64_t[]){10}, (int64_t[]){5}, (int64_t[]){5},
                                    false, image_resized(image, 0, INT64_C(1) << 60, back));
    finder_open(&finder);
    look(&finder, array, -1, INT64_MAX - (INT64_C(1) << 60) - 99);
    finds(&finder, "[2][0][0][0]", 0);
    look(&finder, array, -1, INT64_MAX - 99); /* the array's element 8, at 2^63 - 100 */
    finds_no_more(&finder, 10);
    look(&finder, outer, -1, INT64_MAX - 60);
    finds(&finder, "[0][0][0][0][0][0]", 0);
    finds_no_more(&finder, 30);
    assert_int_equal(finder.locate.route.depth, 0);
    look(&finder, outer, -1, INT64_MAX - 108);
    finds(&finder, "[0][0][1][0][0][0]", 2);
    finds_no_more(&finder, 30);
    look(&finder, sparse, -1, (INT64_C(1) << 62) + 1);
    finds(&finder, "[1][0]", 1);
    finds_no_more(&finder, 10);
    look(&finder, sparse, -1, INT64_MIN);
    finds_no_more(&finder, 10);
    look(&finder, least, -1, INT64_MIN + 2);
    finds(&finder, "[1][0]", 2);
    finds_no_more(&finder, 10);
    look(&finder, past, -1, 8);
    finds(&finder, "[1][0]", 0);
    finds_no_more(&finder, 10);
    look(&finder, past, -1, INT64_MAX);
    finds(&finder, "[0][0]", 1);
    finds_no_more(&finder, 10);
    finder_close(&finder);
}

static void cyclic_distributions_are_two_levels(void **state)
{
    (void)state;
    struct finder finder;
    fixture_init(&finder.f);
    struct image *image = &finder.f.image;
    uint32_t number = image_named(image, "MPI_INT", 4);
    /* blocks of 5 over 7 processes: this one has the fourth of each 35 */
    uint32_t array = image_darray(image, 7, 3, 1, (int64_t[]){35 * BILLION + 17},
                                  (int64_t[]){ST_DISTRIBUTE_CYCLIC}, (int64_t[]){5}, (int64_t[]){7},
                                  false, number);
    finder_open(&finder);
    int64_t mine = 35 * (BILLION - 1) + 15 + 4, short_one = 35 * BILLION + 15 + 1;
    look(&finder, array, -1, 4 * mine + 1);
    finds(&finder, "[4999999999]", 1);
    finds_no_more(&finder, 10);
    look(&finder, array, -1, 4 * (mine + 1));
    finds_no_more(&finder, 10);
    look(&finder, array, -1, 4 * short_one);
    finds(&finder, "[5000000001]", 0);
    finds_no_more(&finder, 10);
    look(&finder, array, -1, 4 * (short_one + 1));
    finds_no_more(&finder, 10);
    finder_close(&finder);
}

static void an_unknown_inside_may_hold_it(void **state)
{
    (void)state;
    struct finder finder;
    fixture_init(&finder.f);
    struct image *image = &finder.f.image;
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint32_t opaque = image_plain(image, ST_OPAQUE, 8, 4, 8); /* bytes 4 to 12 */
    uint32_t many = image_contiguous(image, BILLION, opaque);
    uint32_t both = image_struct(image, 3, (int64_t[]){0, 16, 24}, (int64_t[]){1, 1, 0},
                                 (uint32_t[]){number, opaque, opaque}, 0, 32, false);
    uint32_t more = image_contiguous(image, BILLION, both);
    uint32_t empty = image_plain(image, ST_OPAQUE, 0, 0, 8);
    finder_open(&finder);
    look(&finder, many, -1, 8 * 123456 + 4);
    assert_int_equal(st_locate_next(&finder.locate), ST_LOCATED_UNKNOWN);
    check_address(&finder, "[123456]");
    finds_no_more(&finder, 10);
    look(&finder, more, -1, 32 * 123456 + 2);
    finds(&finder, "[123456][0][0]", 2);
    finds_no_more(&finder, 10);
    look(&finder, more, -1, 32 * 123456 + 20);
    assert_int_equal(st_locate_next(&finder.locate), ST_LOCATED_UNKNOWN);
    check_address(&finder, "[123456][1][0]");
    finds_no_more(&finder, 10);
    look(&finder, more, -1, 32 * 123456 + 30);
    finds_no_more(&finder, 10);
    look(&finder, empty, -1, 0);
    finds_no_more(&finder, 10);
    finder_close(&finder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transposed_arrays_take_a_step_a_level),
        cmocka_unit_test(overlapping_elements_are_found_one_by_one),
        cmocka_unit_test(a_long_walk_can_be_interrupted),
        cmocka_unit_test(wide_lists_are_searched),
        cmocka_unit_test(addresses_of_64_bits_are_displacements_too),
        cmocka_unit_test(what_leaves_64_bits_holds_no_byte),
        cmocka_unit_test(cyclic_distributions_are_two_levels),
        cmocka_unit_test(an_unknown_inside_may_hold_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
