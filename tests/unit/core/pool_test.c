/* Memory that is given back all at once (pool.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "image.h"
#include "core/model/pool.h"

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

static void what_grows_keeps_what_it_has(void **state)
{
    (void)state;
    struct st_pool pool;
    st_pool_init(&pool);
    unsigned char *small = st_pool_take(&pool, 16), *data = NULL;
    memset(small, 's', 16);
    for (size_t bytes = 100; bytes < 1000000; bytes *= 3) {
        data = st_pool_grow(&pool, data, bytes);
        assert_non_null(data);
        for (size_t i = 0; i < bytes / 3; i++) {
            assert_int_equal(data[i], bytes == 100 ? data[i] : 'd');
        }
        memset(data, 'd', bytes);
        assert_ptr_equal(st_pool_take(&pool, 16), small + 16); /* not of its room */
        st_pool_release(&pool, (struct st_pool_mark){pool.pieces, 16, pool.made});
    }
    assert_null(st_pool_grow(&pool, data, SIZE_MAX));
    assert_int_equal(small[15], 's');
    st_pool_deinit(&pool);
    st_pool_init(&pool);
    assert_non_null(st_pool_grow(&pool, NULL, 8)); /* the first of all */
    assert_non_null(st_pool_take(&pool, 8));
    st_pool_deinit(&pool);
}

static void what_is_given_back_is_taken_again(void **state)
{
    (void)state;
    struct st_pool pool;
    uint64_t seed = image_seed(12);
    st_pool_init(&pool);
    st_pool_release(&pool, st_pool_mark(&pool));
    for (int round = 0; round < 50; round++) {
        unsigned char *before = st_pool_take(&pool, 40);
        memset(before, 'b', 40);
        struct st_pool_mark mark = st_pool_mark(&pool);
        size_t bytes = pool.bytes;
        for (int i = 0; i < 100; i++) {
            size_t size = (size_t)image_between(&seed, 1, i % 20 ? 3000 : 50000);
            memset(st_pool_take(&pool, size), 'x', size);
            if (i % 30 == 7) {
                assert_non_null(st_pool_grow(&pool, NULL, size));
            }
        }
        st_pool_release(&pool, mark);
        assert_int_equal(pool.bytes, bytes);
        assert_int_equal(before[39], 'b');
        unsigned char *after = st_pool_take(&pool, 40); /* zero again */
        for (size_t i = 0; i < 40; i++) {
            assert_int_equal(after[i], 0);
        }
    }
    st_pool_deinit(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_is_zero_aligned_and_ones_own),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(small_takes_share_pieces),
        cmocka_unit_test(what_grows_keeps_what_it_has),
        cmocka_unit_test(what_is_given_back_is_taken_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
