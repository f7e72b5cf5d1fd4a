/* Type maps that go back (ascending.h) and types as pieces of memory (pieces.h), against type maps
 * walked element by element. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/address/pieces.h"
#include "core/address/typemap.h"
#include "bytes.h"
#include "draw.h"
#include "core/layout/ascending.h"
#include "scene.h"

/* --- going back -------------------------------------------------------------------------------- */

static void goes_back_at(const struct st_type *type, int64_t expected)
{
    int64_t element = -1;
    assert_int_equal(st_ascending(type, &element), expected ? ST_NO : ST_YES);
    assert_int_equal(element, expected);
}

static void by_hand(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *real = hand_basic(pool, 8), *byte = hand_basic(pool, 1);
    const struct st_type *three =
        hand_indexed(pool, ST_INDEXED, 3, (int64_t[]){0, 4, 2}, (int64_t[]){2, 1, 1}, 0, real);
    const struct st_type *small = hand_resized(pool, 0, 4, hand_contiguous(pool, 2, real));
    int64_t sizes[] = {100, 200, 300}, subsizes[] = {10, 20, 30}, starts[] = {5, 6, 7};

    goes_back_at(real, 0);
    goes_back_at(three, 3);
    goes_back_at(hand_contiguous(pool, 1000000000, three), 3);
    goes_back_at(small, 0);
    goes_back_at(hand_contiguous(pool, 2, small), 2); /* the last of one, the first of the next */
    goes_back_at(hand_vector(pool, ST_VECTOR, 5, 3, -4, real), 3);
    goes_back_at(hand_vector(pool, ST_VECTOR, 1, 3, -4, real), 0);
    goes_back_at(hand_vector(pool, ST_HVECTOR, 5, 3, 0, real), 3);
    goes_back_at(hand_vector(pool, ST_HVECTOR, 5, 1, 0, real), 0); /* the same is not below */
    goes_back_at(hand_vector(pool, ST_VECTOR, 1 << 30, 1, 2, real), 0);
    goes_back_at(hand_contiguous(pool, 5, hand_resized(pool, 0, -8, real)), 1);
    goes_back_at(hand_struct(pool, 3, (int64_t[]){8, 16, 0}, (int64_t[]){1, 4, 0},
                             (const struct st_type *[]){real, byte, real}),
                 0);
    goes_back_at(hand_struct(pool, 3, (int64_t[]){8, 16, 0}, (int64_t[]){1, 4, 1},
                             (const struct st_type *[]){real, byte, real}),
                 5);
    for (int fortran = 0; fortran < 2; fortran++) {
        goes_back_at(hand_subarray(pool, 3, sizes, subsizes, starts, fortran, real), 0);
    }
    int64_t element;
    assert_int_equal(st_ascending(hand_opaque(pool, 8, 0, 8), &element), ST_UNDECIDED);
    assert_int_equal(st_ascending(hand_vector(pool, ST_HVECTOR, 3, 1, INT64_MAX, real), &element),
                     ST_UNDECIDED);
}

enum { MOST_ELEMENTS = 3000 };

/* Whether all of the type map was walked. */
static bool walk(const struct st_type *type, int64_t *back)
{
    struct st_place root = st_place_of(type, 0);
    struct st_indexes indexes;
    struct st_typemap map;
    int64_t last = 0, i = 0;
    *back = 0;
    st_indexes_init(&indexes);
    st_typemap_init(&map, &indexes, &root);
    enum st_error error = st_typemap_seek(&map, 0);
    for (; !error && i < MOST_ELEMENTS; error = st_typemap_next(&map), i++) {
        int64_t at = map.route.displacement.value;
        if (i && at < last && !*back) {
            *back = i;
        }
        last = at;
    }
    st_typemap_deinit(&map);
    st_indexes_deinit(&indexes);
    return error == ST_OUT_OF_RANGE;
}

static void random_type_maps(void **state)
{
    (void)state;
    uint64_t seed = image_seed(41);
    int up = 0, back = 0;
    for (int i = 0; i < 4000; i++) {
        struct st_pool pool;
        int64_t expected, element;
        st_pool_init(&pool);
        const struct st_type *type = draw(&pool, &seed, i % 2 ? DRAW_SMALL : DRAW_WIDE, i % 4 + 1);
        if (walk(type, &expected) && st_ascending(type, &element) != ST_UNDECIDED) {
            goes_back_at(type, expected);
            *(expected ? &back : &up) += 1;
        }
        st_pool_deinit(&pool);
    }
    assert_true(up > 400 && back > 400);
}

static void hostile_types_end(void **state)
{
    (void)state;
    uint64_t seed = image_seed(42);
    for (int i = 0; i < 2000; i++) {
        struct scene scene;
        struct st_typed_piece list[8];
        struct st_pieces pieces = {.list = list, .most = 8};
        struct st_effort effort = st_effort_of(1000);
        int64_t element;
        scene_init(&scene);
        const struct st_type *type = draw(&scene.pool, &seed, DRAW_HOSTILE, i % 4 + 1);
        st_ascending(type, &element);
        if (st_pieces_of(&pieces, &scene.layouts, type, &effort)) {
            assert_true(pieces.count <= 8 && pieces.left_out >= 0);
        }
        scene_deinit(&scene);
    }
}

/* --- pieces ------------------------------------------------------------------------------------ */

static void has_piece(const struct st_pieces *pieces, size_t i, int64_t from, int64_t length,
                      const struct st_type *leaf)
{
    assert_true(i < pieces->count);
    assert_int_equal(pieces->list[i].from, from);
    assert_int_equal(pieces->list[i].length, length);
    assert_ptr_equal(pieces->list[i].leaf, leaf);
}

static void pieces_by_hand(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *real = hand_basic(pool, 8), *byte = hand_basic(pool, 1);
    const struct st_type *cell = hand_struct(pool, 3, (int64_t[]){16, 0, 40}, (int64_t[]){3, 4, 2},
                                             (const struct st_type *[]){real, byte, byte});
    struct st_typed_piece list[4];
    struct st_pieces pieces = {.list = list, .most = 4};
    struct st_effort effort = st_effort_of(1 << 16);

    assert_true(st_pieces_of(&pieces, &scene->layouts, cell, &effort));
    assert_int_equal(pieces.count, 3);
    has_piece(&pieces, 0, 0, 4, byte);
    has_piece(&pieces, 1, 16, 24, real);
    has_piece(&pieces, 2, 40, 2, byte);
    assert_int_equal(pieces.left_out, 0);

    /* The first ones of many, in order; of a million, and of 2^40 in one block. */
    const struct st_type *comb = hand_vector(pool, ST_VECTOR, 1000000, 2, 5, real);
    assert_true(st_pieces_of(&pieces, &scene->layouts, comb, &effort));
    assert_int_equal(pieces.count, 4);
    has_piece(&pieces, 3, 120, 16, real);
    assert_int_equal(pieces.left_out, 16 * 999996);
    const struct st_type *block =
        hand_contiguous(pool, 1 << 20, hand_contiguous(pool, 1 << 20, real));
    assert_true(st_pieces_of(&pieces, &scene->layouts, block, &effort));
    assert_int_equal(pieces.left_out, 0); /* all are alike and side by side: one piece */
    has_piece(&pieces, 0, 0, INT64_C(8) << 40, real);

    /* Backwards: the first in memory are the last of the type map. */
    const struct st_type *backwards = hand_vector(pool, ST_VECTOR, 100, 1, -2, real);
    assert_true(st_pieces_of(&pieces, &scene->layouts, backwards, &effort));
    assert_int_equal(pieces.count, 4);
    has_piece(&pieces, 0, -16 * 99, 8, real);
    assert_int_equal(pieces.left_out, 8 * 96);
    assert_false(st_pieces_of(&pieces, &scene->layouts, hand_opaque(pool, 8, 0, 8), &effort));
}

static void random_pieces_are_their_bytes(void **state)
{
    (void)state;
    uint64_t seed = image_seed(43);
    int whole = 0, cut = 0;
    for (int i = 0; i < 2000; i++) {
        struct scene scene;
        struct bytes bytes;
        struct st_typed_piece list[16];
        struct st_pieces pieces = {.list = list, .most = 16};
        struct st_effort effort = st_effort_of(1 << 20);
        scene_init(&scene);
        const struct st_type *type =
            draw(&scene.pool, &seed, i % 2 ? DRAW_WIDE : DRAW_SMALL, i % 3 + 1);
        if (bytes_of_type(&bytes, type, 1)) {
            if (st_pieces_of(&pieces, &scene.layouts, type, &effort)) {
                size_t named = 0;
                int64_t last = INT64_MIN;
                for (size_t k = 0; k < pieces.count; k++) {
                    assert_true(last <= list[k].from);
                    last = list[k].from;
                    for (int64_t b = 0; b < list[k].length; b++, named++) {
                        int pair = list[k].leaf && list[k].leaf->basic.class_ == ST_CLASS_PAIR;
                        assert_true(pair || bytes_at(&bytes, list[k].from + b));
                    }
                }
                assert_true(pieces.left_out || named >= bytes.distinct);
                assert_true(pieces.left_out || !pieces.count || list[0].from == bytes.low);
                *(pieces.left_out ? &cut : &whole) += 1;
            }
            bytes_deinit(&bytes);
        }
        scene_deinit(&scene);
    }
    assert_true(whole > 200 && cut > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(by_hand, scene_setup, scene_teardown),
        cmocka_unit_test(random_type_maps),
        cmocka_unit_test(hostile_types_end),
        cmocka_unit_test_setup_teardown(pieces_by_hand, scene_setup, scene_teardown),
        cmocka_unit_test(random_pieces_are_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
