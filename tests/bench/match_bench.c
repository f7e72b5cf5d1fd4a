/*
 * What matching two type signatures costs (libshadowtype/core/signature_match.h), without MPI:
 *
 *     make tests && build/tests/bench/match_bench
 *
 * Each figure is the least of many rounds. Exit status 1 if a limit is broken (2 us for equal
 * signatures of 10^9 records, 20 us for a first difference, 1000 times faster than to serialise
 * 10^6 elements), 0 otherwise.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/signature/contiguous.h"
#include "forge.h"
#include "image.h"
#include "core/signature/signature_match.h"
#include "core/signature/signature_text.h"

enum { ROUNDS = 200, PLACES = 200 };

static struct forge forge;
static const struct st_type *number, *real, *letter, *small;
static int broken;

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static const char *within(bool holds)
{
    broken |= !holds;
    return holds ? "" : " BROKEN";
}

static void expect(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "match_bench: wrong verdict: %s\n", what);
        exit(2);
    }
}

static double match_ns(struct st_signatures *signatures, const struct st_type *a, int64_t m,
                       const struct st_type *b, int64_t n, struct st_match *match)
{
    double start = now_ns();
    st_match(signatures, a, m, b, n, match);
    return now_ns() - start;
}

/* --- types
 * ---------------------------------------------------------------------------------------- */

static const struct st_type *struct_of(int64_t count, const struct st_type *const *types)
{
    static const int64_t ones[] = {1, 1, 1, 1, 1};
    return forge_struct(&forge, count, NULL, ones, types);
}

static const struct st_type *record(void)
{
    return struct_of(5, (const struct st_type *[]){number, real, letter, small, real});
}

/* The same, `count` (even) times: two structs in one another, pairs of them. */
static const struct st_type *records_otherwise(int64_t count)
{
    const struct st_type *front = struct_of(2, (const struct st_type *[]){number, real});
    const struct st_type *back = struct_of(3, (const struct st_type *[]){letter, small, real});
    const struct st_type *both = struct_of(2, (const struct st_type *[]){front, back});
    const struct st_type *two = forge_contiguous(&forge, 2, both);
    return forge_vector(&forge, ST_VECTOR, count / 2 / 1000, 1000, 1000, two);
}

/* `count` records, of which number `at` has another third member. */
static const struct st_type *one_changed(int64_t count, int64_t at)
{
    const struct st_type *other =
        struct_of(5, (const struct st_type *[]){number, real, small, small, real});
    const struct st_type *plain = record();
    return struct_of(3,
                     (const struct st_type *[]){forge_contiguous(&forge, at, plain), other,
                                                forge_contiguous(&forge, count - at - 1, plain)});
}

/* --- 10^9 records
 * ------------------------------------------------------------------------------------ */

static void equal_signatures(void)
{
    const int64_t count = 1000000000;
    const struct st_type *plain = record(), *other = records_otherwise(count);
    double first = 1e18, again = 1e18, fresh = 1e18, hash = 1e18;
    struct st_match match;
    for (int i = 0; i < ROUNDS; i++) {
        struct st_signatures *signatures = st_signatures_new();
        struct st_signature signature;
        first = least(first, match_ns(signatures, plain, count, other, 1, &match));
        expect(match.verdict == ST_MATCH_EQUAL && match.agreed == 5 * count, "equal");
        for (int k = 0; k < 10; k++) {
            again = least(again, match_ns(signatures, plain, count, other, 1, &match));
            int64_t times = 1000000 + i * 100 + k; /* a count that has not been met */
            fresh = least(fresh, match_ns(signatures, plain, count * times, other, times, &match));
            expect(match.verdict == ST_MATCH_EQUAL, "equal, more of them");
        }
        double start = now_ns();
        st_signatures_of(signatures, plain, count, &signature);
        hash = least(hash, now_ns() - start);
        st_signatures_free(signatures);
    }
    printf("10^9 records of 5 members, grouped in two ways: equal in %.2f us once the types are "
           "known (limit 2)%s; with a count that has not been met %.2f us; the types not known "
           "%.1f us; the 128-bit hash %.2f us\n",
           again / 1e3, within(again < 2000), fresh / 1e3, first / 1e3, hash / 1e3);
}

static void first_differences(void)
{
    const int64_t count = 1000000000;
    uint64_t seed = 20202020;
    const struct st_type *plain = record();
    double worst = 0, sum = 0, sum_first = 0;
    struct st_signatures *signatures = st_signatures_new();
    for (int i = 0; i < PLACES; i++) {
        int64_t at = image_between(&seed, 0, count - 1);
        const struct st_type *changed = one_changed(count, at);
        struct st_match match;
        sum_first += match_ns(signatures, plain, count, changed, 1, &match);
        double best = 1e18;
        for (int k = 0; k < ROUNDS; k++) {
            best = least(best, match_ns(signatures, plain, count, changed, 1, &match));
            expect(match.verdict == ST_MATCH_DIFFERENT && match.agreed == 5 * at + 2, "different");
        }
        worst = best > worst ? best : worst;
        sum += best;
    }
    st_signatures_free(signatures);
    printf("the first of 5*10^9 elements that differs, at %d random places: %.2f us, the worst "
           "%.2f us (limit 20)%s; the type not known %.1f us\n",
           PLACES, sum / PLACES / 1e3, worst / 1e3, within(worst < 20000),
           sum_first / PLACES / 1e3);
}

/* --- against serialising
 * ------------------------------------------------------------------------------- */

/* The signature element by element, as simply and as quickly as it can be had: a base once, its
 * copies by memcpy. One byte an element. */
static size_t serialise(const struct st_type *type, int64_t times, uint8_t *out)
{
    size_t length = 0;
    if (times <= 0) {
        return 0;
    }
    if (type->leaf) {
        memset(out, type->name[4] + 7 * type->name[5], (size_t)times);
        return (size_t)times;
    }
    if (type->types) {
        for (int64_t i = 0; i < type->entries; i++) {
            length += serialise(type->types[i], type->lengths[i], out + length);
        }
    } else {
        int64_t copies =
            type->combiner == ST_VECTOR ? type->args[0] * type->args[1] : type->args[0];
        length = serialise(type->base, copies, out);
    }
    for (int64_t i = 1; i < times; i++) {
        memcpy(out + (size_t)i * length, out, length);
    }
    return length * (size_t)times;
}

static void against_serialising(void)
{
    const int64_t count = 200000; /* 10^6 elements */
    const struct st_type *plain = record(), *other = records_otherwise(count);
    uint8_t *a = malloc(8000000), *b = malloc(8000000);
    struct st_signatures *signatures = st_signatures_new();
    double serial = 1e18, ours = 1e18, first = 1e18;
    struct st_match match;
    for (int i = 0; a && b && i < 20; i++) {
        double start = now_ns();
        size_t m = serialise(plain, count, a), n = serialise(other, 1, b);
        bool equal = m == n && memcmp(a, b, m) == 0;
        serial = least(serial, now_ns() - start);
        expect(equal && m == 1000000, "serialised");
        struct st_signatures *fresh = st_signatures_new();
        first = least(first, match_ns(fresh, plain, count, other, 1, &match));
        st_signatures_free(fresh);
        for (int k = 0; k < 100; k++) {
            ours = least(ours, match_ns(signatures, plain, count, other, 1, &match));
        }
        expect(match.verdict == ST_MATCH_EQUAL && match.agreed == 1000000, "10^6 elements");
    }
    printf("10^6 elements: serialised and compared in %.0f us, matched in %.3f us: %.0f x faster "
           "(at least 1000 wanted)%s; the types not known %.1f us, %.0f x\n",
           serial / 1e3, ours / 1e3, serial / ours, within(serial / ours >= 1000), first / 1e3,
           serial / first);
    st_signatures_free(signatures);
    free(a);
    free(b);
}

/* --- large and irregular
 * --------------------------------------------------------------------------------- */

static void irregular_structs(void)
{
    enum { MEMBERS = 1000000 };
    const struct st_type *kinds[] = {number, real, letter, small, record()};
    const struct st_type **types = malloc(MEMBERS * sizeof(*types));
    int64_t *lengths = malloc(MEMBERS * sizeof(*lengths));
    uint64_t seed = 30303030;
    double first = 1e18, again = 1e18, text_time = 1e18;
    struct st_match match = {.agreed = 0};
    size_t bytes = 0;
    for (int i = 0; types && lengths && i < MEMBERS; i++) {
        types[i] = kinds[image_between(&seed, 0, 4)];
        lengths[i] = image_between(&seed, 1, 3);
    }
    const struct st_type *whole = forge_struct(&forge, MEMBERS, NULL, lengths, types);
    for (int i = 0; i < 5; i++) {
        struct st_signatures *signatures = st_signatures_new();
        struct st_signature_text text;
        first = least(first, match_ns(signatures, whole, 1, whole, 1, &match));
        /* equal up to the last of many members */
        double time = match_ns(signatures, whole, 1000, whole, 1001, &match);
        for (int k = 0; k < ROUNDS; k++) {
            time = least(time, match_ns(signatures, whole, 1000, whole, 1001, &match));
        }
        again = least(again, time);
        expect(match.verdict == ST_MATCH_PREFIX && match.longer == 1, "prefix");
        double start = now_ns();
        st_signature_text(signatures, whole, 1000, ST_TEXT_ITEMS, &text);
        text_time = least(text_time, now_ns() - start);
        free(text.text);
        bytes = st_signatures_bytes(signatures);
        st_signatures_free(signatures);
    }
    printf(
        "a struct of 10^6 irregular members: known after %.0f ms, %.1f MB; then a prefix of 1000 "
        "of them in %.2f us, its text in %.0f us\n",
        first / 1e6, (double)bytes / 1e6, again / 1e3, text_time / 1e3);
    free(types);
    free(lengths);
}

static void large_counts(void)
{
    const struct st_type *chunks[] = {
        forge_vector(&forge, ST_VECTOR, 465, INT32_MAX, INT32_MAX, small),
        forge_contiguous(&forge, 1420104145, small)};
    int64_t offsets[] = {0, INT64_C(465) * INT32_MAX * 4};
    const struct st_type *large = forge_struct(&forge, 2, offsets, (int64_t[]){1, 1}, chunks);
    struct st_contiguous c;
    double best = 1e18;
    for (int i = 0; i < ROUNDS; i++) {
        double start = now_ns();
        st_contiguous(large, &c);
        best = least(best, now_ns() - start);
    }
    expect(c.count == INT64_C(1000000000000) && c.bigmpi, "BigMPI");
    printf("10^12 x MPI_FLOAT, built as BigMPI does: seen in %.2f us\n", best / 1e3);
}

int main(void)
{
    number = forge_named(&forge, "MPI_INT", 4);
    real = forge_named(&forge, "MPI_DOUBLE", 8);
    letter = forge_named(&forge, "MPI_CHAR", 1);
    small = forge_named(&forge, "MPI_FLOAT", 4);
    equal_signatures();
    first_differences();
    against_serialising();
    irregular_structs();
    large_counts();
    forge_deinit(&forge);
    return broken;
}
