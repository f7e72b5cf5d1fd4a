/* The recorder without MPI: refused frees, missing memory, long chains, bounds of the ring. */
#include "unit/runtime/unit.h"

#include <pthread.h>

#include "runtime/record/arena.h"
#include "runtime/record/lifetime.h"
#include "runtime/record/record.h"
#include "runtime/record/table.h"

#define INT UINT64_C(0x4c000405)

static const struct st_site here = {.frames = {0x1234}};
static const struct st_site there = {.frames = {0x5678}};

static int setup(void **state)
{
    (void)state;
    st_record_named(INT, "MPI_INT");
    return 0;
}

static void make(uint64_t handle, uint64_t base)
{
    st_record(
        &(struct st_made){.handle = handle, .combiner = ST_CONTIGUOUS, .args = {2}, .base = base},
        &here);
}

static void release(uint64_t handle)
{
    struct st_freeing freeing;
    st_record_free_begin(handle, &there, &freeing);
    st_record_free_end(&freeing, true);
}

static struct st_node *node_of(uint64_t handle)
{
    uint32_t ordinal = st_table_find(handle);
    assert_int_not_equal(ordinal, ST_NO_NODE);
    return st_node_at(ordinal);
}

static uint32_t nodes_in_use(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < st_root.nodes_used; i++)
        count += st_node_at(i)->serial != 0;
    return count;
}

static void a_refused_free_changes_nothing(void **state)
{
    struct st_freeing freeing;
    (void)state;
    make(100, INT);
    struct st_node before = *node_of(100);
    st_record_free_begin(100, &there, &freeing);
    assert_int_equal(st_table_find(100), ST_NO_NODE);
    assert_int_equal(st_root.live, 0);
    /* Meanwhile, a callback of the program turns the ring over. */
    for (uint32_t i = 0; i < 2 * ST_RING_SLOTS; i++) {
        make(200, INT);
        release(200);
    }
    st_record_free_end(&freeing, false);
    assert_memory_equal(node_of(100), &before, sizeof before);
    assert_int_equal(st_root.live, 1);
    st_record_free_begin(100, &there, &freeing);
    st_record_free_end(&freeing, false);
    assert_memory_equal(node_of(100), &before, sizeof before);
    release(100);
    assert_int_equal(st_root.live, 0);
}

/* MPI frees the handle and gives it to another thread, before the first one comes back. */
static void a_handle_given_out_again(void **state)
{
    struct st_freeing freeing;
    (void)state;
    make(100, INT);
    uint64_t serial = node_of(100)->serial;
    st_record_free_begin(100, &there, &freeing);
    make(100, INT);
    st_record_free_end(&freeing, true);
    assert_true(node_of(100)->serial > serial);
    assert_int_equal(node_of(100)->flags, 0);
    release(100);
}

/* Freed where nobody saw it, and given out again. */
static void a_free_that_was_not_seen(void **state)
{
    (void)state;
    make(100, INT);
    uint64_t serial = node_of(100)->serial;
    make(100, INT);
    assert_true(node_of(100)->serial > serial);
    assert_int_equal(st_root.live, 1);
    release(100);
    assert_int_equal(st_root.live, 0);
}

static void predefined_types_stay(void **state)
{
    struct st_freeing freeing;
    (void)state;
    struct st_node before = *node_of(INT);
    st_record_free_begin(INT, &there, &freeing);
    st_record_free_end(&freeing, false);
    make(INT, INT); /* MPICH's answer to the copy of a basic type */
    assert_memory_equal(node_of(INT), &before, sizeof before);
}

/* On a small stack: whatever the length, no recursion. */
static void *chain(void *unused)
{
    enum { LENGTH = 1000000 };
    (void)unused;
    uint32_t before = nodes_in_use();
    for (int order = 0; order < 2; order++) {
        make(1000, INT);
        for (uint64_t i = 1; i < LENGTH; i++)
            make(1000 + i, 1000 + i - 1);
        assert_int_equal(st_root.live, LENGTH);
        for (uint64_t i = 0; i < LENGTH; i++)
            release(order ? 1000 + LENGTH - 1 - i : 1000 + i);
        assert_int_equal(st_root.live, 0);
        assert_true(nodes_in_use() <= before + ST_RING_SLOTS);
        assert_true(st_root.ring_bytes <= ST_RING_BYTES);
    }
    return NULL;
}

static void a_chain_of_a_million(void **state)
{
    pthread_t thread;
    pthread_attr_t small;
    (void)state;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    assert_int_equal(pthread_create(&thread, &small, chain, NULL), 0);
    pthread_join(thread, NULL);
}

/* A freed tower of few nodes is kept below its tombstone, one of many is not. */
static void deep_tombstones_are_elided(void **state)
{
    (void)state;
    for (uint64_t depth = 2; depth < 200; depth += 97) {
        make(1000, INT);
        for (uint64_t i = 1; i < depth; i++)
            make(1000 + i, 1000 + i - 1);
        for (uint64_t i = 0; i < depth; i++)
            release(1000 + i);
        const uint32_t *ring = st_pointer(st_root.ring);
        uint32_t newest = (st_root.ring_next + ST_RING_SLOTS - 1) % ST_RING_SLOTS;
        const struct st_node *node = st_node_at(ring[newest] - 1);
        assert_int_equal(node->handle, 1000 + depth - 1);
        assert_int_equal((node->flags & ST_ELIDED) != 0, depth > ST_TOMBSTONE_NODES);
        assert_int_equal(node->base == ST_NO_NODE, depth > ST_TOMBSTONE_NODES);
    }
}

static void changes_are_even_at_rest(void **state)
{
    (void)state;
    uint64_t before = st_root.changes;
    make(100, INT);
    assert_true(st_root.changes > before);
    release(100);
    assert_int_equal(st_root.changes % 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_free_changes_nothing),
        cmocka_unit_test(a_handle_given_out_again),
        cmocka_unit_test(a_free_that_was_not_seen),
        cmocka_unit_test(predefined_types_stay),
        cmocka_unit_test(a_chain_of_a_million),
        cmocka_unit_test(deep_tombstones_are_elided),
        cmocka_unit_test(changes_are_even_at_rest),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
