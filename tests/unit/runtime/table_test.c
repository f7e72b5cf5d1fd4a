/*
 * handle → node against a naive model, and the table as a debugger would read it after every
 * single store: the recorder's own stores are watched, because table.c is compiled in here with
 * stores of our own.
 */
#include "unit/runtime/unit.h"

#define ST_RUNTIME_RECORD_PUBLISH_H

static void after_a_store(void);

static void st_publish32(uint32_t *where, uint32_t value)
{
    *where = value;
    after_a_store();
}

static void st_publish64(uint64_t *where, uint64_t value)
{
    *where = value;
    after_a_store();
}

static void st_withdrawn(void)
{
}

#include "../../../libshadowtype/runtime/record/table.c"

enum { MOST = 6000, ROOM = 10000 };

/* The model: which ordinals are in, under which handles. */
static bool is_in[ROOM];
static uint32_t ordinals[ROOM];
static uint64_t handles[ROOM];
static uint32_t count;
static bool watching;
static uint32_t stores;
static uint32_t in_transit = UINT32_MAX; /* this one may be found or not */

/* Only by core/model/registry.h, from the root. */
static uint32_t read_as_a_debugger(uint64_t handle)
{
    const struct st_table *read = st_pointer(st_root.table);
    if (!read)
        return ST_NO_NODE;
    uint32_t mask = (1u << read->log2_slots) - 1;
    uint32_t at = st_table_home(handle, read->log2_slots);
    for (uint32_t walked = 0; walked <= mask; walked++, at = (at + 1) & mask) {
        if (!read->slots[at])
            return ST_NO_NODE;
        if (st_node_at(read->slots[at] - 1)->handle == handle)
            return read->slots[at] - 1;
    }
    fail_msg("%s", "the probe does not end");
    return ST_NO_NODE;
}

static void all_are_found(void)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t found = read_as_a_debugger(handles[i]);
        if (i == in_transit)
            assert_true(found == ordinals[i] || found == ST_NO_NODE);
        else
            assert_int_equal(found, is_in[i] ? ordinals[i] : ST_NO_NODE);
    }
}

static void after_a_store(void)
{
    if (!watching)
        return;
    stores++;
    all_are_found();
}

static void add_to_model(uint64_t handle)
{
    assert_true(count < ROOM);
    ordinals[count] = st_arena_take();
    handles[count] = handle;
    *st_node_at(ordinals[count]) = (struct st_node){.handle = handle, .serial = count + 1};
    count++;
}

/* The node that had the handle before. */
static uint32_t put(uint32_t ordinal)
{
    struct st_table_entry entry;
    assert_true(st_table_reserve(st_node_at(ordinal)->handle, &entry));
    st_table_put(&entry, ordinal);
    return entry.ordinal;
}

static void insert(uint32_t i)
{
    in_transit = i;
    assert_int_equal(put(ordinals[i]), ST_NO_NODE);
    is_in[i] = true;
    in_transit = UINT32_MAX;
}

static void take_out(uint32_t i)
{
    in_transit = i;
    st_table_remove(ordinals[i]);
    is_in[i] = false;
    in_transit = UINT32_MAX;
}

static void empty_again(void)
{
    watching = false;
    for (uint32_t i = 0; i < count; i++) {
        if (is_in[i])
            take_out(i);
        st_arena_give(ordinals[i]);
    }
    count = 0;
    assert_int_equal(entries, 0);
}

static void finds_what_is_in(void **state)
{
    (void)state;
    assert_int_equal(st_table_find(1), ST_NO_NODE);
    for (uint32_t i = 0; i < MOST; i++)
        add_to_model(0x8c000000u + i);
    for (uint32_t i = 0; i < MOST; i++)
        insert(i);
    for (uint32_t i = 0; i < MOST; i++)
        assert_int_equal(st_table_find(handles[i]), ordinals[i]);
    all_are_found();
    for (uint32_t i = 0; i < MOST; i += 2)
        take_out(i);
    for (uint32_t i = 0; i < MOST; i++)
        assert_int_equal(st_table_find(handles[i]), is_in[i] ? ordinals[i] : ST_NO_NODE);
    empty_again();
}

/* Random steps; handles as Open MPI has them (addresses) and MPICH (dense numbers). */
static void random_steps(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MOST; i++)
        add_to_model(i % 2 ? UINT64_C(0x5623cd6920d0) + i * 0x1a0u : 0x8c000000u + i);
    for (uint32_t step = 0; step < 200000; step++) {
        uint32_t i = random_below(MOST);
        if (is_in[i])
            take_out(i);
        else
            insert(i);
        uint32_t asked = random_below(MOST);
        assert_int_equal(st_table_find(handles[asked]),
                         is_in[asked] ? ordinals[asked] : ST_NO_NODE);
        if (step % 1000 == 0)
            all_are_found();
        assert_true((uint64_t)entries * 4 <= UINT64_C(3) << table->log2_slots);
    }
    empty_again();
}

/* Handles that collide, in a crowded stretch: after every store each is where its probe goes. */
static void after_every_store(void **state)
{
    enum { CROWD = 120 };
    (void)state;
    uint32_t log2_slots = table->log2_slots;
    uint64_t handle = 1;
    while (count < CROWD) {
        uint32_t home = st_table_home(handle, log2_slots);
        /* A stretch across the end of the table. */
        if (home < 10 || home > (1u << log2_slots) - 20)
            add_to_model(handle);
        handle++;
    }
    watching = true;
    stores = 0;
    for (uint32_t step = 0; step < 20000; step++) {
        uint32_t i = random_below(CROWD);
        if (is_in[i])
            take_out(i);
        else
            insert(i);
    }
    assert_true(stores > 40000); /* gaps were closed, too */
    empty_again();
}

static void after_every_store_of_a_growth(void **state)
{
    (void)state;
    uint32_t log2_slots = table->log2_slots;
    for (uint32_t i = 0; table->log2_slots == log2_slots; i++) {
        add_to_model(0x8c000000u + i);
        watching = ((uint64_t)entries + 2) * 4 > UINT64_C(3) << log2_slots;
        insert(i);
    }
    assert_true(watching);
    all_are_found();
    empty_again();
}

static void a_handle_used_again(void **state)
{
    (void)state;
    add_to_model(77);
    add_to_model(77);
    assert_int_equal(put(ordinals[0]), ST_NO_NODE);
    assert_int_equal(put(ordinals[1]), ordinals[0]);
    assert_int_equal(st_table_find(77), ordinals[1]);
    st_table_remove(ordinals[0]); /* by identity: not the one that has the handle now */
    assert_int_equal(st_table_find(77), ordinals[1]);
    st_table_remove(ordinals[1]);
    assert_int_equal(st_table_find(77), ST_NO_NODE);
    empty_again();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_is_in),    cmocka_unit_test(random_steps),
        cmocka_unit_test(after_every_store),   cmocka_unit_test(after_every_store_of_a_growth),
        cmocka_unit_test(a_handle_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
