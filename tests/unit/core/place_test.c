/* Places (place.h) against an enumeration of the type map by brute force (oracle.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/decode/decode.h"
#include "fixture.h"
#include "oracle.h"
#include "core/model/place.h"

enum { CASES = 3000, MOST_DEPTH = 6 };
#define AT UINT64_C(0x10000) /* where the buffer stands */

/* --- walking ------------------------------------------------------------------------------------
 */

struct walk {
    const struct map *map;
    size_t met;
};

/* A run's children are leaves of that one type, at the stride it tells. */
static void check_run(const struct st_place *place)
{
    const struct st_type *leaf = st_place_run(place);
    int64_t stride = 0;
    bool even = leaf && st_place_stride(place, &stride);
    struct st_place first, child;
    for (int64_t i = 0; leaf && i < place->count; i++) {
        assert_int_equal(st_place_child(place, i, &child), ST_OK);
        first = i ? first : child;
        assert_true(child.leaf);
        assert_ptr_equal(child.type, leaf);
        if (even) {
            assert_int_equal(child.address, first.address + (uint64_t)i * (uint64_t)stride);
        }
    }
}

static void walk_leaves(const struct st_place *place, struct walk *walk)
{
    if (place->leaf) {
        assert_true(walk->met < walk->map->count);
        const struct entry *expected = &walk->map->entries[walk->met++];
        assert_int_equal(place->type->ordinal, expected->leaf);
        assert_int_equal(place->address, AT + (uint64_t)expected->at);
        assert_int_equal(place->count, 0);
        return;
    }
    check_run(place);
    for (int64_t i = 0; i < place->count; i++) {
        struct st_place child;
        assert_int_equal(st_place_child(place, i, &child), ST_OK);
        walk_leaves(&child, walk);
    }
    struct st_place none;
    assert_int_equal(st_place_child(place, -1, &none), ST_OUT_OF_RANGE);
    assert_int_equal(st_place_child(place, place->count, &none), ST_OUT_OF_RANGE);
}

static void leaves_are_the_type_map(void **state)
{
    (void)state;
    uint64_t seed = image_seed(20240501);
    memset(oracle_drawn, 0, sizeof oracle_drawn);
    for (int i = 0; i < CASES; i++) {
        struct fixture f;
        struct map map = {0};
        fixture_init(&f);
        uint32_t top = oracle_random(&f.image, &seed, i % (MOST_DEPTH + 1), &map);
        fixture_open(&f);
        struct st_place place = st_place_of(fixture_type(&f, top), AT);
        struct walk walk = {.map = &map};
        walk_leaves(&place, &walk);
        assert_int_equal(walk.met, map.count);
        map_deinit(&map);
        fixture_deinit(&f);
    }
    for (unsigned combiner = ST_NAMED; combiner <= ST_RESIZED; combiner++) {
        assert_true(oracle_drawn[combiner] > 20);
    }
}

static void repetitions_are_spaced_by_the_extent(void **state)
{
    (void)state;
    uint64_t seed = image_seed(7);
    for (int i = 0; i < 300; i++) {
        struct fixture f;
        struct map one = {0}, map = {0};
        fixture_init(&f);
        uint32_t top = oracle_random(&f.image, &seed, 3, &one);
        uint32_t three = image_contiguous(&f.image, 3, top);
        fixture_open(&f);
        struct st_place repeat = st_place_repeat(fixture_type(&f, top), AT, 3);
        struct st_place same = st_place_of(fixture_type(&f, three), AT);
        for (int64_t r = 0; r < 3; r++) {
            struct st_place a, b;
            assert_int_equal(st_place_child(&repeat, r, &a), ST_OK);
            assert_int_equal(st_place_child(&same, r, &b), ST_OK);
            assert_int_equal(a.address, AT + (uint64_t)(r * (one.ub - one.lb)));
            assert_int_equal(a.address, b.address);
        }
        map_deinit(&one);
        map_deinit(&map);
        fixture_deinit(&f);
    }
}

/* --- darray: the ranks share the array out ------------------------------------------------------
 */

static void mark(const struct st_place *place, unsigned char *seen, size_t count)
{
    if (place->leaf) {
        uint64_t at = place->address / 4;
        assert_true(at < count);
        assert_int_equal(seen[at], 0);
        seen[at] = 1;
        return;
    }
    for (int64_t i = 0; i < place->count; i++) {
        struct st_place child;
        assert_int_equal(st_place_child(place, i, &child), ST_OK);
        mark(&child, seen, count);
    }
}

static void darrays_of_all_ranks_partition_the_array(void **state)
{
    (void)state;
    uint64_t seed = image_seed(99);
    for (int i = 0; i < 300; i++) {
        int64_t gsizes[3], distribs[3], dargs[3], psizes[3], size = 1, all = 1;
        int64_t ndims = image_between(&seed, 1, 3);
        for (int64_t d = 0; d < ndims; d++) {
            gsizes[d] = image_between(&seed, 1, 9);
            distribs[d] = image_between(&seed, 0, 2);
            psizes[d] = distribs[d] == ST_DISTRIBUTE_NONE ? 1 : image_between(&seed, 1, 4);
            int64_t least = (gsizes[d] + psizes[d] - 1) / psizes[d];
            dargs[d] = distribs[d] == ST_DISTRIBUTE_BLOCK ? least : image_between(&seed, 1, 4);
            if (image_random(&seed) % 2) {
                dargs[d] = ST_DARG_DEFAULT;
            }
            size *= psizes[d];
            all *= gsizes[d];
        }
        bool fortran = image_random(&seed) & 1;
        unsigned char seen[9 * 9 * 9] = {0};
        for (int64_t rank = 0; rank < size; rank++) {
            struct fixture f;
            fixture_init(&f);
            uint32_t number = image_named(&f.image, "MPI_INT", 4);
            uint32_t array = image_darray(&f.image, size, rank, ndims, gsizes, distribs, dargs,
                                          psizes, fortran, number);
            fixture_open(&f);
            struct st_place place = st_place_of(fixture_type(&f, array), 0);
            mark(&place, seen, (size_t)all);
            fixture_deinit(&f);
        }
        for (int64_t e = 0; e < all; e++) {
            assert_int_equal(seen[e], 1);
        }
    }
}

/* --- stages, by hand
 * ------------------------------------------------------------------------------ */

static void stages_are_those_of_element_addresses(void **state)
{
    (void)state;
    struct fixture f;
    struct st_place child;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t twice = image_dup(&f.image, image_dup(&f.image, number));
    uint32_t contiguous = image_contiguous(&f.image, 5, twice);
    uint32_t vector = image_vector(&f.image, ST_VECTOR, 3, 2, 4, contiguous);
    uint32_t resized = image_resized(&f.image, -8, 100, vector);
    uint32_t array = image_subarray(&f.image, 3, (int64_t[]){4, 5, 6}, (int64_t[]){2, 3, 4},
                                    (int64_t[]){1, 1, 1}, true, number);
    fixture_open(&f);

    struct st_place place = st_place_of(fixture_type(&f, twice), 8);
    assert_true(place.leaf);
    assert_int_equal(place.type->ordinal, number);

    place = st_place_of(fixture_type(&f, resized), 1000);
    assert_int_equal(place.count, 1);
    assert_int_equal(st_place_child(&place, 0, &place), ST_OK);
    assert_int_equal(place.type->ordinal, vector);
    assert_int_equal(place.address, 1000);
    assert_int_equal(place.count, 3);
    assert_int_equal(st_place_child(&place, 2, &child), ST_OK);
    assert_int_equal(child.kind, ST_STAGE_BLOCK);
    assert_int_equal(child.count, 2);
    assert_int_equal(child.address, 1000 + 2 * 4 * 20);
    assert_null(st_place_run(&child));
    assert_int_equal(st_place_child(&child, 1, &child), ST_OK);
    assert_int_equal(child.type->ordinal, contiguous);
    assert_int_equal(st_place_run(&child)->ordinal, number);

    place =
        st_place_of(fixture_type(&f, array), 0); /* Fortran: the last dimension is the slowest */
    assert_int_equal(place.count, 4);
    assert_null(st_place_run(&place));
    assert_int_equal(st_place_child(&place, 3, &place), ST_OK);
    assert_int_equal(place.kind, ST_STAGE_DIMENSION);
    assert_int_equal(place.count, 3);
    assert_int_equal(place.address, 4 * 4 * 4 * 5);
    assert_int_equal(st_place_child(&place, 0, &place), ST_OK);
    assert_int_equal(place.count, 2);
    assert_int_equal(st_place_run(&place)->ordinal, number);
    fixture_deinit(&f);
}

static void opaque_types_have_no_children(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    uint32_t opaque = image_plain(&f.image, ST_OPAQUE, 8, 0, 8);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t gone = image_indexed(&f.image, ST_INDEXED, 2, (int64_t[]){0, 2}, (int64_t[]){1, 1}, 0,
                                  number, false);
    f.image.nodes[gone].flags |= ST_ELIDED;
    f.image.nodes[gone].block = 0;
    fixture_open(&f);
    uint32_t both[] = {opaque, gone};
    for (size_t i = 0; i < 2; i++) {
        struct st_place child, place = st_place_of(fixture_type(&f, both[i]), 0);
        assert_true(place.opaque);
        assert_false(place.leaf);
        assert_int_equal(st_place_child(&place, 0, &child), ST_OUT_OF_RANGE);
    }
    fixture_deinit(&f);
}

/* --- 64 bits
 * ---------------------------------------------------------------------------------------- */

static void displacements_that_leave_64_bits_are_said(void **state)
{
    (void)state;
    struct fixture f;
    struct st_place child;
    fixture_init(&f);
    uint32_t number = image_named(&f.image, "MPI_INT", 4);
    uint32_t many = image_contiguous(&f.image, INT64_MAX, number);
    uint32_t wide = image_vector(&f.image, ST_VECTOR, 3, 1, INT64_MAX, number);
    uint32_t bytes = image_vector(&f.image, ST_HVECTOR, 4, 1, INT64_MAX, number);
    uint32_t apart =
        image_indexed(&f.image, ST_INDEXED, 2, (int64_t[]){INT64_MIN, 1}, NULL, 1, number, true);
    uint32_t array = image_subarray(&f.image, 2, (int64_t[]){INT64_MAX, INT64_MAX},
                                    (int64_t[]){INT64_MAX, 2}, (int64_t[]){0, 0}, false, number);
    f.image.nodes[apart].combiner = ST_INDEXED_BLOCK;
    fixture_open(&f);

    struct st_place place = st_place_of(fixture_type(&f, many), 16);
    assert_int_equal(st_place_child(&place, INT64_MAX / 4, &child), ST_OK);
    assert_int_equal(st_place_child(&place, INT64_MAX / 4 + 1, &child), ST_OVERFLOW);
    place = st_place_of(fixture_type(&f, wide), 16);
    assert_int_equal(st_place_child(&place, 0, &child), ST_OK);
    assert_int_equal(st_place_child(&place, 1, &child), ST_OVERFLOW);
    place = st_place_of(fixture_type(&f, bytes), 16);
    assert_int_equal(st_place_child(&place, 1, &child), ST_OK);
    assert_int_equal(child.address, 16 + (uint64_t)INT64_MAX);
    assert_int_equal(st_place_child(&place, 2, &child), ST_OVERFLOW);
    place = st_place_of(fixture_type(&f, apart), 16);
    assert_int_equal(st_place_child(&place, 0, &child), ST_OVERFLOW);
    assert_int_equal(st_place_child(&place, 1, &child), ST_OK);
    place = st_place_of(fixture_type(&f, array), 16);
    assert_int_equal(st_place_child(&place, 1, &child), ST_OVERFLOW);

    place = st_place_repeat(fixture_type(&f, many), 16, 3);
    assert_int_equal(st_place_child(&place, 0, &child), ST_OVERFLOW); /* no extent at all */
    place = st_place_repeat(fixture_type(&f, number), 16, -1);
    assert_int_equal(place.count, 0);
    fixture_deinit(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_are_the_type_map),
        cmocka_unit_test(repetitions_are_spaced_by_the_extent),
        cmocka_unit_test(darrays_of_all_ranks_partition_the_array),
        cmocka_unit_test(stages_are_those_of_element_addresses),
        cmocka_unit_test(opaque_types_have_no_children),
        cmocka_unit_test(displacements_that_leave_64_bits_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
