/* Sizes and bounds: MPI-4.0, 5.1, the paper's Figure 1, and the brute force of oracle.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fixture.h"
#include "oracle.h"

static void check(const struct st_type *type, int64_t size, int64_t lb, int64_t extent,
                  int64_t true_lb, int64_t true_ub)
{
    const struct st_measure *m = &type->measure;
    int64_t has_extent = -1;
    assert_int_equal(m->unknown, 0);
    assert_true(st_extent(type, &has_extent));
    assert_int_equal(m->size, size);
    assert_int_equal(m->lb, lb);
    assert_int_equal(has_extent, extent);
    assert_int_equal(m->true_lb, true_lb);
    assert_int_equal(m->true_ub, true_ub);
}

/* B = {1,5,7,2,1}, D = {-4,0,47,76,100}, T = {LB, INT, CHAR, DOUBLE, UB} */
static void figure_1(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    uint32_t types[] = {
        image_named(&f.image, "MPI_LB", 0),   image_named(&f.image, "MPI_INT", 4),
        image_named(&f.image, "MPI_CHAR", 1), image_named(&f.image, "MPI_DOUBLE", 8),
        image_named(&f.image, "MPI_UB", 0),
    };
    uint32_t top = image_struct(&f.image, 5, (int64_t[]){-4, 0, 47, 76, 100},
                                (int64_t[]){1, 5, 7, 2, 1}, types, -4, 104, false);
    fixture_open(&f);
    check(fixture_type(&f, top), 43, -4, 104, 0, 92);
    assert_int_equal(fixture_type(&f, top)->measure.elements, 14);
    assert_int_equal(fixture_type(&f, top)->measure.depth, 1);
    fixture_deinit(&f);
}

/* Every combiner, nested, with negative strides, zero counts, resized bases, all arrays. */
static void random_types_measure_as_their_type_maps(void **state)
{
    (void)state;
    uint64_t seed = image_seed(314159);
    for (int i = 0; i < 4000; i++) {
        struct fixture f;
        struct map map = {0};
        fixture_init(&f);
        uint32_t top = oracle_random(&f.image, &seed, i % 7, &map);
        fixture_open(&f);
        const struct st_type *type = fixture_type(&f, top);
        check(type, map_size(&map), map.lb, map.ub - map.lb, map_true_lb(&map), map_true_ub(&map));
        assert_int_equal(type->measure.elements, map.count);
        map_deinit(&map);
        fixture_deinit(&f);
    }
}

static void combiners_by_hand(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct image *image = &f.image;
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint32_t back = image_vector(image, ST_VECTOR, 3, 2, -4, number);
    uint32_t bytes = image_vector(image, ST_HVECTOR, 3, 2, 10, number);
    uint32_t wide = image_resized(image, -8, 100, number);
    uint32_t row = image_contiguous(image, 3, wide);
    uint32_t shrunk = image_resized(image, 0, -4, number);
    uint32_t backwards = image_contiguous(image, 3, shrunk);
    uint32_t array = image_subarray(image, 2, (int64_t[]){4, 5}, (int64_t[]){2, 2},
                                    (int64_t[]){1, 3}, false, number);
    uint32_t columns = image_subarray(image, 2, (int64_t[]){4, 5}, (int64_t[]){2, 2},
                                      (int64_t[]){1, 3}, true, number);
    uint32_t negative = image_subarray(image, 1, (int64_t[]){5}, (int64_t[]){2}, (int64_t[]){1},
                                       false, image_resized(image, 0, -8, number));
    uint32_t dup = image_dup(image, array);
    fixture_open(&f);
    check(fixture_type(&f, back), 24, -32, 40, -32, 8);
    check(fixture_type(&f, bytes), 24, 0, 28, 0, 28);
    check(fixture_type(&f, row), 12, -8, 300, 0, 204);
    check(fixture_type(&f, backwards), 12, -8, 4, -8, 4);
    check(fixture_type(&f, array), 16, 0, 80, 32, 60);
    check(fixture_type(&f, columns), 16, 0, 80, 4 * (1 + 3 * 4), 4 * (2 + 4 * 4) + 4);
    check(fixture_type(&f, dup), 16, 0, 80, 32, 60);
    /* what MPICH 4.0.2 and Open MPI 4.1.4 say */
    check(fixture_type(&f, negative), 8, 0, -40, -16, -4);
    assert_int_equal(fixture_type(&f, dup)->measure.depth, 2);
    fixture_deinit(&f);
}

static void types_without_data_have_no_true_bounds(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct image *image = &f.image;
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint32_t empty[] = {
        image_contiguous(image, 0, number),
        image_vector(image, ST_VECTOR, 0, 3, 7, number),
        image_vector(image, ST_VECTOR, 3, 0, 7, number),
        image_vector(image, ST_HVECTOR, 3, 0, -7, number),
        image_indexed(image, ST_INDEXED, 0, NULL, (int64_t[]){0}, 0, number, false),
        image_indexed(image, ST_INDEXED, 2, (int64_t[]){9, -9}, (int64_t[]){0, 0}, 0, number,
                      false),
        image_indexed(image, ST_HINDEXED_BLOCK, 2, (int64_t[]){9, -9}, NULL, 0, number, true),
        image_struct(image, 0, NULL, NULL, NULL, 0, 0, false),
    };
    uint32_t bounded = image_resized(image, -4, 20, empty[0]);
    uint32_t twice = image_contiguous(image, 2, bounded);
    fixture_open(&f);
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        check(fixture_type(&f, empty[i]), 0, 0, 0, 0, 0);
        assert_int_equal(fixture_type(&f, empty[i])->measure.elements, 0);
    }
    check(fixture_type(&f, bounded), 0, -4, 20, 0, 0);
    check(fixture_type(&f, twice), 0, -4, 40, 0, 0);
    fixture_deinit(&f);
}

static void bounds_are_those_that_mpi_told(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct image *image = &f.image;
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint32_t blocks =
        image_indexed(image, ST_HINDEXED, 1, (int64_t[]){1}, (int64_t[]){1}, 0, number, false);
    uint32_t padded =
        image_indexed(image, ST_HINDEXED, 1, (int64_t[]){1}, (int64_t[]){1}, 0, number, false);
    uint32_t twice = image_contiguous(image, 2, padded);
    image_set_bounds(image, padded, 1, 7); /* Open MPI's epsilon */
    fixture_open(&f);
    check(fixture_type(&f, blocks), 4, 1, 4, 1, 5);
    check(fixture_type(&f, padded), 4, 1, 7, 1, 5);
    check(fixture_type(&f, twice), 8, 1, 14, 1, 12);
    fixture_deinit(&f);
}

static void basic_types_measure_as_recorded(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct image *image = &f.image;
    uint32_t pair = image_named(image, "MPI_DOUBLE_INT", 12);
    image->nodes[pair].args[1] = 12;
    image->nodes[pair].args[2] = 16;
    uint32_t two = image_contiguous(image, 2, pair);
    uint32_t early = image_named(image, "MPI_INT", -1); /* before MPI_Init */
    uint32_t above = image_contiguous(image, 2, early);
    uint32_t real = image_plain(image, ST_F90_REAL, 15, 300, 8);
    uint32_t complex_ = image_plain(image, ST_F90_COMPLEX, 15, ST_F90_UNDEFINED, 16);
    uint32_t whole = image_plain(image, ST_F90_INTEGER, 0, 9, 4);
    fixture_open(&f);
    check(fixture_type(&f, pair), 12, 0, 16, 0, 12);
    check(fixture_type(&f, two), 24, 0, 32, 0, 28);
    assert_int_equal(fixture_type(&f, two)->measure.elements, 2);
    check(fixture_type(&f, real), 8, 0, 8, 0, 8);
    check(fixture_type(&f, complex_), 16, 0, 16, 0, 16);
    check(fixture_type(&f, whole), 4, 0, 4, 0, 4);
    assert_int_equal(fixture_type(&f, real)->basic.class_, ST_CLASS_FLOAT);
    assert_int_equal(fixture_type(&f, complex_)->basic.class_, ST_CLASS_COMPLEX);
    assert_int_equal(fixture_type(&f, whole)->basic.class_, ST_CLASS_SIGNED);
    uint32_t unknown[] = {early, above};
    for (size_t i = 0; i < 2; i++) {
        int64_t extent;
        const struct st_measure *m = &fixture_type(&f, unknown[i])->measure;
        assert_true(m->unknown & ST_UNKNOWN_SIZE);
        assert_true(m->unknown & ST_UNKNOWN_BOUNDS);
        assert_true(m->unknown & ST_UNKNOWN_TRUE_BOUNDS);
        assert_true(m->unknown & ST_UNKNOWN_ELEMENTS);
        assert_int_equal(m->size, 0);
        assert_int_equal(m->ub, 0);
        assert_false(st_extent(fixture_type(&f, unknown[i]), &extent));
    }
    fixture_deinit(&f);
}

enum { INSIDE = ST_UNKNOWN_TRUE_BOUNDS | ST_UNKNOWN_ELEMENTS | ST_UNKNOWN_INSIDE };

static void the_inside_of_an_opaque_type_is_unknown(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct image *image = &f.image;
    uint32_t opaque = image_plain(image, ST_OPAQUE, 8, -4, 24);
    uint32_t three = image_contiguous(image, 3, opaque);
    uint32_t resized = image_resized(image, 0, 100, opaque);
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint32_t both = image_struct(image, 2, (int64_t[]){40, 0}, (int64_t[]){1, 1},
                                 (uint32_t[]){number, opaque}, 0, 64, false);
    uint32_t none = image_struct(image, 2, (int64_t[]){40, 0}, (int64_t[]){1, 0},
                                 (uint32_t[]){number, opaque}, 0, 64, false);
    uint32_t empty = image_plain(image, ST_OPAQUE, 0, -4, 24);
    uint32_t backward = image_plain(image, ST_OPAQUE, 8, 4, -8);
    uint32_t spread = image_vector(image, ST_HVECTOR, 3, 1, INT64_C(1) << 62, opaque);
    fixture_open(&f);
    const struct st_measure *m = &fixture_type(&f, opaque)->measure;
    assert_int_equal(m->unknown, INSIDE);
    assert_int_equal(m->size, 8);
    assert_int_equal(m->lb, -4);
    assert_int_equal(m->ub, 20);
    m = &fixture_type(&f, three)->measure;
    assert_int_equal(m->unknown, INSIDE);
    assert_int_equal(m->size, 24);
    assert_int_equal(m->ub - m->lb, 72);
    assert_int_equal(m->true_lb, -4); /* what is opaque counts by its bounds */
    assert_int_equal(m->true_ub, 68);
    m = &fixture_type(&f, resized)->measure;
    assert_int_equal(m->unknown, INSIDE);
    assert_int_equal(m->ub, 100);
    assert_int_equal(m->true_ub, 20);
    m = &fixture_type(&f, both)->measure;
    assert_int_equal(m->unknown, INSIDE);
    assert_int_equal(m->true_lb, -4);
    assert_int_equal(m->true_ub, 44);
    m = &fixture_type(&f, none)->measure; /* no times an opaque type is nothing unknown */
    assert_int_equal(m->unknown, 0);
    assert_int_equal(m->elements, 1);
    assert_int_equal(m->true_lb, 40);
    m = &fixture_type(&f, empty)->measure;
    assert_int_equal(m->unknown, 0);
    assert_int_equal(m->elements, 0);
    m = &fixture_type(&f, backward)->measure;
    assert_int_equal(m->unknown, INSIDE);
    assert_int_equal(m->ub, -4);
    assert_int_equal(m->true_lb, 0);
    m = &fixture_type(&f, spread)->measure; /* and past 64 bits they count for nothing */
    assert_int_equal(m->unknown, INSIDE | ST_UNKNOWN_BOUNDS);
    assert_int_equal(m->true_ub, 0);
    fixture_deinit(&f);
}

/* --- 64 bits
 * ---------------------------------------------------------------------------------------- */

enum { ALL_BOUNDS = ST_UNKNOWN_BOUNDS | ST_UNKNOWN_TRUE_BOUNDS };

static void what_leaves_64_bits_is_unknown_never_wrapped(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct image *image = &f.image;
    const int64_t huge = INT64_C(1) << 62;
    uint32_t byte = image_named(image, "MPI_BYTE", 1), number = image_named(image, "MPI_INT", 4);
    uint32_t fits = image_contiguous(image, huge, byte);
    uint32_t types[] = {fits, fits};
    const struct {
        uint32_t ordinal, unknown;
    } cases[] = {
        {fits, 0},
        {image_contiguous(image, huge, number), ST_UNKNOWN_SIZE | ALL_BOUNDS},
        {image_contiguous(image, 2, fits), ST_UNKNOWN_SIZE | ST_UNKNOWN_ELEMENTS | ALL_BOUNDS},
        {image_vector(image, ST_VECTOR, huge, huge, 0, byte),
         ST_UNKNOWN_SIZE | ST_UNKNOWN_ELEMENTS},
        {image_vector(image, ST_VECTOR, huge, 2, 0, byte), ST_UNKNOWN_SIZE | ST_UNKNOWN_ELEMENTS},
        {image_vector(image, ST_VECTOR, 3, 1, huge, byte), ALL_BOUNDS},
        {image_vector(image, ST_HVECTOR, 3, 1, INT64_MIN, byte), ALL_BOUNDS},
        {image_vector(image, ST_VECTOR, 2, 1, huge, number), ALL_BOUNDS},
        {image_vector(image, ST_HVECTOR, 2, 1, INT64_MAX, byte), ALL_BOUNDS},
        {image_indexed(image, ST_HINDEXED, 2, (int64_t[]){0, INT64_MAX}, (int64_t[]){1, 1}, 0, byte,
                       true),
         ALL_BOUNDS},
        {image_indexed(image, ST_INDEXED, 2, (int64_t[]){0, huge}, (int64_t[]){1, 1}, 0, number,
                       true),
         ALL_BOUNDS},
        {image_indexed(image, ST_HINDEXED, 2, (int64_t[]){0, 0}, (int64_t[]){huge, huge}, 0, byte,
                       true),
         ST_UNKNOWN_SIZE | ST_UNKNOWN_ELEMENTS},
        {image_struct(image, 2, (int64_t[]){0, 0}, (int64_t[]){1, 1}, types, 0, 8, true),
         ST_UNKNOWN_SIZE | ST_UNKNOWN_ELEMENTS},
        {image_subarray(image, 2, (int64_t[]){huge, 4}, (int64_t[]){1, 1}, (int64_t[]){0, 0}, false,
                        byte),
         ALL_BOUNDS},
        {image_resized(image, INT64_MAX, 1, byte), ST_UNKNOWN_BOUNDS},
        {image_plain(image, ST_OPAQUE, 8, INT64_MAX, 1), ST_UNKNOWN_BOUNDS | INSIDE},
        {image_subarray(image, 3, (int64_t[]){0, huge, 4}, (int64_t[]){0, huge, 4},
                        (int64_t[]){0, 0, 0}, false, byte),
         ALL_BOUNDS}, /* but no elements, for sure */
    };
    fixture_open(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct st_measure *m = &fixture_type(&f, cases[i].ordinal)->measure;
        if (m->unknown != cases[i].unknown) {
            fail_msg("case %zu: unknown is 0x%x, not 0x%x", i, m->unknown, cases[i].unknown);
        }
        assert_true(!(m->unknown & ST_UNKNOWN_SIZE) || m->size == 0);
        assert_true(!(m->unknown & ST_UNKNOWN_BOUNDS) || (m->lb == 0 && m->ub == 0));
    }
    assert_int_equal(fixture_type(&f, fits)->measure.size, huge);
    fixture_deinit(&f);
}

/* MPI allows no dimension of size 0; a damaged registry has what it has. */
static void an_empty_dimension_is_no_division_by_zero(void **state)
{
    (void)state;
    for (int64_t distrib = 0; distrib <= 2; distrib++) {
        struct fixture f;
        fixture_init(&f);
        uint32_t number = image_named(&f.image, "MPI_INT", 4);
        uint32_t array = image_darray(&f.image, 2, 1, 1, (int64_t[]){0}, (int64_t[]){distrib},
                                      (int64_t[]){ST_DARG_DEFAULT}, (int64_t[]){2}, false, number);
        fixture_open(&f);
        check(fixture_type(&f, array), 0, 0, 0, 0, 0);
        fixture_deinit(&f);
    }
}

static void combiners_have_names(void **state)
{
    (void)state;
    assert_string_equal(st_combiner_name(ST_NAMED), "NAMED");
    assert_string_equal(st_combiner_name(ST_HINDEXED_BLOCK), "HINDEXED_BLOCK");
    for (unsigned i = ST_NAMED; i < ST_COMBINER_END; i++) {
        assert_non_null(st_combiner_name(i));
    }
    assert_null(st_combiner_name(0));
    assert_string_equal(st_combiner_argument(ST_HVECTOR, 2), "stride_bytes");
    assert_null(st_combiner_argument(ST_F90_INTEGER, 0));
    assert_null(st_combiner_argument(ST_COMBINER_END, 0));
    assert_int_equal(st_combiner_find_argument(ST_HVECTOR, "stride"), 2);
    assert_int_equal(st_combiner_find_argument(ST_HVECTOR, "stride_bytes"), 2);
    assert_int_equal(st_combiner_find_argument(ST_VECTOR, "stride_bytes"), -1);
    assert_int_equal(st_combiner_find_argument(ST_VECTOR, "str"), -1);
    assert_int_equal(st_combiner_find_argument(ST_VECTOR, ""), -1);
    assert_int_equal(st_combiner_find_array(ST_STRUCT, "lengths"), 1);
    assert_int_equal(st_combiner_find_array(ST_DUP, "lengths"), -1);
    assert_int_equal(st_combiner_find_array(0, "lengths"), -1);
    for (unsigned i = ST_NAMED; i < ST_COMBINER_END;
         i++) { /* what has arrays says how long they are */
        bool long_as = st_combiner_find_argument(i, "count") >= 0 ||
                       st_combiner_find_argument(i, "ndims") >= 0;
        assert_true(!st_combiner_array(i, 0) || long_as);
    }
    assert_null(st_combiner_name(ST_COMBINER_END));
    assert_null(st_combiner_name(~0u));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_1),
        cmocka_unit_test(random_types_measure_as_their_type_maps),
        cmocka_unit_test(combiners_by_hand),
        cmocka_unit_test(types_without_data_have_no_true_bounds),
        cmocka_unit_test(bounds_are_those_that_mpi_told),
        cmocka_unit_test(basic_types_measure_as_recorded),
        cmocka_unit_test(the_inside_of_an_opaque_type_is_unknown),
        cmocka_unit_test(what_leaves_64_bits_is_unknown_never_wrapped),
        cmocka_unit_test(an_empty_dimension_is_no_division_by_zero),
        cmocka_unit_test(combiners_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
