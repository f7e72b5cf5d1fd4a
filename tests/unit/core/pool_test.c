/* Memory that is given back all at once (pool.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "image.h"
#include "pool.h"

static void what_is_taken_is_zero_aligned_and_ones_own(void **state)
{
    (void)state;
    enum { TAKES = 3000 };
    static unsigned char *taken[TAKES];
    static size_t sizes[TAKES];
    struct st_pool pool;
    uint64_t seed = image_seed(11);
    st_pool_init(&pool);
    for (size_t i = 0; i < TAKES; i++) {
        bool large = image_random(&seed) % 50 == 0;
        sizes[i] = (size_t)image_between(&seed, 1, large ? 200000 : 300);
        taken[i] = st_pool_take(&pool, sizes[i]);
        assert_non_null(taken[i]);
        assert_int_equal((uintptr_t)taken[i] % alignof(max_align_t), 0);
        for (size_t j = 0; j < sizes[i]; j++) {
            assert_int_equal(taken[i][j], 0);
        }
        memset(taken[i], (int)(i % 255) + 1, sizes[i]);
    }
    for (size_t i = 0; i < TAKES; i++) {
        assert_int_equal(taken[i][0], i % 255 + 1);
        assert_int_equal(taken[i][sizes[i] - 1], i % 255 + 1);
    }
    st_pool_deinit(&pool);
    assert_null(pool.pieces);
    st_pool_deinit(&pool); /* again: nothing to do */
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    struct st_pool pool;
    st_pool_init(&pool);
    assert_null(st_pool_take(&pool, SIZE_MAX));
    assert_null(st_pool_take(&pool, SIZE_MAX / 2 + 1));
    assert_non_null(st_pool_take(&pool, 1));
    st_pool_deinit(&pool);
}

static void small_takes_share_pieces(void **state)
{
    (void)state;
    struct st_pool pool;
    st_pool_init(&pool);
    char *first = st_pool_take(&pool, 16);
    assert_non_null(st_pool_take(&pool, 100000)); /* one of its own */
    char *second = st_pool_take(&pool, 16);
    assert_ptr_equal(second, first + 16);
    st_pool_deinit(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_is_zero_aligned_and_ones_own),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(small_takes_share_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
