/* The list of one-sided requests, against all records: whatever is added, completed, released or reused. */
#include "unit/runtime/unit.h"

#include "runtime/objects/window_requests.h"

enum { STEPS = 200000, MOST = 3000, WINDOWS = 5 };

static struct st_record_name list[MOST]; /* from the oldest to the newest */
static int count;

static void add(uint64_t window)
{
    struct st_record *record = st_records_add(
        &(struct st_record){.kind = ST_KIND_REQUEST, .handle = window + 100, .comm = window});
    assert_non_null(record);
    st_window_requests_add(record);
    list[count++] = st_records_name(record);
}

/* Something else takes the place of its record: another request, or what it was released to. */
static void take_out(int number, enum st_kind kind)
{
    struct st_record *record = st_records_named(list[number]);
    uint64_t window = record->comm;
    st_records_remove(record);
    st_window_requests_drop();
    assert_non_null(st_records_add(&(struct st_record){.kind = kind, .comm = window}));
    for (int i = number; i + 1 < count; i++)
        list[i] = list[i + 1];
    count--;
}

static void compare(uint64_t window)
{
    struct st_record *record;
    size_t rest = st_window_requests_all();
    int expected = count - 1;
    while ((record = st_window_requests_next(&rest, window))) {
        while (expected >= 0 && st_records_named(list[expected])->comm != window)
            expected--;
        assert_true(expected >= 0);
        assert_int_equal(record->serial, list[expected].serial);
        expected--;
    }
    for (; expected >= 0; expected--)
        assert_int_not_equal(st_records_named(list[expected])->comm, window);
}

static void each_window_has_its_own(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int step = 0; step < STEPS; step++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        unsigned what = (unsigned)(seed >> 40);
        bool grows = (step / MOST) % 2 == 0; /* up and down again, to none */
        if (count < MOST && (count == 0 || what % 8 < (grows ? 6u : 2u)))
            add(1 + what / 8 % WINDOWS);
        else
            take_out((int)(what / 8) % count, what % 3 ? ST_KIND_REQUEST : ST_KIND_OPERATION);
        if (step % 500 == 0)
            compare(1 + what % WINDOWS);
    }
    while (count)
        take_out(count - 1, ST_KIND_OPERATION);
    assert_int_equal(st_window_requests_all(), 0);
}

/* Others complete while a walk gives the lock back: none of the rest is missed. */
static void a_walk_survives_changes(void **state)
{
    (void)state;
    for (int i = 0; i < 600; i++)
        add(1);
    struct st_record_name last = list[0];
    size_t rest = st_window_requests_all();
    for (int i = 0; i < 300; i++)
        assert_non_null(st_window_requests_next(&rest, 1));
    while (count > 1)
        take_out(1, ST_KIND_OPERATION);
    for (int i = 0; i < 2000; i++) /* the gaps are closed */
        add(2);
    struct st_record *record = st_window_requests_next(&rest, 1);
    assert_non_null(record);
    assert_int_equal(record->serial, last.serial);
    assert_null(st_window_requests_next(&rest, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_window_has_its_own),
        cmocka_unit_test(a_walk_survives_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
