/* Which basic types of MPI are for which types of a program (agree.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/compare/agree.h"

static void agreement_is_by_class_size_and_sign(void **state)
{
    (void)state;
    static const struct {
        const char *mpi;
        int64_t size;
        enum st_field_kind kind;
        int64_t field;
        enum st_agree agree;
    } cases[] = {
        {"MPI_INT", 4, ST_FIELD_SIGNED, 4, ST_AGREES},
        {"MPI_INT64_T", 8, ST_FIELD_SIGNED, 8, ST_AGREES},
        {"MPI_INTEGER8", 8, ST_FIELD_SIGNED, 8, ST_AGREES},
        {"MPI_AINT", 8, ST_FIELD_UNSIGNED, 8, ST_OTHER_SIGN},
        {"MPI_INT", 4, ST_FIELD_UNSIGNED, 4, ST_OTHER_SIGN},
        {"MPI_INT", 4, ST_FIELD_UNSIGNED, 8, ST_OTHER_SIZE},
        {"MPI_INT", 4, ST_FIELD_FLOAT, 4, ST_OTHER_CLASS},
        {"MPI_INT", 4, ST_FIELD_ENUM, 4, ST_AGREES},
        {"MPI_UNSIGNED", 4, ST_FIELD_ENUM, 4, ST_AGREES},
        {"MPI_SHORT", 2, ST_FIELD_ENUM, 4, ST_OTHER_SIZE},
        {"MPI_CHAR", 1, ST_FIELD_CHAR, 1, ST_AGREES},
        {"MPI_CHARACTER", 1, ST_FIELD_CHAR, 1, ST_AGREES},
        {"MPI_CHAR", 1, ST_FIELD_SIGNED, 1, ST_OTHER_CLASS},
        {"MPI_CHAR", 1, ST_FIELD_UNSIGNED, 1, ST_OTHER_CLASS},
        {"MPI_SIGNED_CHAR", 1, ST_FIELD_SIGNED, 1, ST_AGREES},
        {"MPI_SIGNED_CHAR", 1, ST_FIELD_CHAR, 1, ST_OTHER_CLASS},
        {"MPI_UNSIGNED_CHAR", 1, ST_FIELD_UNSIGNED, 1, ST_AGREES},
        {"MPI_UINT8_T", 1, ST_FIELD_UNSIGNED, 1, ST_AGREES},
        {"MPI_WCHAR", 4, ST_FIELD_WCHAR, 4, ST_AGREES},
        {"MPI_WCHAR", 4, ST_FIELD_SIGNED, 4, ST_OTHER_CLASS},
        {"MPI_C_BOOL", 1, ST_FIELD_BOOL, 1, ST_AGREES},
        {"MPI_C_BOOL", 1, ST_FIELD_LOGICAL, 1, ST_AGREES},
        {"MPI_LOGICAL", 4, ST_FIELD_LOGICAL, 4, ST_AGREES},
        {"MPI_LOGICAL", 4, ST_FIELD_LOGICAL, 8, ST_OTHER_SIZE},
        {"MPI_LOGICAL", 4, ST_FIELD_SIGNED, 4, ST_OTHER_CLASS},
        {"MPI_LONG_DOUBLE", 16, ST_FIELD_FLOAT, 16, ST_AGREES},
        {"MPI_REAL16", 16, ST_FIELD_QUAD, 16, ST_AGREES},
        {"MPI_REAL8", 8, ST_FIELD_FLOAT, 8, ST_AGREES},
        {"MPI_FLOAT", 4, ST_FIELD_FLOAT, 8, ST_OTHER_SIZE},
        {"MPI_DOUBLE_COMPLEX", 16, ST_FIELD_COMPLEX, 16, ST_AGREES},
        {"MPI_DOUBLE", 8, ST_FIELD_POINTER, 8, ST_NO_BASIC_TYPE},
        {"MPI_INT", 4, ST_FIELD_BITS, 4, ST_NO_BASIC_TYPE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct st_basic basic = st_basic_of(cases[i].mpi, cases[i].size);
        struct st_sent sent = {&basic, basic.class_, basic.size, -1, false};
        if (st_agree(&sent, cases[i].kind, cases[i].field) != cases[i].agree) {
            fail_msg("%s and %s of %d bytes", cases[i].mpi, st_field_kind_name(cases[i].kind),
                     (int)cases[i].field);
        }
    }
}

static void long_double_is_not_a_quad(void **state)
{
    (void)state;
#if __LDBL_MANT_DIG__ != 113
    struct st_basic quad = st_basic_of("MPI_REAL16", 16),
                    long_ = st_basic_of("MPI_LONG_DOUBLE", 16);
    struct st_sent sent = {&quad, quad.class_, quad.size, -1, false};
    assert_int_equal(st_agree(&sent, ST_FIELD_FLOAT, 16), ST_OTHER_FORMAT);
    sent.basic = &long_;
    assert_int_equal(st_agree(&sent, ST_FIELD_QUAD, 16), ST_OTHER_FORMAT);
    assert_int_equal(st_agree(&sent, ST_FIELD_FLOAT, 8), ST_OTHER_SIZE);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agreement_is_by_class_size_and_sign),
        cmocka_unit_test(long_double_is_not_a_quad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
