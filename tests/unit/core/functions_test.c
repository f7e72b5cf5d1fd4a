/* What MPI functions do, by their names (core/waits/functions.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/waits/functions.h"

static void functions_by_name(void **state)
{
    (void)state;
    assert_int_equal(st_function_sort("MPI_Send_c"), ST_FUNCTION_SENDS);
    assert_int_equal(st_function_sort("MPI_Sendx"), ST_FUNCTION_OTHER);
    assert_int_equal(st_function_sort("Send"), ST_FUNCTION_OTHER);
    assert_int_equal(st_function_request_sort("MPI_Ibarrier"), ST_FUNCTION_COLLECTS);
    assert_int_equal(st_function_request_sort("MPI_Ialltoallw_c"), ST_FUNCTION_COLLECTS);
    assert_int_equal(st_function_request_sort("MPI_Comm_idup_with_info"),
                     ST_FUNCTION_COPIES_ATTRIBUTES);
    assert_int_equal(st_function_request_sort("MPIX_Reduce_init"), ST_FUNCTION_COLLECTS_WITH_OP);
    assert_int_equal(st_function_request_sort("MPI_Ineighbor_alltoall"),
                     ST_FUNCTION_COLLECTS_FROM_NEARBY);
    assert_int_equal(st_function_request_sort("MPI_Isend"), ST_FUNCTION_OTHER);
    assert_int_equal(st_function_request_sort("MPI_Send_init"), ST_FUNCTION_OTHER);
    assert_int_equal(st_function_request_sort("MPI_I"), ST_FUNCTION_OTHER);
    assert_int_equal(
        st_function_request_sort("MPI_I234567890123456789012345678901234567890123456789"
                                 "0123456789012345678901234567890123456789"),
        ST_FUNCTION_OTHER);
    assert_int_equal(st_function_request_sort(""), ST_FUNCTION_OTHER);
}

static void functions_that_poll(void **state)
{
    (void)state;
    assert_true(st_function_polls("MPI_Testsome"));
    assert_true(st_function_polls("MPI_Iprobe"));
    assert_false(st_function_polls("MPI_Test_cancelled"));
    assert_false(st_function_polls("MPI_Wait"));
    assert_false(st_function_polls(""));
}

static void partitioned_functions(void **state)
{
    (void)state;
    assert_int_equal(st_function_sort("MPI_Psend_init"), ST_FUNCTION_SENDS);
    assert_int_equal(st_function_sort("MPI_Precv_init"), ST_FUNCTION_RECEIVES);
    assert_true(st_function_is_partitioned("MPI_Psend_init"));
    assert_true(st_function_is_partitioned("MPI_Precv_init"));
    assert_false(st_function_is_partitioned("MPI_Send_init"));
    assert_false(st_function_is_partitioned(""));
}

static void functions_that_meet(void **state)
{
    (void)state;
    assert_true(st_function_meets("MPI_Bcast", "MPI_Bcast_c"));
    assert_true(st_function_meets("MPI_Comm_dup_with_info", "MPI_Comm_dup"));
    assert_true(st_function_meets("MPI_Comm_spawn", "MPI_Comm_spawn_multiple"));
    assert_false(st_function_meets("MPI_Bcast", "MPI_Barrier"));
    assert_false(st_function_meets("MPI_Gather", "MPI_Gatherv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_by_name),
        cmocka_unit_test(functions_that_poll),
        cmocka_unit_test(partitioned_functions),
        cmocka_unit_test(functions_that_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
