/* When a call passes unseen: each half of st_quick_reduced() by itself. The places of predefined types. */
#include "runtime/check/quick.h"

#include "unit/runtime/unit.h"

struct st_quick st_quick;
_Atomic uint32_t st_quick_epoch;
_Thread_local struct st_quick_comm st_quick_last __attribute__((tls_model("initial-exec")));
_Atomic uint64_t st_quick_right[1 << ST_LOG2_RIGHT];

enum {
    WORLD = 0x44000000,
    INTER = 0x84000001,
    DOUBLE = 0x4c00080b,
    SHORT_INT = 0x8c000003,
    SUM = 0x58000003
};
enum { IN_PLACE = 1, FORTRAN_IN_PLACE = 2 };

struct st_numbers st_numbers = {.in_place = IN_PLACE};
static const uint64_t nowhere;
struct st_fortran_in_place st_fortran_in_place = {.object = FORTRAN_IN_PLACE, .variable = &nowhere};

/* The arguments of a reduction. */
struct reduction {
    const void *send, *recv;
    int64_t count;
    uint64_t type, op, comm;
    bool intra;
};

static double memory[16];

static bool passes(struct reduction call)
{
    return st_quick_reduced(call.send, call.recv, call.count, call.type, call.op, call.comm,
                            call.intra);
}

static void put_right(uint64_t op, uint64_t type)
{
    uint64_t pair = st_quick_pair(op, type, false);
    st_quick_right[pair >> (64 - ST_LOG2_RIGHT)] = pair;
}

static void put_type(uint64_t type, uint32_t bytes)
{
    st_quick.types[st_quick_place(type)] = type;
    st_quick.basic[st_quick_place(type)].bytes = bytes;
    put_right(SUM, type);
}

static const struct reduction right = {
    .send = &memory[0], .recv = &memory[4], .count = 4, .type = DOUBLE, .op = SUM, .comm = WORLD};

static int set_up(void **state)
{
    (void)state;
    st_quick.multiplier = UINT64_C(0x9E3779B97F4A7C15);
    st_quick.world = WORLD;
    st_quick.world_size = 2;
    st_quick.in_place = IN_PLACE;
    put_type(DOUBLE, 8);
    st_quick_last = (struct st_quick_comm){.comm = INTER, .size = 1, .inter = true};
    return 0;
}

static void correct_calls(void **state)
{
    (void)state;
    struct reduction call = right;
    assert_true(passes(call));
    call.count = 0;
    assert_true(passes(call));
    call = right;
    call.send = &memory[8]; /* above what is received */
    assert_true(passes(call));
    call.send = (const void *)IN_PLACE;
    assert_true(passes(call));
    call = right;
    call.comm = INTER;
    assert_true(passes(call));
}

static void buffers(void **state)
{
    (void)state;
    struct reduction call = right;
    call.send = NULL;
    assert_false(passes(call));
    call = right;
    call.recv = NULL;
    assert_false(passes(call));
    call.recv = (const void *)IN_PLACE;
    assert_false(passes(call));
    call.recv = (const void *)FORTRAN_IN_PLACE;
    assert_false(passes(call));
    call = right;
    call.recv = &memory[3];
    assert_false(passes(call));
    call.send = &memory[3], call.recv = &memory[0];
    assert_false(passes(call));
    call.recv = call.send;
    assert_false(passes(call));
}

static void counts(void **state)
{
    (void)state;
    struct reduction call = right;
    call.count = -1;
    assert_false(passes(call));
    call.count = INT64_C(1) << 61; /* bytes: 0 modulo 2^64 */
    assert_false(passes(call));
}

static void operations_and_types(void **state)
{
    (void)state;
    struct reduction call = right;
    call.op = SUM + 1;
    assert_false(passes(call));
    call = right;
    call.type = DOUBLE + 1; /* no predefined type, in the place of one */
    while (st_quick_place(call.type) != st_quick_place(DOUBLE))
        call.type++;
    put_right(SUM, call.type);
    assert_false(passes(call));
    put_right(SUM, DOUBLE);
    put_type(SHORT_INT, 0); /* it has gaps */
    call.type = SHORT_INT;
    assert_false(passes(call));
}

static void communicators(void **state)
{
    (void)state;
    struct reduction call = right;
    call.comm = WORLD + 1;
    assert_false(passes(call));
    call.comm = INTER;
    call.intra = true;
    assert_false(passes(call));
    call.intra = false;
    call.send = (const void *)IN_PLACE;
    assert_false(passes(call));
    call.send = (const void *)FORTRAN_IN_PLACE;
    assert_false(passes(call));
}

/* Returns how many places the handles have. */
static int places_of(const uint64_t *handles, uint32_t count)
{
    static bool taken[1 << ST_LOG2_QUICK];
    uint64_t multiplier = st_quick_spread(handles, count);
    int places = 0;
    memset(taken, 0, sizeof taken);
    for (uint32_t i = 0; i < count; i++) {
        bool *place = &taken[st_quick_place_by(handles[i], multiplier)];
        places += !*place;
        *place = true;
    }
    return places;
}

/* Handles as MPICH has them: small numbers; and as Open MPI has them: addresses of objects. */
static void places(void **state)
{
    (void)state;
    static uint64_t handles[3000];
    enum { TYPES = 90 };
    for (int i = 0; i < TYPES; i++) {
        handles[i] = 0x4c000100 + (uint64_t)(i * i);
    }
    assert_int_equal(places_of(handles, TYPES), TYPES);
    for (uint64_t base = 0x7f0000001000; base < 0x7f0000001000 + (200 << 12); base += 1 << 12) {
        for (int i = 0; i < TYPES; i++) {
            handles[i] = base + (uint64_t)i * 0x200;
        }
        assert_int_equal(places_of(handles, TYPES), TYPES);
    }
    for (int i = 0; i < 3000; i++) {
        handles[i] = (uint64_t)i * i * i;
    }
    assert_in_range(places_of(handles, 3000), 500, 1 << ST_LOG2_QUICK);
    assert_int_equal(places_of(handles, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correct_calls), cmocka_unit_test(buffers),
        cmocka_unit_test(counts),        cmocka_unit_test(operations_and_types),
        cmocka_unit_test(communicators), cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
