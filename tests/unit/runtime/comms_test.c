/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators, windows and files (comms.h): found by record and by handle, their names and processes. */
#include "unit/runtime/unit.h"

#include "runtime/objects/collectives.h"
#include "runtime/objects/comms.h"
#include "runtime/record/blocks.h"
#include "runtime/record/root.h"

static struct st_record *add(enum st_kind kind, uint64_t handle)
{
    return st_handles_add(&(struct st_record){.kind = (uint8_t)kind, .handle = handle});
}

/* Each has a struct of its kind with the serial of its record; other kinds of handles have none. */
static void each_has_its_struct(void **state)
{
    (void)state;
    const enum st_kind kinds[] = {ST_KIND_COMM, ST_KIND_WIN, ST_KIND_FILE};
    struct st_record *records[3], *group = add(ST_KIND_GROUP, 5);
    for (int i = 0; i < 3; i++) {
        records[i] = add(kinds[i], 10 + (uint64_t)i);
        const struct st_comm *comm = st_comms_of(records[i]);
        assert_int_equal(comm->serial, records[i]->serial);
        assert_int_equal(comm->kind, i ? kinds[i] : 0);
        assert_ptr_equal(st_comm_of_handle(10 + (uint64_t)i), comm);
        assert_int_equal(records[i]->buffers, 0);
    }
    assert_null(st_comms_of(group));
    st_handles_remove(group);
    for (int i = 0; i < 3; i++) {
        st_handles_remove(records[i]);
        assert_null(st_comm_of_handle(10 + (uint64_t)i));
    }
}

static void assert_name(const struct st_comm *comm, const char *name)
{
    const struct st_block *block = st_pointer(comm->name);
    if (!name) {
        assert_null(block);
        return;
    }
    assert_int_equal(block->bytes, strlen(name));
    assert_memory_equal(block + 1, name, strlen(name));
}

/* A name of any length replaces the last one, whose memory is freed. */
static void names(void **state)
{
    static char text[300];
    uint64_t bytes = st_root.types_bytes;
    struct st_record *record = add(ST_KIND_WIN, 78);
    struct st_comm *window = st_comms_of(record);
    (void)state;
    memset(text, 'n', sizeof text - 1);
    assert_name(window, NULL);
    for (size_t length = 1; length < sizeof text; length++) {
        st_comms_call(window, text + sizeof text - 1 - length, length);
        assert_name(window, text + sizeof text - 1 - length);
        st_comms_call(window, "rows", 4);
        assert_name(window, "rows");
    }
    st_comms_call(window, NULL, 0);
    assert_name(window, NULL);
    st_comms_call(window, "rows", 4);
    st_handles_remove(record);
    assert_int_equal(st_root.types_bytes, bytes);
}

/* A window has the processes of the communicator that it was made on. */
static void a_window_inherits(void **state)
{
    (void)state;
    struct st_record *comm = add(ST_KIND_COMM, 1), *win = add(ST_KIND_WIN, 2);
    const struct st_comm_members group = {
        .group = {.world = 3, .size = 4, .first = 0, .stride = 2, .form = ST_GROUP_STRIDED}};
    const struct st_comm_members none = {.list = NULL};
    struct st_comm_facts facts = {.size = 4, .rank = 3};
    st_comms_inherit(st_comms_of(win), st_comms_of(comm));
    assert_false(st_comms_facts(st_comms_of(win), &facts));
    st_comms_learn(st_comms_of(comm), &facts, &group, &none);
    st_comms_inherit(st_comms_of(win), st_comms_of(comm));
    facts = (struct st_comm_facts){0};
    assert_true(st_comms_facts(st_comms_of(win), &facts));
    assert_int_equal(facts.size, 4);
    assert_int_equal(facts.rank, 3);
    assert_false(facts.inter);
    st_handles_remove(win);
    st_handles_remove(comm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_has_its_struct),
                                       cmocka_unit_test(names),
                                       cmocka_unit_test(a_window_inherits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
