/* Combs (comb.h) against an enumeration of the type map by brute force (oracle.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/compare/comb.h"
#include "fixture.h"
#include "oracle.h"

enum { CASES = 3000, MOST_DEPTH = 6 };

struct point {
    uint32_t leaf;
    int64_t at;
};

struct points {
    struct point *points;
    size_t count, capacity;
};

static void add_point(struct points *points, uint32_t leaf, int64_t at)
{
    if (points->count == points->capacity) {
        points->capacity = points->capacity ? points->capacity * 2 : 64;
        points->points = realloc(points->points, points->capacity * sizeof(*points->points));
        assert_non_null(points->points);
    }
    points->points[points->count++] = (struct point){leaf, at};
}

/* Every element of a comb, level by level as an odometer. */
static void unroll(const struct st_comb *comb, struct points *points)
{
    int64_t index[ST_NEST_LEVELS] = {0};
    for (;;) {
        int64_t at = comb->at.start;
        for (uint32_t i = 0; i < comb->at.levels; i++) {
            at += index[i] * comb->at.level[i].stride;
        }
        add_point(points, comb->leaf->ordinal, at);
        uint32_t level = comb->at.levels;
        while (level > 0 && ++index[level - 1] == comb->at.level[level - 1].count) {
            index[--level] = 0;
        }
        if (level == 0) {
            return;
        }
    }
}

static int by_place(const void *a, const void *b)
{
    const struct point *one = a, *two = b;
    if (one->at != two->at) {
        return one->at < two->at ? -1 : 1;
    }
    return (one->leaf > two->leaf) - (one->leaf < two->leaf);
}

static void check(const struct st_type *type, int64_t count, const struct map *map)
{
    struct points got = {0}, expected = {0};
    struct st_combs combs;
    struct st_comb comb;
    bool more;
    assert_int_equal(st_combs_init(&combs, type, count), ST_OK);
    while (st_combs_next(&combs, UINT64_MAX, &comb, &more) == ST_OK && more) {
        for (uint32_t i = 0; i < comb.at.levels; i++) {
            assert_true(comb.at.level[i].count > 1);
        }
        unroll(&comb, &got);
    }
    assert_false(more);
    st_combs_deinit(&combs);
    for (int64_t r = 0; r < count; r++) {
        for (size_t i = 0; i < map->count; i++) {
            add_point(&expected, map->entries[i].leaf,
                      map->entries[i].at + r * (map->ub - map->lb));
        }
    }
    assert_int_equal(got.count, expected.count);
    if (got.count) {
        qsort(got.points, got.count, sizeof(struct point), by_place);
        qsort(expected.points, expected.count, sizeof(struct point), by_place);
        for (size_t i = 0; i < got.count; i++) {
            assert_int_equal(got.points[i].at, expected.points[i].at);
            assert_int_equal(got.points[i].leaf, expected.points[i].leaf);
        }
    }
    free(got.points);
    free(expected.points);
}

static void combs_are_the_type_map(void **state)
{
    (void)state;
    uint64_t seed = image_seed(20240607);
    memset(oracle_drawn, 0, sizeof oracle_drawn);
    for (int i = 0; i < CASES; i++) {
        struct fixture f;
        struct map map = {0};
        fixture_init(&f);
        uint32_t top = oracle_random(&f.image, &seed, i % (MOST_DEPTH + 1), &map);
        fixture_open(&f);
        check(fixture_type(&f, top), 1, &map);
        check(fixture_type(&f, top), 3, &map);
        check(fixture_type(&f, top), 0, &map);
        map_deinit(&map);
        fixture_deinit(&f);
    }
    for (unsigned combiner = ST_NAMED; combiner <= ST_RESIZED; combiner++) {
        assert_true(oracle_drawn[combiner] > 20);
    }
}

static void regular_types_are_one_comb(void **state)
{
    (void)state;
    struct fixture f;
    struct st_combs combs;
    struct st_comb comb;
    bool more;
    const int64_t million = 1000000;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_DOUBLE", 8);
    uint32_t vector = image_vector(&f.image, ST_VECTOR, million, 3, 10, number);
    uint32_t planes = image_vector(&f.image, ST_HVECTOR, million, 1, -(million * 100), vector);
    uint32_t array = image_darray(&f.image, 2, 1, 1, (int64_t[]){3 * million + 5},
                                  (int64_t[]){ST_DISTRIBUTE_CYCLIC}, (int64_t[]){10},
                                  (int64_t[]){2}, false, number);
    fixture_open(&f);

    assert_int_equal(st_combs_init(&combs, fixture_type(&f, planes), 1), ST_OK);
    assert_int_equal(st_combs_next(&combs, UINT64_MAX, &comb, &more), ST_OK);
    assert_true(more);
    assert_int_equal(comb.at.levels, 3);
    assert_int_equal(comb.at.level[0].count, million);
    assert_int_equal(comb.at.level[0].stride, -(million * 100));
    assert_int_equal(comb.at.level[1].stride, 80);
    assert_int_equal(comb.at.level[2].count, 3);
    assert_int_equal(st_combs_next(&combs, UINT64_MAX, &comb, &more), ST_OK);
    assert_false(more);
    st_combs_deinit(&combs);

    /* Rank 1 of 2: blocks of ten, every other one, and no short one. */
    assert_int_equal(st_combs_init(&combs, fixture_type(&f, array), 1), ST_OK);
    assert_int_equal(st_combs_next(&combs, UINT64_MAX, &comb, &more), ST_OK);
    assert_true(more);
    assert_int_equal(comb.at.start, 80);
    assert_int_equal(comb.at.levels, 2);
    assert_int_equal(comb.at.level[0].count, 3 * million / 20);
    assert_int_equal(comb.at.level[0].stride, 160);
    assert_int_equal(comb.at.level[1].count, 10);
    assert_int_equal(st_combs_next(&combs, UINT64_MAX, &comb, &more), ST_OK);
    assert_false(more);
    st_combs_deinit(&combs);
    fixture_deinit(&f);
}

static void deep_types_run_out_of_levels_not_of_elements(void **state)
{
    (void)state;
    struct fixture f;
    struct points points = {0};
    struct st_combs combs;
    struct st_comb comb;
    bool more;
    fixture_init(&f);
    uint32_t type = image_named(&f.image, "MPI_CHAR", 1);
    for (int i = 0; i < ST_COMB_LEVELS + 3; i++) {
        type = image_contiguous(&f.image, 2, type);
    }
    fixture_open(&f);
    size_t count = 0;
    assert_int_equal(st_combs_init(&combs, fixture_type(&f, type), 1), ST_OK);
    while (st_combs_next(&combs, UINT64_MAX, &comb, &more) == ST_OK && more) {
        count++;
        unroll(&comb, &points);
    }
    assert_int_equal(count, 8);
    assert_int_equal(points.count, 1 << (ST_COMB_LEVELS + 3));
    qsort(points.points, points.count, sizeof(struct point), by_place);
    for (size_t i = 0; i < points.count; i++) {
        assert_int_equal(points.points[i].at, i);
    }
    free(points.points);
    st_combs_deinit(&combs);
    fixture_deinit(&f);
}

static void the_walk_stops_when_it_is_told(void **state)
{
    (void)state;
    struct fixture f;
    struct st_combs combs;
    struct st_comb comb;
    bool more;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t marker = image_named(&f.image, "MPI_LB", 0);
    int64_t offsets[100], lengths[100];
    uint32_t types[100];
    for (int i = 0; i < 100; i++) {
        offsets[i] = 4 * i;
        lengths[i] = i == 99;
        types[i] = i == 98 ? marker : number;
    }
    lengths[98] = 1;
    uint32_t top = image_struct(&f.image, 100, offsets, lengths, types, 0, 400, false);
    fixture_open(&f);
    assert_int_equal(st_combs_init(&combs, fixture_type(&f, top), 1), ST_OK);
    assert_int_equal(st_combs_next(&combs, 50, &comb, &more), ST_OK);
    assert_true(more);
    assert_null(comb.leaf);
    assert_true(combs.steps == 50);
    assert_int_equal(st_combs_next(&combs, UINT64_MAX, &comb, &more), ST_OK);
    assert_true(more); /* the marker is passed over */
    assert_int_equal(comb.at.start, 396);
    assert_int_equal(st_combs_next(&combs, UINT64_MAX, &comb, &more), ST_OK);
    assert_false(more);
    st_combs_deinit(&combs);
    fixture_deinit(&f);
}

static void displacements_that_leave_64_bits_are_said(void **state)
{
    (void)state;
    struct fixture f;
    struct st_combs combs;
    struct st_comb comb;
    bool more;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t wide = image_vector(&f.image, ST_VECTOR, 3, 1, INT64_MAX / 5, number);
    uint32_t opaque = image_plain(&f.image, ST_OPAQUE, 8, 0, 8);
    fixture_open(&f);
    assert_int_equal(st_combs_init(&combs, fixture_type(&f, wide), 1), ST_OK);
    assert_int_equal(st_combs_next(&combs, UINT64_MAX, &comb, &more), ST_OVERFLOW);
    st_combs_deinit(&combs);
    assert_int_equal(st_combs_init(&combs, fixture_type(&f, opaque), 1), ST_OK);
    assert_int_equal(st_combs_next(&combs, UINT64_MAX, &comb, &more), ST_OK);
    assert_false(comb.leaf->leaf);
    st_combs_deinit(&combs);
    fixture_deinit(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combs_are_the_type_map),
        cmocka_unit_test(regular_types_are_one_comb),
        cmocka_unit_test(deep_types_run_out_of_levels_not_of_elements),
        cmocka_unit_test(the_walk_stops_when_it_is_told),
        cmocka_unit_test(displacements_that_leave_64_bits_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
