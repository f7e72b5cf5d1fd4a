/* Nodes and blocks: where they lie, that they are used again, that they go back. */
#include "unit/runtime/unit.h"

#include <sys/resource.h>

#include "runtime/record/arena.h"
#include "runtime/record/blocks.h"
#include "runtime/record/publish.h"

static void nodes_do_not_move(void **state)
{
    enum { COUNT = 3 * ST_NODES_PER_CHUNK };
    static struct st_node *nodes[COUNT];
    static uint32_t ordinals[COUNT];
    (void)state;
    uint64_t before = st_root.types_bytes;
    for (uint32_t i = 0; i < COUNT; i++) {
        ordinals[i] = st_arena_take();
        assert_int_not_equal(ordinals[i], ST_NO_NODE);
        nodes[i] = st_node_at(ordinals[i]);
        assert_int_equal(nodes[i]->serial, 0);
        nodes[i]->serial = i + 1;
    }
    assert_int_equal(st_root.nodes_used, COUNT);
    assert_int_equal(st_root.node_chunk_count, 3);
    assert_int_equal(st_root.types_bytes - before, COUNT * sizeof(struct st_node));
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_ptr_equal(st_node_at(ordinals[i]), nodes[i]);
        assert_int_equal(nodes[i]->serial, i + 1);
        nodes[i]->serial = 0;
        st_arena_give(ordinals[i]);
    }
    assert_int_equal(st_root.types_bytes, before);
    uint64_t mapped = st_root.mapped_bytes;
    for (uint32_t i = 0; i < COUNT; i++)
        ordinals[i] = st_arena_take();
    assert_int_equal(st_root.nodes_used, COUNT);
    assert_int_equal(st_root.mapped_bytes, mapped);
    for (uint32_t i = 0; i < COUNT; i++)
        st_arena_give(ordinals[i]);
}

static void blocks_of_every_size(void **state)
{
    (void)state;
    uint64_t before = st_root.types_bytes;
    for (uint64_t bytes = 0; bytes < 70000; bytes += 1 + bytes / 16) {
        struct st_block *block = st_block_take(bytes);
        assert_non_null(block);
        assert_int_equal(block->magic, ST_BLOCK_MAGIC);
        assert_int_equal(block->bytes, bytes);
        assert_int_equal((uintptr_t)block % 16, 0);
        uint64_t footprint = st_block_footprint(block);
        assert_true(footprint >= bytes + sizeof *block);
        assert_true(footprint <= (bytes + sizeof *block) * 5 / 4 + 16);
        assert_int_equal(st_root.types_bytes, before + footprint);
        memset(st_block_data(block), 0xff, (size_t)bytes);
        st_block_give(block);
        assert_int_equal(st_root.types_bytes, before);
    }
}

/* Many at once, filled: none lies in another. */
static void blocks_do_not_overlap(void **state)
{
    enum { COUNT = 500, STEPS = 20000 };
    struct st_block *blocks[COUNT] = {0};
    (void)state;
    for (int step = 0; step < STEPS; step++) {
        uint32_t i = random_below(COUNT);
        if (blocks[i]) {
            unsigned char *data = st_block_data(blocks[i]);
            for (uint64_t k = 0; k < blocks[i]->bytes; k++)
                assert_int_equal(data[k], (unsigned char)i);
            st_block_give(blocks[i]);
            blocks[i] = NULL;
        } else {
            blocks[i] = st_block_take(random_below(100) ? random_below(600) : random_below(100000));
            assert_non_null(blocks[i]);
            memset(st_block_data(blocks[i]), (int)i, (size_t)blocks[i]->bytes);
        }
    }
    for (int i = 0; i < COUNT; i++)
        st_block_give(blocks[i]);
}

static void large_blocks_go_back(void **state)
{
    (void)state;
    uint64_t mapped = st_root.mapped_bytes;
    struct st_block *block = st_block_take(10 << 20);
    assert_non_null(block);
    assert_true(st_root.mapped_bytes >= mapped + (10 << 20));
    st_block_give(block);
    assert_int_equal(st_root.mapped_bytes, mapped);
}

static void no_memory_is_no_crash(void **state)
{
    struct rlimit old, none = {0};
    (void)state;
    assert_null(st_block_take(UINT64_MAX));
    assert_null(st_block_take(UINT64_MAX / 2));
    getrlimit(RLIMIT_AS, &old);
    none = old;
    none.rlim_cur = 1;
    setrlimit(RLIMIT_AS, &none);
    struct st_block *block = st_block_take(10 << 20);
    uint32_t ordinal;
    uint32_t taken = 0;
    while ((ordinal = st_arena_take()) != ST_NO_NODE)
        taken++;
    setrlimit(RLIMIT_AS, &old);
    assert_null(block);
    assert_true(taken <= 4 * ST_NODES_PER_CHUNK);
    assert_int_not_equal(st_arena_take(), ST_NO_NODE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_do_not_move),     cmocka_unit_test(blocks_of_every_size),
        cmocka_unit_test(blocks_do_not_overlap), cmocka_unit_test(large_blocks_go_back),
        cmocka_unit_test(no_memory_is_no_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
