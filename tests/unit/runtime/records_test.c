/* The records of handles, against a plain list: which is found, in which order, at any number. */
#include "unit/runtime/unit.h"

#include "runtime/objects/records.h"
#include "runtime/record/root.h"

enum { STEPS = 60000, MOST = 4000, HANDLES = 40, VARIABLES = 600 };

struct known {
    uint64_t handle, variable;
    struct st_record_name name;
};

/* From the oldest to the newest. */
static struct known list[MOST];
static int count;

/* The newest with the variable, else the newest; -1: none. */
static int expected(uint64_t handle, uint64_t variable)
{
    int other = -1;
    for (int i = count - 1; i >= 0; i--) {
        if (list[i].handle != handle)
            continue;
        if (list[i].variable == variable)
            return i;
        if (other < 0)
            other = i;
    }
    return other;
}

static int look_up(uint64_t handle, uint64_t variable)
{
    struct st_record *record = st_records_find(ST_KIND_REQUEST, handle, variable);
    int number = expected(handle, variable);
    if (number < 0) {
        assert_null(record);
        return number;
    }
    assert_non_null(record);
    assert_int_equal(record->number, list[number].name.number);
    assert_int_equal(record->serial, list[number].name.serial);
    assert_ptr_equal(st_records_named(list[number].name), record);
    return number;
}

static void add(uint64_t handle, uint64_t variable)
{
    struct st_record *record = st_records_add(
        &(struct st_record){.kind = ST_KIND_REQUEST, .handle = handle, .variable = variable});
    assert_non_null(record);
    list[count++] = (struct known){handle, variable, st_records_name(record)};
}

static void take_out(int number)
{
    struct st_record_name name = list[number].name;
    st_records_remove(st_records_named(name));
    assert_null(st_records_named(name));
    memmove(&list[number], &list[number + 1], (size_t)(--count - number) * sizeof *list);
}

/* Few handles and variables: chains are long, and grow while they are. */
static void as_a_list(void **state)
{
    (void)state;
    for (int step = 0; step < STEPS; step++) {
        uint64_t handle = 1 + random_below(HANDLES), variable = 8 * random_below(VARIABLES);
        int number = look_up(handle, variable);
        bool filling = step < STEPS / 2;
        if (count < MOST && random_below(4) >= (filling ? 1 : 3))
            add(handle, variable);
        else if (number >= 0)
            take_out(number);
    }
}

static void kinds_apart(void **state)
{
    (void)state;
    struct st_record *comm =
        st_records_add(&(struct st_record){.kind = ST_KIND_COMM, .handle = 77});
    assert_null(st_records_find(ST_KIND_GROUP, 77, 0));
    assert_ptr_equal(st_records_find(ST_KIND_COMM, 77, 0), comm);
    st_records_remove(comm);
    assert_null(st_records_find(ST_KIND_COMM, 77, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_list), cmocka_unit_test(kinds_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
