/* The rule for a frame says what a full unwinding finds, or nothing. */
#include "unit/runtime/unit.h"

#include <alloca.h>
#include <unwind.h>

#include "stack/unwind.h"

#define SEPARATE __attribute__((noinline, noclone, noipa))
#ifdef __clang__
#undef SEPARATE
#define SEPARATE __attribute__((noinline))
#endif

enum { MOST = 64 };
static uintptr_t found[MOST];
static int found_count;
static int fixed, agreeing;

static _Unwind_Reason_Code note(struct _Unwind_Context *context, void *data)
{
    (void)data;
    if (found_count < MOST)
        found[found_count++] = _Unwind_GetIP(context);
    return found_count < MOST ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* From here outwards by rules, as far as they go, beside the whole way by the unwinder. */
SEPARATE static int compare(int depth)
{
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    uintptr_t stack = (uintptr_t)__builtin_dwarf_cfa();
    int at = 0;
    found_count = fixed = agreeing = 0;
    _Unwind_Backtrace(note, NULL);
    while (at < found_count && found[at] != pc)
        at++;
    for (const struct st_frame_rule *rule; at + 1 < found_count; at++) {
        rule = st_frame_rule_of(pc);
        if (!rule)
            break;
        memcpy(&pc, (void *)(stack + (uintptr_t)rule->slot), sizeof pc);
        stack += (uintptr_t)rule->size;
        fixed++;
        agreeing += pc == found[at + 1];
    }
    return depth;
}

SEPARATE static int small(int depth)
{
    return compare(depth) + 1;
}

SEPARATE static int large(int depth)
{
    volatile char room[5000];
    room[depth] = (char)depth;
    return small(depth) + room[depth];
}

SEPARATE static int pushes(int a, int b, int c, int d, int e, int f, int g, int h, int depth)
{
    return large(depth) + a * b + c * d + e * f + g * h;
}

/* Two ends, so that the tables remember and restore a state. */
SEPARATE static int two_ways(int depth)
{
    if (depth == 3)
        return small(depth) * 2;
    return pushes(1, 2, 3, 4, 5, 6, 7, depth, depth) + 1;
}

SEPARATE static int grows(int depth)
{
    volatile char *room = alloca((size_t)depth * 100 + 16);
    room[depth] = 1;
    return small(depth) + room[depth];
}

static void fixed_frames(void **state)
{
    (void)state;
    for (int depth = 1; depth < 6; depth++) {
        for (int again = 0; again < 2; again++) {
            two_ways(depth);
            assert_int_equal(agreeing, fixed);
            assert_true(fixed >= (depth == 3 ? 2 : 4));
        }
    }
}

static void growing_frames(void **state)
{
    (void)state;
    for (int depth = 1; depth < 6; depth++) {
        grows(depth);
        assert_int_equal(agreeing, fixed);
        assert_int_equal(fixed, 1); /* small()'s; for grows() the unwinder is needed */
    }
}

static void no_tables(void **state)
{
    (void)state;
    static char data[16];
    assert_null(st_frame_rule_of((uintptr_t)data + 8));
    assert_null(st_frame_rule_of(1));
}

/* More places than are remembered: no rule, never a wrong one. */
static void many_places(void **state)
{
    (void)state;
    for (uintptr_t pc = (uintptr_t)&compare; pc < (uintptr_t)&compare + 5000; pc++)
        st_frame_rule_of(pc);
    two_ways(1);
    assert_int_equal(agreeing, fixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_frames),
        cmocka_unit_test(growing_frames),
        cmocka_unit_test(no_tables),
        cmocka_unit_test(many_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
