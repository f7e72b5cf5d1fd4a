/*
 * The algebra's memory in the rank: blocks of random sizes keep what is written to them, from several
 * threads; blocks that were freed are used again; and what a signal handler asks for, where it
 * interrupts the allocator, is refused.
 */
#include "unit/runtime/unit.h"

#include <pthread.h>

#include "../../../libshadowtype/runtime/record/own_heap.c"

enum { BLOCKS = 300, STEPS = 40000, THREADS = 4 };

struct st_kept {
    unsigned char *data;
    size_t bytes;
    unsigned char mark;
};

static void check_kept(const struct st_kept *kept)
{
    for (size_t i = 0; i < kept->bytes; i++)
        if (kept->data[i] != kept->mark)
            fail_msg("byte %zu of %zu was changed", i, kept->bytes);
}

static size_t random_bytes(unsigned *seed)
{
    unsigned kind = (unsigned)rand_r(seed) % 100, number = (unsigned)rand_r(seed);
    return kind < 80 ? number % 300 : kind < 99 ? number % 9000 : number % 200000;
}

static void *churn(void *first)
{
    unsigned seed = (unsigned)(uintptr_t)first;
    struct st_kept *all = calloc(BLOCKS, sizeof *all);
    for (int step = 0; step < STEPS; step++) {
        struct st_kept *kept = &all[(unsigned)rand_r(&seed) % BLOCKS];
        size_t bytes = random_bytes(&seed);
        if (kept->data && rand_r(&seed) % 3 == 0) {
            size_t both = bytes < kept->bytes ? bytes : kept->bytes;
            kept->data = realloc(kept->data, bytes);
            assert_non_null(kept->data);
            kept->bytes = both;
        } else {
            check_kept(kept);
            free(kept->data);
            kept->data = step % 2 ? malloc(bytes) : calloc(1, bytes);
            assert_non_null(kept->data);
            assert_int_equal((uintptr_t)kept->data % _Alignof(max_align_t), 0);
            kept->mark = 0;
            kept->bytes = step % 2 ? 0 : bytes;
        }
        check_kept(kept);
        kept->bytes = bytes;
        kept->mark = (unsigned char)rand_r(&seed);
        memset(kept->data, kept->mark, bytes);
    }
    for (int i = 0; i < BLOCKS; i++) {
        check_kept(&all[i]);
        free(all[i].data);
    }
    free(all);
    return NULL;
}

static void blocks_keep_their_bytes(void **state)
{
    pthread_t threads[THREADS];
    (void)state;
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, churn, (void *)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void memory_does_not_grow(void **state)
{
    (void)state;
    churn((void *)7);
    uint64_t before = st_root.mapped_bytes;
    for (int i = 0; i < 3; i++)
        churn((void *)7);
    assert_int_equal(st_root.mapped_bytes, before);
}

static void sizes_fit(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes <= (size_t)1 << LOG2_MOST; bytes++) {
        unsigned class = class_of(bytes);
        assert_true(class < CLASSES && bytes_of_class(class) >= bytes);
        assert_true(class == 0 || bytes_of_class(class - 1) < bytes);
    }
    assert_null(malloc(SIZE_MAX / 2));
    assert_null(calloc(SIZE_MAX / 2, 3));
}

static void a_handler_within_is_refused(void **state)
{
    (void)state;
    void *block = malloc(100);
    assert_true(take_lock());
    assert_null(malloc(100));
    free(block); /* lost */
    give_lock();
    assert_non_null(malloc(100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_keep_their_bytes),
        cmocka_unit_test(memory_does_not_grow),
        cmocka_unit_test(sizes_fit),
        cmocka_unit_test(a_handler_within_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
