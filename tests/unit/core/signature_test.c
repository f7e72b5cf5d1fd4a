/* Signatures as a monoid (signature.h): its laws, and its numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "image.h"
#include "core/signature/signature.h"

static struct st_signature one(const char *name)
{
    return st_signature_one(&(struct st_basic_element){.kind = ST_NAMED, .name = name});
}

static struct st_signature joined(const struct st_signature *a, const struct st_signature *b)
{
    struct st_signature out;
    assert_true(st_signature_append(&out, a, b));
    return out;
}

static struct st_signature repeated(const struct st_signature *a, int64_t times)
{
    struct st_signature out;
    assert_true(st_signature_repeat(&out, a, times));
    return out;
}

static void assert_equal(struct st_signature a, struct st_signature b)
{
    assert_true(st_signature_equal(&a, &b));
    assert_int_equal(a.power.high, b.power.high);
    assert_int_equal(a.power.low, b.power.low);
}

static struct st_signature draw(uint64_t *seed)
{
    static const char *const names[] = {"MPI_INT", "MPI_DOUBLE", "MPI_CHAR"};
    struct st_signature out = st_signature_empty();
    for (int64_t i = image_between(seed, 0, 5); i > 0; i--) {
        struct st_signature more = one(names[image_between(seed, 0, 2)]);
        more = repeated(&more, image_between(seed, 0, 1000000));
        out = joined(&out, &more);
    }
    return out;
}

static void it_is_a_monoid_with_repetition(void **state)
{
    (void)state;
    uint64_t seed = image_seed(161803398);
    struct st_signature none = st_signature_empty();
    for (int i = 0; i < 20000; i++) {
        struct st_signature a = draw(&seed), b = draw(&seed), c = draw(&seed);
        struct st_signature ab = joined(&a, &b), bc = joined(&b, &c);
        assert_equal(joined(&ab, &c), joined(&a, &bc));
        assert_equal(joined(&a, &none), a);
        assert_equal(joined(&none, &a), a);
        int64_t m = image_between(&seed, 0, 1000000), n = image_between(&seed, 0, 100000);
        struct st_signature am = repeated(&a, m), an = repeated(&a, n);
        assert_equal(joined(&am, &an), repeated(&a, m + n));
        assert_equal(repeated(&am, n), repeated(&a, m * n));
        struct st_signature self = a;
        assert_true(st_signature_append(&self, &self, &self));
        assert_equal(self, repeated(&a, 2));
        if (a.length && b.length) {
            struct st_signature ba = joined(&b, &a);
            assert_int_equal(ab.length, ba.length);
        }
    }
    assert_equal(repeated(&none, INT64_MAX), none);
}

static void what_differs_has_another_hash(void **state)
{
    (void)state;
    struct st_signature a = one("MPI_INT"), b = one("MPI_DOUBLE");
    struct st_signature ab = joined(&a, &b), ba = joined(&b, &a);
    assert_false(st_signature_equal(&a, &b));
    assert_false(st_signature_equal(&ab, &ba));
    struct st_signature ints = repeated(&a, 1000000007), more = repeated(&a, 1000000008);
    assert_false(st_signature_equal(&ints, &more));
    struct st_signature f90[3] = {st_signature_one(&(struct st_basic_element){
                                      .kind = ST_F90_REAL, .precision = 15, .range = 307}),
                                  st_signature_one(&(struct st_basic_element){
                                      .kind = ST_F90_REAL, .precision = 307, .range = 15}),
                                  st_signature_one(&(struct st_basic_element){
                                      .kind = ST_F90_COMPLEX, .precision = 15, .range = 307})};
    assert_false(st_signature_equal(&f90[0], &f90[1]));
    assert_false(st_signature_equal(&f90[0], &f90[2]));
}

static void lengths_stay_within_64_bits(void **state)
{
    (void)state;
    struct st_signature a = one("MPI_INT"), out = a;
    struct st_signature most = repeated(&a, INT64_MAX);
    assert_int_equal(most.length, INT64_MAX);
    assert_false(st_signature_append(&out, &most, &a));
    assert_false(st_signature_repeat(&out, &most, 2));
    assert_false(st_signature_repeat(&out, &a, -1));
    assert_equal(out, a); /* untouched */
    assert_equal(repeated(&most, 0), st_signature_empty());
}

/* Two ranks with two builds compare these numbers: they never change. Worked out by Python's
 * integers, modulo 2**127 - 1, from the definitions in signature.h and element.c. */
static void the_numbers_are_these(void **state)
{
    (void)state;
    struct st_signature a = one("MPI_INT"), b = one("MPI_DOUBLE");
    struct st_signature c = st_signature_one(
        &(struct st_basic_element){.kind = ST_F90_REAL, .precision = 15, .range = 307});
    assert_int_equal(a.hash.high, UINT64_C(0x35537E893441E6AD));
    assert_int_equal(a.hash.low, UINT64_C(0x733094FB981AA2C9));
    struct st_signature ints = repeated(&a, 3000000000), ab = joined(&b, &ints);
    assert_int_equal(ab.hash.high, UINT64_C(0x6A976D90003ED066));
    assert_int_equal(ab.hash.low, UINT64_C(0x6BD134199F3D72C9));
    struct st_signature nine = repeated(&c, 9), many = repeated(&b, (INT64_C(1) << 62) + 5);
    struct st_signature cb = joined(&nine, &many);
    assert_int_equal(cb.length, (INT64_C(1) << 62) + 14);
    assert_int_equal(cb.hash.high, UINT64_C(0x4298EF163455C2B3));
    assert_int_equal(cb.hash.low, UINT64_C(0x6EE1972BFEBA5451));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_a_monoid_with_repetition),
        cmocka_unit_test(what_differs_has_another_hash),
        cmocka_unit_test(lengths_stay_within_64_bits),
        cmocka_unit_test(the_numbers_are_these),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
