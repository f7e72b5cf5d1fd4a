/* The recorder from several threads; built with -fsanitize=thread. Handles go from one thread to
 * another as an MPI library would give them out: freed here, made there at once. */
#include "unit/runtime/unit.h"

#include <pthread.h>

#include "runtime/record/arena.h"
#include "runtime/record/lifetime.h"
#include "runtime/record/lock.h"
#include "runtime/record/record.h"
#include "runtime/record/table.h"

enum { THREADS = 4, STEPS = 20000, POOL = 16 };

#define INT UINT64_C(0x4c000405)

/* The MPI library's free handles. */
static pthread_mutex_t pool_mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t pool[POOL];
static unsigned pool_count;

static uint64_t give_out(void)
{
    pthread_mutex_lock(&pool_mutex);
    uint64_t handle = pool_count ? pool[--pool_count] : 0;
    pthread_mutex_unlock(&pool_mutex);
    return handle;
}

static void take_back(uint64_t handle)
{
    pthread_mutex_lock(&pool_mutex);
    pool[pool_count++] = handle;
    pthread_mutex_unlock(&pool_mutex);
}

static void *work(void *context)
{
    const struct st_site here = {.frames = {0x1000 + (uintptr_t)context}};
    for (int step = 0; step < STEPS; step++) {
        uint64_t handle = give_out();
        if (!handle)
            continue;
        st_record(&(struct st_made){.handle = handle,
                                    .combiner = ST_CONTIGUOUS,
                                    .args = {step},
                                    .base = step % 5 ? INT : UINT64_C(0xdead)},
                  &here);
        st_record_commit(handle, &here);
        st_record_name(handle, "a name", 6);
        struct st_freeing freeing;
        st_record_free_begin(handle, &here, &freeing);
        take_back(handle);
        st_record_free_end(&freeing, true);
    }
    return NULL;
}

static void handles_go_round(void **state)
{
    pthread_t threads[THREADS];
    (void)state;
    st_lock_arm();
    st_record_named(INT, "MPI_INT");
    for (unsigned i = 0; i < POOL / 4; i++)
        take_back(0x8c000000u + i);
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(st_root.live, 1); /* the unknown base */
    assert_int_equal(st_root.changes % 2, 0);
    for (unsigned i = 0; i < POOL / 4; i++)
        assert_int_equal(st_table_find(0x8c000000u + i), ST_NO_NODE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(handles_go_round)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
