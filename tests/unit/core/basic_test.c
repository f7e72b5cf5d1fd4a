/* Basic types by their MPI names (basic.h): MPI-4.0, tables 3.1 to 3.3, and 6.9.4 for pairs. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>
#include <cmocka.h>

#include "core/model/basic.h"

static void names_mean_what_the_standard_says(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t size;
        enum st_class class_;
    } known[] = {
        {"MPI_CHAR", 1, ST_CLASS_CHAR},
        {"MPI_CHARACTER", 1, ST_CLASS_CHAR},
        {"MPI_WCHAR", sizeof(wchar_t), ST_CLASS_WCHAR},
        {"MPI_BYTE", 1, ST_CLASS_BYTE},
        {"MPI_PACKED", 1, ST_CLASS_PACKED},
        {"MPI_SHORT", 2, ST_CLASS_SIGNED},
        {"MPI_INT", 4, ST_CLASS_SIGNED},
        {"MPI_INT8_T", 1, ST_CLASS_SIGNED},
        {"MPI_AINT", 8, ST_CLASS_SIGNED},
        {"MPI_COUNT", 8, ST_CLASS_SIGNED},
        {"MPI_INTEGER", 4, ST_CLASS_SIGNED},
        {"MPI_INTEGER16", 16, ST_CLASS_SIGNED},
        {"MPI_UNSIGNED", 4, ST_CLASS_UNSIGNED},
        {"MPI_UINT64_T", 8, ST_CLASS_UNSIGNED},
        {"MPI_FLOAT", 4, ST_CLASS_FLOAT},
        {"MPI_LONG_DOUBLE", sizeof(long double), ST_CLASS_FLOAT},
        {"MPI_REAL16", 16, ST_CLASS_FLOAT},
        {"MPI_C_DOUBLE_COMPLEX", sizeof(double complex), ST_CLASS_COMPLEX},
        {"MPI_C_LONG_DOUBLE_COMPLEX", sizeof(long double complex), ST_CLASS_COMPLEX},
        {"MPI_CXX_BOOL", 1, ST_CLASS_BOOL},
        {"MPI_C_BOOL", 1, ST_CLASS_BOOL},
        {"MPI_LOGICAL", 4, ST_CLASS_LOGICAL},
        {"MPI_LB", 0, ST_CLASS_MARKER},
        {"MPI_UB", 0, ST_CLASS_MARKER},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct st_basic basic = st_basic_of(known[i].name, known[i].size);
        if (basic.class_ != known[i].class_) {
            fail_msg("%s is %s", known[i].name, st_class_name(basic.class_));
        }
        assert_int_equal(basic.size, known[i].size);
        assert_string_equal(basic.name, known[i].name);
    }
}

static void unknown_names_and_impossible_sizes_are_raw(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t size;
    } raw[] = {
        {"MPI_SOMETHING_NEW", 4},
        {"", 8},
        {"MPI_INT", 3},
        {"MPI_INT", 0},
        {"MPI_INT", -1},
        {"MPI_INT", 32},
        {"MPI_FLOAT", 1},
        {"MPI_DOUBLE", 12},
        {"MPI_CHAR", 2},
        {"MPI_WCHAR", 1},
        {"MPI_C_COMPLEX", 2},
        {"MPI_DOUBLE_INT", 0},
        {"MPI_DOUBLE_INT", -1},
        {"MPI_DOUBLE_INT", 8},
        {"MPI_INT", INT64_C(1) << 62},
        {"MPI_DOUBLE_INT", INT64_C(1) << 62},
        {"mpi_int", 4},
    };
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++) {
        struct st_basic basic = st_basic_of(raw[i].name, raw[i].size);
        assert_int_equal(basic.class_, ST_CLASS_RAW);
        assert_int_equal(basic.size, raw[i].size);
    }
}

#define PAIR(name, value, location)                                                                \
    {name, sizeof(struct {                                                                         \
         value first;                                                                              \
         location second;                                                                          \
     }),                                                                                           \
     sizeof(value), sizeof(location),                                                              \
     offsetof(                                                                                     \
         struct {                                                                                  \
             value first;                                                                          \
             location second;                                                                      \
         },                                                                                        \
         second)}

static void pairs_are_the_c_structs_of_two_members(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t size;
        size_t first, second, offset;
    } pairs[] = {
        PAIR("MPI_FLOAT_INT", float, int),
        PAIR("MPI_DOUBLE_INT", double, int),
        PAIR("MPI_LONG_INT", long, int),
        PAIR("MPI_SHORT_INT", short, int),
        PAIR("MPI_LONG_DOUBLE_INT", long double, int),
        PAIR("MPI_2INT", int, int),
        PAIR("MPI_2INTEGER", int, int),
        PAIR("MPI_2REAL", float, float),
        PAIR("MPI_2DOUBLE_PRECISION", double, double),
        PAIR("MPI_2DOUBLE_COMPLEX", double complex, double complex),
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct st_basic basic = st_basic_of(pairs[i].name, pairs[i].size);
        assert_int_equal(basic.class_, ST_CLASS_PAIR);
        assert_int_equal(basic.members[0].size, pairs[i].first);
        assert_int_equal(basic.members[0].offset, 0);
        assert_int_equal(basic.members[1].size, pairs[i].second);
        assert_int_equal(basic.members[1].offset, pairs[i].offset);
    }
    /* the true extent leaves the gap at the end out */
    assert_int_equal(st_basic_of("MPI_DOUBLE_INT", 12).members[1].offset, 8);
    assert_int_equal(st_basic_of("MPI_DOUBLE_INT", 12).class_, ST_CLASS_PAIR);
    assert_int_equal(st_basic_of("MPI_2INT", 8).members[1].class_, ST_CLASS_SIGNED);
    assert_int_equal(st_basic_of("MPI_2REAL", 8).members[1].class_, ST_CLASS_FLOAT);
    assert_int_equal(st_basic_of("MPI_DOUBLE_INT", 12).members[1].class_, ST_CLASS_SIGNED);
}

static void classes_have_names(void **state)
{
    (void)state;
    for (int i = ST_CLASS_RAW; i <= ST_CLASS_PAIR; i++) {
        assert_non_null(st_class_name((enum st_class)i));
        for (int j = ST_CLASS_RAW; j < i; j++) {
            assert_string_not_equal(st_class_name((enum st_class)i),
                                    st_class_name((enum st_class)j));
        }
    }
    assert_string_equal(st_class_name(ST_CLASS_SIGNED), "signed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_mean_what_the_standard_says),
        cmocka_unit_test(unknown_names_and_impossible_sizes_are_raw),
        cmocka_unit_test(pairs_are_the_c_structs_of_two_members),
        cmocka_unit_test(classes_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
