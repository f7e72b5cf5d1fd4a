/* Two combs (euclid.h) and nested strides (digits.h) against trying all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/overlap/digits.h"
#include "core/overlap/euclid.h"
#include "image.h"

enum { CASES = 300000, MOST_DIGITS = 5 };

static bool first_by_trying(uint64_t a, uint64_t b, uint64_t m, uint64_t low, uint64_t high,
                            uint64_t most, uint64_t *x)
{
    for (*x = 0; *x <= most; ++*x) {
        uint64_t rest = (uint64_t)(((st_wide)a * *x + b) % m);
        if (rest >= low && rest <= high) {
            return true;
        }
    }
    return false;
}

static void the_first_hit_is_the_first(void **state)
{
    (void)state;
    uint64_t seed = image_seed(1);
    for (int i = 0; i < CASES; i++) {
        uint64_t m = (uint64_t)image_between(&seed, 1, i % 3 ? 60 : 1000);
        uint64_t a = image_random(&seed) % (3 * m), b = image_random(&seed) % (3 * m);
        uint64_t low = image_random(&seed) % m, high = low + image_random(&seed) % (m - low);
        uint64_t most = (uint64_t)image_between(&seed, 0, 80), x, expected;
        bool is = first_by_trying(a, b, m, low, high, most, &expected);
        assert_int_equal(st_first_hit(a, b, m, low, high, most, &x), is);
        if (is) {
            assert_int_equal(x, expected);
        }
    }
}

/* Nothing is smaller than what is found: by going from one hit to the next, as far as that is
 * feasible, over moduli of all sizes. */
static void the_first_hit_with_large_numbers(void **state)
{
    (void)state;
    uint64_t seed = image_seed(2);
    for (int i = 0; i < CASES / 10; i++) {
        uint64_t m = (image_random(&seed) >> image_between(&seed, 0, 40)) | 3;
        uint64_t a = image_random(&seed) % m, b = image_random(&seed) % m, x, expected;
        uint64_t width = m / (uint64_t)image_between(&seed, 2, 500);
        uint64_t low = image_random(&seed) % (m - width), high = low + width;
        if (!first_by_trying(a, b, m, low, high, 3000, &expected)) {
            assert_false(st_first_hit(a, b, m, low, high, 3000, &x));
            continue;
        }
        assert_true(st_first_hit(a, b, m, low, high, UINT64_MAX, &x));
        assert_int_equal(x, expected);
    }
}

static void no_hit_at_all(void **state)
{
    (void)state;
    uint64_t x;
    assert_false(st_first_hit(8, 1, 24, 4, 7, UINT64_MAX, &x)); /* 1, 9, 17 */
    assert_true(st_first_hit(8, 1, 24, 9, 9, UINT64_MAX, &x));
    assert_int_equal(x, 1);
    assert_false(st_first_hit(0, 5, 24, 6, 23, UINT64_MAX, &x));
    assert_true(st_first_hit(5, 5, 1, 0, 0, 0, &x));
    assert_false(st_first_hit(UINT64_MAX - 1, 0, UINT64_MAX, 2, 2, 3, &x)); /* 0, -1, -2, -3 */
    assert_true(st_first_hit(UINT64_MAX - 1, 0, UINT64_MAX, 2, 2, UINT64_MAX, &x));
    assert_int_equal(x, UINT64_MAX - 2);
}

static bool reachable(const struct st_digit *digits, size_t count, int64_t low, int64_t high)
{
    if (count == 0) {
        return low <= 0 && 0 <= high;
    }
    const struct st_digit *last = &digits[count - 1];
    for (uint64_t z = 0; z < last->count; z++) {
        int64_t part = (int64_t)(z * last->stride);
        if (reachable(digits, count - 1, low - part, high - part)) {
            return true;
        }
    }
    return false;
}

static uint64_t draw_stride(uint64_t *seed, int how)
{
    static const uint64_t round[] = {2, 4, 8, 6, 12, 24, 48, 96, 30, 60};
    return how == 0   ? (uint64_t)image_between(seed, 1, 60)
           : how == 1 ? (uint64_t)image_between(seed, 1, 400)
                      : round[image_random(seed) % 10] * (uint64_t)image_between(seed, 1, 3);
}

static void sums_of_digits_are_found_or_not_there(void **state)
{
    (void)state;
    uint64_t seed = image_seed(3);
    unsigned long found = 0;
    for (int i = 0; i < CASES; i++) {
        struct st_digit digits[MOST_DIGITS];
        struct st_effort effort = st_effort_of(100000);
        size_t count = (size_t)image_between(&seed, 0, MOST_DIGITS);
        int64_t reach = 0, sum = 0;
        for (size_t k = 0; k < count; k++) {
            digits[k] = (struct st_digit){(uint64_t)image_between(&seed, 1, 6),
                                          draw_stride(&seed, i % 3), 99};
            reach += (int64_t)((digits[k].count - 1) * digits[k].stride);
        }
        int64_t low = image_between(&seed, -20, reach + 20);
        int64_t high = low + image_between(&seed, -1, i % 4 ? 3 : 40);
        bool is = reachable(digits, count, low, high);
        enum st_verdict verdict = st_digits_find(digits, count, low, high, &effort);
        assert_int_equal(verdict, is ? ST_YES : ST_NO);
        for (size_t k = 0; is && k < count; k++) {
            assert_true(digits[k].digit < digits[k].count);
            sum += (int64_t)(digits[k].digit * digits[k].stride);
        }
        assert_true(!is || (low <= sum && sum <= high));
        found += is;
    }
    assert_true(found > CASES / 10 && found < CASES);
}

/* Twenty levels: more than fit in the small arrays, and digits to try. */
static void many_levels(void **state)
{
    (void)state;
    struct st_digit digits[20];
    struct st_effort effort = st_effort_of(1 << 22);
    uint64_t sum = 0, again = 0;
    for (size_t k = 0; k < 20; k++) {
        digits[k] = (struct st_digit){2, (UINT64_C(1) << (2 * k + 1)) * 1009 + 7 * k + 1, 0};
        sum += k % 3 ? digits[k].stride : 0;
    }
    assert_int_equal(st_digits_find(digits, 20, sum, sum, &effort), ST_YES);
    for (size_t k = 0; k < 20; k++) {
        again += digits[k].digit * digits[k].stride;
    }
    assert_int_equal(again, sum);
    assert_int_equal(st_digits_find(digits, 20, sum + 1, sum + 1, &effort), ST_NO);
}

static bool yes(void *context)
{
    ++*(int *)context;
    return true;
}

/* Three strides without a common divisor and a billion digits each: no answer within the steps, but
 * never a wrong one. */
static void what_takes_too_long_is_undecided(void **state)
{
    (void)state;
    const struct st_digit hard[] = {{1000000000, 1000000007, 0},
                                    {1000000000, 998244353, 0},
                                    {1000000000, 999999937, 0},
                                    {1000000000, 1000003 * UINT64_C(999983), 0}};
    struct st_digit digits[4];
    struct st_effort effort = st_effort_of(1000);
    for (int i = 0; i < 4; i++) {
        digits[i] = hard[i];
    }
    st_wide low = 1;
    assert_int_equal(st_digits_find(digits, 4, low, low, &effort), ST_NO);
    effort = st_effort_of(1000);
    digits[3].stride *= 1000000;
    low = 999 * (st_wide)digits[3].stride + 12345;
    enum st_verdict verdict = st_digits_find(digits, 4, low, low, &effort);
    assert_true(verdict == ST_UNDECIDED || verdict == ST_YES);
    if (verdict == ST_UNDECIDED) {
        assert_int_equal(effort.doubt, ST_DOUBT_STEPS);
        assert_int_equal(effort.steps, 0);
    }
    int asked = 0;
    effort = st_effort_of(UINT64_MAX);
    effort.interrupted = yes;
    effort.context = &asked;
    while (st_effort_spend(&effort, 1000)) {
    }
    assert_int_equal(asked, 1);
    assert_int_equal(effort.doubt, ST_DOUBT_INTERRUPTED);
    assert_false(st_effort_spend(&effort, 0));
    assert_string_equal(st_doubt_text(ST_DOUBT_INTERRUPTED), "interrupted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_hit_is_the_first),
        cmocka_unit_test(the_first_hit_with_large_numbers),
        cmocka_unit_test(no_hit_at_all),
        cmocka_unit_test(sums_of_digits_are_found_or_not_there),
        cmocka_unit_test(many_levels),
        cmocka_unit_test(what_takes_too_long_is_undecided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
