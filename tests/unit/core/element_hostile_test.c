/* Elements of types that no sane program makes: a hundred thousand deep, a million wide, larger
 * than 64 bits, not known inside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/address/address.h"
#include "fixture.h"
#include "core/address/locate.h"
#include "core/address/typemap.h"

enum { DEEP = 100000 };

struct walker {
    struct fixture f;
    struct st_indexes indexes;
    struct st_route route;
    int64_t rest;
};

static void walker_open(struct walker *w)
{
    struct st_place nothing = {0};
    fixture_open(&w->f);
    st_indexes_init(&w->indexes);
    st_route_init(&w->route, &nothing);
}

static void walker_close(struct walker *w)
{
    st_route_deinit(&w->route);
    st_indexes_deinit(&w->indexes);
    fixture_deinit(&w->f);
}

static const struct st_type *start(struct walker *w, uint32_t ordinal)
{
    const struct st_type *type = fixture_type(&w->f, ordinal);
    struct st_place root = st_place_of(type, 0);
    st_route_restart(&w->route, &root);
    return type;
}

static enum st_error at(struct walker *w, enum st_unit unit, int64_t number)
{
    return st_route_at(&w->route, &w->indexes, unit, number, &w->rest);
}

static struct st_amount number(struct walker *w, enum st_unit unit)
{
    return st_route_number(&w->route, &w->indexes, unit);
}

static void is_at(struct walker *w, const char *address, int64_t displacement)
{
    char text[200];
    st_address_format(&w->route, ST_ADDRESS_SHORT, text, sizeof text);
    assert_string_equal(text, address);
    assert_int_equal(w->route.displacement.value, displacement);
    assert_int_equal(w->route.displacement.laps, 0);
}

static enum st_error go(struct walker *w, size_t depth, ...)
{
    enum st_error error = ST_OK;
    va_list indices;
    va_start(indices, depth);
    for (size_t i = 0; i < depth && !error; i++) {
        error = st_route_down(&w->route, va_arg(indices, int64_t));
    }
    va_end(indices);
    return error;
}

/* --- depth --------------------------------------------------------------------------------------
 */

/* Two ints at the bottom, a hundred thousand constructors of every kind above, twice at the top. */
static uint32_t make_deep(struct image *image)
{
    uint32_t of = image_contiguous(image, 2, image_named(image, "MPI_INT", 4));
    for (int i = 1; i < DEEP - 1; i++) {
        switch (i % 7) {
        case 0:
            of = image_contiguous(image, 1, of);
            break;
        case 1:
            of = image_vector(image, ST_VECTOR, 1, 1, 9, of);
            break;
        case 2:
            of = image_resized(image, 0, 8, of);
            break;
        case 3:
            of = image_indexed(image, ST_HINDEXED, 2, (int64_t[]){4, 0}, (int64_t[]){0, 1}, 0, of,
                               false);
            break;
        case 4:
            of = image_struct(image, 1, (int64_t[]){0}, (int64_t[]){1}, &of, 0, 8, false);
            break;
        case 5:
            of = image_dup(image, of);
            break;
        default:
            of = image_subarray(image, 2, (int64_t[]){1, 1}, (int64_t[]){1, 1}, (int64_t[]){0, 0},
                                false, of);
            break;
        }
    }
    return image_contiguous(image, 3, of);
}

static void deep_trees_are_walked_without_recursion(void **state)
{
    (void)state;
    struct walker w;
    fixture_init(&w.f);
    uint32_t top = make_deep(&w.f.image);
    walker_open(&w);
    const struct st_type *type = start(&w, top);
    assert_int_equal(type->measure.elements, 6);

    assert_int_equal(at(&w, ST_SENT_ELEMENTS, 3), ST_OK);
    assert_int_equal(w.route.displacement.value, 12);
    assert_true(w.route.depth > DEEP);
    assert_int_equal(number(&w, ST_SENT_ELEMENTS).value, 3);
    assert_int_equal(number(&w, ST_SENT_BYTES).value, 12);
    assert_int_equal(at(&w, ST_SENT_BYTES, 21), ST_OK);
    assert_int_equal(w.route.displacement.value, 20);
    assert_int_equal(w.rest, 1);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, 6), ST_OUT_OF_RANGE);

    assert_int_equal(at(&w, ST_SENT_ELEMENTS, 4), ST_OK);
    for (int form = ST_ADDRESS_SHORT; form <= ST_ADDRESS_LONG; form++) {
        size_t length = st_address_format(&w.route, (enum st_address_form)form, NULL, 0);
        char *text = malloc(length + 1);
        struct st_route again = {0};
        st_address_format(&w.route, (enum st_address_form)form, text, length + 1);
        assert_int_equal(strlen(text), length);
        assert_int_equal(st_address_resolve(&again, type, 0, ST_ANY_COUNT, text, length, NULL),
                         ST_ADDRESS_OK);
        assert_int_equal(again.depth, w.route.depth);
        assert_int_equal(again.displacement.value, 16);
        st_route_deinit(&again);
        free(text);
    }

    struct st_typemap map;
    struct st_place root = st_place_of(type, 0);
    st_typemap_init(&map, &w.indexes, &root);
    enum st_error error = st_typemap_seek(&map, 0);
    for (int64_t i = 0; i < 6; i++) {
        assert_int_equal(error, ST_OK);
        assert_int_equal(map.route.displacement.value, 4 * i);
        error = st_typemap_next(&map);
    }
    assert_int_equal(error, ST_OUT_OF_RANGE);
    st_typemap_deinit(&map);

    struct st_locate locate;
    st_locate_init(&locate, &w.indexes, &root, 13);
    assert_int_equal(st_locate_next(&locate), ST_LOCATED);
    assert_int_equal(locate.route.displacement.value, 12);
    assert_int_equal(locate.within, 1);
    assert_int_equal(st_locate_next(&locate), ST_LOCATE_END);
    st_locate_deinit(&locate);
    walker_close(&w);
}

/* --- width --------------------------------------------------------------------------------------
 */

static void wide_types_are_searched_not_counted_through(void **state)
{
    (void)state;
    enum { BLOCKS = 1000000 };
    struct walker w;
    int64_t *offsets = calloc(BLOCKS, sizeof(*offsets)),
            *lengths = calloc(BLOCKS, sizeof(*lengths));
    uint32_t *types = calloc(BLOCKS, sizeof(*types));
    fixture_init(&w.f);
    struct image *image = &w.f.image;
    uint32_t two[] = {image_named(image, "MPI_INT", 4), image_named(image, "MPI_LB", 0)};
    int64_t elements = 0, *before = calloc(BLOCKS + 1, sizeof(*before));
    for (int64_t i = 0; i < BLOCKS; i++) {
        types[i] = two[i % 5 == 3];
        lengths[i] = i % 1000 < 900 ? 0 : i % 4; /* long stretches of nothing */
        offsets[i] = 16 * (BLOCKS - i);
        before[i] = elements;
        elements += i % 5 == 3 ? 0 : lengths[i];
    }
    before[BLOCKS] = elements;
    uint32_t record = image_struct(image, BLOCKS, offsets, lengths, types, 0, 16 * BLOCKS, true);
    uint32_t twice = image_contiguous(image, 1000000000, record);
    walker_open(&w);
    assert_int_equal(start(&w, twice)->measure.elements, elements * 1000000000);
    uint64_t seed = image_seed(17);
    for (int k = 0; k < 20000; k++) {
        int64_t wanted = image_between(&seed, 0, elements * 1000000000 - 1);
        assert_int_equal(at(&w, ST_SENT_ELEMENTS, wanted), ST_OK);
        int64_t block = w.route.steps[1].index, in_record = wanted % elements;
        assert_int_equal(w.route.steps[0].index, wanted / elements);
        assert_true(before[block] <= in_record && in_record < before[block + 1]);
        assert_int_equal(w.route.steps[2].index, in_record - before[block]);
        assert_int_equal(number(&w, ST_SENT_ELEMENTS).value, wanted);
        assert_int_equal(number(&w, ST_SENT_BYTES).value, 4 * wanted);
        if (wanted + 1 < elements * 1000000000) {
            assert_int_equal(st_route_next(&w.route, &w.indexes), ST_OK);
            assert_int_equal(number(&w, ST_SENT_ELEMENTS).value, wanted + 1);
        }
    }
    walker_close(&w);
    free(offsets);
    free(lengths);
    free(types);
    free(before);
}

/* --- 64 bits ------------------------------------------------------------------------------------
 */

static void numbers_past_64_bits_are_said(void **state)
{
    (void)state;
    struct walker w;
    fixture_init(&w.f);
    struct image *image = &w.f.image;
    uint32_t letter = image_named(image, "MPI_CHAR", 1);
    uint32_t most = image_vector(image, ST_HVECTOR, INT64_MAX, 1, 0, letter);
    uint32_t more =
        image_vector(image, ST_HVECTOR, INT64_MAX, INT64_MAX, 0, image_resized(image, 0, 0, most));
    uint32_t list = image_struct(image, 3, (int64_t[]){0, 1, 2}, (int64_t[]){3, 1, 1},
                                 (uint32_t[]){letter, more, letter}, 0, 8, true);
    uint32_t sum = image_indexed(image, ST_INDEXED, 3, (int64_t[]){0, 1, 2},
                                 (int64_t[]){INT64_MAX - 5, 4, INT64_MAX}, 0,
                                 image_resized(image, 0, 0, letter), true);
    walker_open(&w);

    start(&w, most);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, INT64_MAX - 1), ST_OK);
    is_at(&w, "[9223372036854775806][0]", 0);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, INT64_MAX), ST_OUT_OF_RANGE);

    start(&w, more);
    assert_int_equal(st_route_amount(&w.route, ST_SENT_ELEMENTS).error, ST_OVERFLOW);
    assert_int_equal(at(&w, ST_SENT_BYTES, INT64_MAX), ST_OK);
    is_at(&w, "[0][1][0][0][0]", 0);
    assert_int_equal(number(&w, ST_SENT_BYTES).value, INT64_MAX);
    start(&w, more);
    assert_int_equal(go(&w, 5, INT64_C(0), INT64_C(1), INT64_C(0), INT64_C(1), INT64_C(0)), ST_OK);
    assert_int_equal(number(&w, ST_SENT_BYTES).error, ST_OVERFLOW);
    assert_int_equal(number(&w, ST_SENT_ELEMENTS).error, ST_OVERFLOW);
    start(&w, more);
    assert_int_equal(go(&w, 1, INT64_C(1)), ST_OK);
    assert_int_equal(number(&w, ST_SENT_ELEMENTS).error, ST_OVERFLOW);

    start(&w, list);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, 2), ST_OK);
    is_at(&w, "[0][2]", 2);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, INT64_MAX), ST_OK);
    is_at(&w, "[1][0][0][0][0][9223372036854775804][0]", 1);
    start(&w, list);
    assert_int_equal(go(&w, 2, INT64_C(2), INT64_C(0)), ST_OK);
    assert_int_equal(number(&w, ST_SENT_ELEMENTS).error, ST_OVERFLOW);

    start(&w, sum);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, INT64_MAX), ST_OK);
    is_at(&w, "[2][1][0]", 0);
    assert_int_equal(number(&w, ST_SENT_ELEMENTS).value, INT64_MAX);
    assert_int_equal(st_route_next(&w.route, &w.indexes), ST_OK);
    is_at(&w, "[2][2][0]", 0);
    assert_int_equal(number(&w, ST_SENT_ELEMENTS).error, ST_OVERFLOW);
    walker_close(&w);
}

static void displacements_past_64_bits_are_said(void **state)
{
    (void)state;
    struct walker w;
    fixture_init(&w.f);
    struct image *image = &w.f.image;
    uint32_t letter = image_named(image, "MPI_CHAR", 1);
    uint32_t far = image_indexed(image, ST_HINDEXED_BLOCK, 2, (int64_t[]){INT64_MAX, INT64_MIN},
                                 NULL, 1, letter, true);
    image_set_bounds(image, far, 0, 8);
    uint32_t both = image_indexed(image, ST_HINDEXED_BLOCK, 2, (int64_t[]){INT64_MAX, INT64_MIN},
                                  NULL, 1, far, true);
    uint32_t wide =
        image_vector(image, ST_VECTOR, 5, 1, INT64_MAX / 2, image_resized(image, 0, 2, letter));
    uint32_t huge = image_resized(image, 0, INT64_C(1) << 62, far);
    uint32_t fat = image_resized(image, 0, INT64_C(1) << 62,
                                 image_indexed(image, ST_HINDEXED_BLOCK, 1,
                                               (int64_t[]){INT64_MAX - 9}, NULL, 1, letter, true));
    uint32_t tall = image_vector(image, ST_HVECTOR, 1, 2, 0, image_contiguous(image, 1, fat));
    uint32_t taller = image_vector(image, ST_HVECTOR, 1, 3, 0, huge);
    walker_open(&w);
    start(&w, both);
    assert_int_equal(go(&w, 4, INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0)), ST_OK);
    assert_int_equal(w.route.displacement.laps, 1);
    start(&w, both);
    assert_int_equal(go(&w, 4, INT64_C(1), INT64_C(0), INT64_C(1), INT64_C(0)), ST_OK);
    assert_int_equal(w.route.displacement.laps, -1);
    start(&w, both);
    assert_int_equal(go(&w, 4, INT64_C(1), INT64_C(0), INT64_C(0), INT64_C(0)), ST_OK);
    is_at(&w, "[1][0][0][0]", -1);
    start(&w, wide);
    assert_int_equal(go(&w, 1, INT64_C(1)), ST_OK);
    assert_true(st_route_up(&w.route));
    assert_int_equal(go(&w, 1, INT64_C(2)), ST_OVERFLOW);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, 1), ST_OK);
    assert_int_equal(st_route_next(&w.route, &w.indexes), ST_OVERFLOW);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, 2), ST_OVERFLOW);

    /* a block that ends past 64 bits, and one whose children do */
    start(&w, tall);
    assert_int_equal(go(&w, 1, INT64_C(0)), ST_OK);
    struct st_bounds bounds = st_route_bounds(&w.route);
    assert_false(bounds.exact);
    assert_int_equal(bounds.high, INT64_MAX);
    start(&w, taller);
    assert_int_equal(go(&w, 1, INT64_C(0)), ST_OK);
    bounds = st_route_bounds(&w.route);
    assert_false(bounds.exact);
    assert_int_equal(bounds.low, INT64_MIN);
    assert_int_equal(bounds.high, INT64_MAX);
    walker_close(&w);
}

/* --- not known ----------------------------------------------------------------------------------
 */

static void what_is_behind_an_unknown_inside_is_not_known(void **state)
{
    (void)state;
    struct walker w;
    fixture_init(&w.f);
    struct image *image = &w.f.image;
    uint32_t letter = image_named(image, "MPI_CHAR", 1);
    uint32_t opaque = image_plain(image, ST_OPAQUE, 5, 0, 8);
    uint32_t record = image_struct(image, 4, (int64_t[]){0, 8, 32, 40}, (int64_t[]){3, 2, 0, 2},
                                   (uint32_t[]){letter, opaque, opaque, letter}, 0, 48, false);
    uint32_t top = image_contiguous(image, 3, record);
    uint32_t elided = image_node(image, (struct st_node){.combiner = ST_INDEXED,
                                                         .args = {9},
                                                         .lb = 0,
                                                         .extent = 80,
                                                         .base = ST_NO_NODE,
                                                         .flags = ST_ELIDED,
                                                         .created = ST_NO_SITE,
                                                         .committed = ST_NO_SITE,
                                                         .freed = ST_NO_SITE});
    walker_open(&w);
    start(&w, top);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, 2), ST_OK);
    is_at(&w, "[0][0][2]", 2);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, 3), ST_INSIDE_UNKNOWN);
    is_at(&w, "[0][1][0]", 8);
    assert_int_equal(w.rest, 0);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, 100), ST_INSIDE_UNKNOWN);
    is_at(&w, "[0][1][0]", 8);

    /* its bytes are counted, though */
    assert_int_equal(at(&w, ST_SENT_BYTES, 15 + 9), ST_INSIDE_UNKNOWN);
    is_at(&w, "[1][1][1]", 48 + 16);
    assert_int_equal(w.rest, 1);
    assert_int_equal(at(&w, ST_SENT_BYTES, 15 + 13), ST_OK);
    is_at(&w, "[1][3][0]", 48 + 40);
    assert_int_equal(at(&w, ST_SENT_BYTES, 45), ST_OUT_OF_RANGE);
    start(&w, top);
    assert_int_equal(go(&w, 3, INT64_C(1), INT64_C(3), INT64_C(1)), ST_OK);
    assert_int_equal(number(&w, ST_SENT_ELEMENTS).error, ST_INSIDE_UNKNOWN);
    assert_int_equal(number(&w, ST_SENT_BYTES).value, 15 + 14);

    /* the type map goes on after it */
    static const char *const entries[] = {
        "[0][0][0]", "[0][0][1]", "[0][0][2]", "[0][1][0]", "[0][1][1]",
        "[0][3][0]", "[0][3][1]", "[1][0][0]", "[1][0][1]",
    };
    struct st_typemap map;
    struct st_place root = st_place_of(fixture_type(&w.f, top), 0);
    st_typemap_init(&map, &w.indexes, &root);
    assert_int_equal(st_typemap_seek(&map, 0), ST_OK);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        char text[40];
        st_address_format(&map.route, ST_ADDRESS_SHORT, text, sizeof text);
        assert_string_equal(text, entries[i]);
        assert_int_equal(map.route.place.opaque, i == 3 || i == 4);
        assert_int_equal(map.number.error, i > 3 ? ST_INSIDE_UNKNOWN : ST_OK);
        assert_int_equal(map.number.value, i > 3 ? 0 : i);
        assert_int_equal(map.byte.value, i < 3 ? i : i < 5 ? 3 + 5 * (i - 3) : i + 8);
        assert_int_equal(st_typemap_next(&map), ST_OK);
    }
    st_typemap_deinit(&map);

    start(&w, opaque);
    assert_int_equal(at(&w, ST_SENT_BYTES, 4), ST_INSIDE_UNKNOWN);
    assert_int_equal(at(&w, ST_SENT_BYTES, 5), ST_OUT_OF_RANGE);
    start(&w, elided);
    assert_int_equal(at(&w, ST_SENT_ELEMENTS, 0), ST_INSIDE_UNKNOWN);
    assert_int_equal(at(&w, ST_SENT_BYTES, 7), ST_INSIDE_UNKNOWN);
    assert_int_equal(st_route_first(&w.route, &w.indexes), ST_OK);
    assert_true(w.route.place.opaque);
    struct st_bounds bounds = st_route_bounds(&w.route);
    assert_false(bounds.exact);
    assert_int_equal(bounds.high, 80);
    walker_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_trees_are_walked_without_recursion),
        cmocka_unit_test(wide_types_are_searched_not_counted_through),
        cmocka_unit_test(numbers_past_64_bits_are_said),
        cmocka_unit_test(displacements_past_64_bits_are_said),
        cmocka_unit_test(what_is_behind_an_unknown_inside_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
