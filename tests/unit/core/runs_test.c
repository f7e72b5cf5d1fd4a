/*
 * The first element in which what two ranks pass differs, from the runs that they have left of their datatypes
 * (core/agree/runs.h): against the elements by brute force (grow.h).
 *
 *     [ST_SEED=N] [ST_CASES=N] runs_test
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/agree/runs.h"
#include "grow.h"
#include "image.h"

#ifdef __SANITIZE_ADDRESS__
enum { CASES = 2000 };
#else
enum { CASES = 20000 };
#endif
enum { MOST = 2000 };

/* What a rank passes: `copies` of a type. */
struct passed {
    uint8_t codes[MOST];
    size_t count, runs;
    struct st_beginning beginning;
    bool is_found;
};

static uint64_t hash_of(unsigned code)
{
    const struct st_basic_element element = {.kind = ST_NAMED, .name = grow_name(code)};
    return st_element_hash(&element);
}

static void list(struct passed *passed, const struct grown *grown, int64_t copies)
{
    passed->count = passed->runs = 0;
    for (int64_t i = 0; i < copies && passed->count + grown->count <= MOST; i++) {
        memcpy(passed->codes + passed->count, grown->codes, grown->count);
        passed->count += grown->count;
    }
    for (size_t i = 0; i < passed->count; i++) {
        passed->runs += i == 0 || passed->codes[i] != passed->codes[i - 1];
    }
}

/* What any number of elements begins with is known if the runs reach so far. */
static void begin(const struct st_runs_room *room, const struct passed *passed,
                  const struct st_signature *type)
{
    struct st_signature expected = st_signature_empty(), begins;
    size_t runs = 0;
    for (size_t i = 0; i <= passed->count; i++) {
        const bool is_known = st_runs_begin(room, type, (int64_t)i, &begins);
        const size_t inside = i % (size_t)type->length;
        runs =
            inside == 0 ? 0 : runs + (inside == 1 || passed->codes[i - 1] != passed->codes[i - 2]);
        assert_true(is_known == (runs <= ST_MOST_RUNS));
        assert_true(!is_known || st_signature_equal(&begins, &expected));
        if (i < passed->count) {
            const struct st_signature next = st_signature_hashed(hash_of(passed->codes[i]));
            assert_true(st_signature_append(&expected, &expected, &next));
        }
    }
}

/* Leaves the type in a room, and finds it there by the hash of all copies alone. */
static void leave_and_find(struct passed *passed, const struct grown *grown)
{
    struct st_runs_room *room = calloc(1, sizeof *room);
    struct st_signatures *signatures = st_signatures_new();
    struct st_signature one, all;
    assert_non_null(room);
    assert_int_equal(st_signatures_of(signatures, grown->type, 1, &one), ST_SIGNATURE_KNOWN);
    st_runs_leave(room, signatures, grown->type, &one);
    st_runs_leave(room, signatures, grown->type, &one);
    assert_int_equal(room->written, grown->count > 0);
    const int64_t copies = grown->count ? (int64_t)(passed->count / grown->count) : 0;
    assert_true(st_signature_repeat(&all, &one, copies));
    const uint64_t hash[] = {all.hash.high, all.hash.low};
    passed->is_found = st_runs_find(room, hash, all.length, &passed->beginning);
    assert_true(passed->is_found == (passed->count > 0));
    if (passed->is_found) {
        begin(room, passed, &one);
    }
    const uint64_t other[] = {hash[0], hash[1] ^ 1};
    struct st_beginning none;
    assert_false(st_runs_find(room, other, all.length, &none));
    st_signatures_free(signatures);
    free(room);
}

static void compare(const struct passed *a, const struct passed *b, uint64_t seed)
{
    struct st_first_difference first;
    size_t same = 0;
    while (same < a->count && same < b->count && a->codes[same] == b->codes[same]) {
        same++;
    }
    const bool differ = same < a->count || same < b->count;
    const bool is_told = st_beginnings_differ(&a->beginning, &b->beginning, &first);
    if (is_told) {
        const uint64_t there = same < a->count ? hash_of(a->codes[same]) : 0;
        const uint64_t other = same < b->count ? hash_of(b->codes[same]) : 0;
        if (!differ || first.index != (int64_t)same || first.element[0] != there ||
            first.element[1] != other) {
            fail_msg("ST_SEED=%llu: element %lld, not %zu", (unsigned long long)seed,
                     (long long)first.index, same);
        }
    } else if (differ && a->runs <= ST_MOST_RUNS && b->runs <= ST_MOST_RUNS) {
        fail_msg("ST_SEED=%llu: element %zu is not told", (unsigned long long)seed, same);
    }
}

/* Half of the pairs are the same elements otherwise grouped; of these, half have one wrong. */
static struct grown draw_other(struct grower *grower, const struct grown *first)
{
    uint8_t codes[MOST];
    if (image_between(&grower->seed, 0, 1) || !first->count) {
        return grow_tree(grower, (int)image_between(&grower->seed, 0, 4), 3);
    }
    memcpy(codes, first->codes, first->count);
    if (image_between(&grower->seed, 0, 1)) {
        codes[image_between(&grower->seed, 0, (int64_t)first->count - 1)] =
            (uint8_t)image_between(&grower->seed, 0, 3);
    }
    return grow_from(grower, codes, first->count, 4);
}

static void random_pairs(void **state)
{
    static struct passed a, b;
    (void)state;
    const char *asked = getenv("ST_CASES");
    uint64_t seed = image_seed(1);
    for (long i = asked ? strtol(asked, NULL, 10) : CASES; i > 0; i--, seed++) {
        struct grower grower = {.seed = seed};
        struct grown first = grow_tree(&grower, (int)image_between(&grower.seed, 0, 4), 3);
        struct grown second = {0};
        if (first.count <= MOST) {
            second = draw_other(&grower, &first);
        }
        if (first.count <= MOST && second.count <= MOST) {
            list(&a, &first, image_between(&grower.seed, 1, 4));
            list(&b, &second, image_between(&grower.seed, 1, 4));
            leave_and_find(&a, &first);
            leave_and_find(&b, &second);
            if (a.is_found && b.is_found) {
                compare(&a, &b, seed);
            }
        }
        grower_deinit(&grower);
    }
}

static void equal_elements_need_no_room(void **state)
{
    (void)state;
    struct st_first_difference first;
    struct st_beginning ints = st_beginning_uniform(5, INT64_MAX), more = ints, few = ints;
    assert_false(st_beginnings_differ(&ints, &more, &first));
    few.length = 7;
    more = st_beginning_uniform(6, 3);
    assert_true(st_beginnings_differ(&few, &more, &first));
    assert_int_equal(first.index, 0);
    more = st_beginning_uniform(5, 3);
    assert_true(st_beginnings_differ(&few, &more, &first));
    assert_int_equal(first.index, 3);
    assert_int_equal(first.element[1], 0);
    struct st_beginning late = {
        .length = 1000001, .count = 2, .is_whole = true, .runs = {{5, 1000000}, {6, 1}}};
    assert_true(st_beginnings_differ(&ints, &late, &first));
    assert_int_equal(first.index, 1000000);
}

/* Another rank's memory may have anything. */
static void damage_is_not_believed(void **state)
{
    (void)state;
    struct st_runs_room *room = calloc(1, sizeof *room);
    const struct st_basic_element element = {.kind = ST_NAMED, .name = "MPI_INT"};
    struct st_type_runs *type = &room->types[3];
    struct st_beginning found;
    type->one = st_signature_one(&element);
    const uint64_t hash[] = {type->one.hash.high, type->one.hash.low};
    assert_false(st_runs_find(room, hash, 1, &found));
    type->serial = 1;
    assert_false(st_runs_find(room, hash, 1, &found));
    type->count = ST_MOST_RUNS + 1;
    assert_false(st_runs_find(room, hash, 1, &found));
    type->count = 1;
    type->runs[0] = (struct st_element_run){7, 0};
    assert_false(st_runs_find(room, hash, 1, &found));
    type->runs[0].count = 1;
    assert_true(st_runs_find(room, hash, 1, &found));
    type->one.length = 0;
    assert_false(st_runs_find(room, hash, 1, &found));
    free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pairs),
        cmocka_unit_test(equal_elements_need_no_room),
        cmocka_unit_test(damage_is_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
