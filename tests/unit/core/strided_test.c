/* Layouts (layout.h): their normal forms, and that they are the bytes of the type map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "bytes.h"
#include "draw.h"
#include "scene.h"
#include "core/overlap/strided.h"

/* --- normal forms --------------------------------------------------------------------------------
 */

/* One strided block: low, length, and (count, stride) from inside out, ended by a count of 0. */
static void is_strided(const struct st_layout *layout, int64_t low, uint64_t length,
                       const uint64_t *levels)
{
    uint32_t count = 0;
    uint64_t parts = 1;
    for (; levels[2 * count]; count++) {
        parts *= levels[2 * count];
    }
    assert_int_equal(layout->doubt, ST_DOUBT_NONE);
    assert_null(layout->list);
    assert_int_equal(layout->low, low);
    assert_int_equal(layout->length, length);
    assert_int_equal(layout->level_count, count);
    for (uint32_t k = 0; k < count; k++) {
        assert_int_equal(layout->levels[k].count, levels[2 * k]);
        assert_int_equal(layout->levels[k].stride, levels[2 * k + 1]);
    }
    assert_int_equal(layout->parts, parts);
}

#define LEVELS(...) ((const uint64_t[]){__VA_ARGS__, 0})
#define SOLID ((const uint64_t[]){0})

static void regular_types(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *real = hand_basic(pool, 8), *number = hand_basic(pool, 4);
    const struct st_type *vector = hand_vector(pool, ST_VECTOR, 10, 2, 5, real);
    is_strided(scene_layout(scene, real), 0, 8, SOLID);
    is_strided(scene_layout(scene, hand_contiguous(pool, 1000, real)), 0, 8000, SOLID);
    is_strided(scene_layout(scene, vector), 0, 16, LEVELS(10, 40));
    is_strided(scene_layout(scene, hand_dup(pool, hand_resized(pool, -3, 7, vector))), 0, 16,
               LEVELS(10, 40));
    is_strided(scene_layout(scene, hand_vector(pool, ST_VECTOR, 10, 5, 5, real)), 0, 400, SOLID);
    /* backwards */
    is_strided(scene_layout(scene, hand_vector(pool, ST_HVECTOR, 10, 1, -16, real)), -144, 8,
               LEVELS(10, 16));
    is_strided(scene_layout(scene, hand_contiguous(pool, 3, hand_resized(pool, 0, -8, real))), -16,
               24, SOLID);
    /* three times the same place */
    is_strided(scene_layout(scene, hand_contiguous(pool, 3, hand_resized(pool, 0, 0, real))), 0, 8,
               SOLID);
    /* a comb continued by itself is one comb; with gaps that differ it is not */
    is_strided(scene_layout(scene, hand_vector(pool, ST_HVECTOR, 4, 1, 400, vector)), 0, 16,
               LEVELS(40, 40));
    is_strided(scene_layout(scene, hand_vector(pool, ST_HVECTOR, 4, 1, 408, vector)), 0, 16,
               LEVELS(10, 40, 4, 408));
    /* the gaps filled */
    is_strided(scene_layout(scene, hand_vector(pool, ST_HVECTOR, 3, 1, 8,
                                               hand_vector(pool, ST_VECTOR, 10, 1, 3, real))),
               0, 240, SOLID);
    /* larger strides first */
    is_strided(scene_layout(scene, hand_vector(pool, ST_HVECTOR, 5, 1, 12,
                                               hand_vector(pool, ST_HVECTOR, 6, 1, 100, number))),
               0, 4, LEVELS(5, 12, 6, 100));
}

static void arrays(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *real = hand_basic(pool, 8);
    const int64_t sizes[] = {10, 20, 30}, starts[] = {1, 2, 3}, all[] = {0, 0, 0};
    const int64_t inner[] = {8, 16, 24};
    is_strided(scene_layout(scene, hand_subarray(pool, 3, sizes, sizes, all, false, real)), 0,
               48000, SOLID);
    is_strided(scene_layout(scene, hand_subarray(pool, 3, sizes, inner, starts, false, real)),
               8 * (1 * 600 + 2 * 30 + 3), 8 * 24, LEVELS(16, 240, 8, 4800));
    is_strided(scene_layout(scene, hand_subarray(pool, 3, sizes, inner, starts, true, real)),
               8 * (3 * 200 + 2 * 10 + 1), 8 * 8, LEVELS(16, 80, 24, 1600));
    const int64_t plane[] = {10, 20, 1}, at[] = {0, 0, 4};
    is_strided(scene_layout(scene, hand_subarray(pool, 3, sizes, plane, at, false, real)), 32, 8,
               LEVELS(200, 240));
    /* cyclic(2) over 3 processes of 14: process 1 has 2, 3 and 8, 9; process 0 has 0, 1, 6, 7 and
     * 12, 13 */
    const int64_t *const dims[4] = {(int64_t[]){14}, (int64_t[]){ST_DISTRIBUTE_CYCLIC},
                                    (int64_t[]){2}, (int64_t[]){3}};
    is_strided(scene_layout(scene, hand_darray(pool, 3, 1, 1, dims, false, real)), 16, 16,
               LEVELS(2, 48));
    is_strided(scene_layout(scene, hand_darray(pool, 3, 0, 1, dims, false, real)), 0, 16,
               LEVELS(3, 48));
}

/* Lists that are regular in truth. */
static void what_only_looks_irregular(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    enum { ROWS = 30, COLUMNS = 40, MANY = ROWS * COLUMNS };
    int64_t offsets[MANY], lengths[MANY];
    const struct st_type *real = hand_basic(pool, 8);
    for (int64_t i = 0; i < MANY; i++) { /* from the last to the first */
        int64_t n = MANY - 1 - i;
        offsets[i] = n / COLUMNS * 10000 + n % COLUMNS * 24;
        lengths[i] = 2;
    }
    is_strided(
        scene_layout(scene, hand_indexed(pool, ST_HINDEXED, MANY, offsets, lengths, 0, real)), 0,
        16, LEVELS(COLUMNS, 24, ROWS, 10000));
    const struct st_type *comb = hand_vector(pool, ST_HVECTOR, 100, 1, 16, real);
    for (int64_t i = 0; i < 3; i++) {
        offsets[i] = 1000 + 5000 * i;
    }
    is_strided(
        scene_layout(scene, hand_indexed(pool, ST_HINDEXED_BLOCK, 3, offsets, NULL, 1, comb)), 1000,
        8, LEVELS(100, 16, 3, 5000));
    /* one after the other, in pieces of unlike lengths */
    for (int64_t i = 0, at = 7; i < MANY; i++) {
        lengths[i] = i % 5;
        offsets[i] = at;
        at += lengths[i];
    }
    is_strided(scene_layout(scene, hand_indexed(pool, ST_INDEXED, MANY, offsets, lengths, 0, real)),
               56, 8 * 2 * MANY, SOLID);
    /* the members of a struct of arrays, field by field, are an array of structs */
    const struct st_type *types[] = {
        hand_vector(pool, ST_HVECTOR, 1000, 1, 24, real),
        hand_vector(pool, ST_HVECTOR, 1000, 1, 24, hand_basic(pool, 4)),
        hand_vector(pool, ST_HVECTOR, 1000, 3, 24, hand_basic(pool, 4))};
    is_strided(scene_layout(
                   scene, hand_struct(pool, 3, (int64_t[]){0, 8, 12}, (int64_t[]){1, 1, 1}, types)),
               0, 24000, SOLID);
    is_strided(
        scene_layout(scene, hand_struct(pool, 2, (int64_t[]){0, 8}, (int64_t[]){1, 1}, types)), 0,
        12, LEVELS(1000, 24));
}

static void lists(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *real = hand_basic(pool, 8);
    const struct st_type *runs = hand_indexed(pool, ST_HINDEXED, 4, (int64_t[]){100, 0, 50, 0},
                                              (int64_t[]){1, 2, 2, 1}, 0, real);
    const struct st_layout *layout = scene_layout(scene, runs);
    const struct st_run expected[] = {{0, 16}, {50, 66}, {100, 108}};
    assert_non_null(layout->list->runs);
    assert_int_equal(layout->list->count, 3);
    assert_memory_equal(layout->list->runs, expected, sizeof expected);
    /* levels over it share it */
    const struct st_type *rows = hand_vector(pool, ST_HVECTOR, 50, 1, 1000, runs);
    const struct st_layout *over = scene_layout(scene, rows);
    assert_ptr_equal(over->list, layout->list);
    assert_int_equal(over->level_count, 1);
    assert_int_equal(over->parts, 150);
    /* large members stand for themselves */
    const struct st_type *comb = hand_vector(pool, ST_HVECTOR, 1000, 1, 16, real);
    const struct st_type *types[] = {comb, rows, real, comb};
    const struct st_layout *top =
        scene_layout(scene, hand_struct(pool, 4, (int64_t[]){500000, 0, -64, 100000},
                                        (int64_t[]){2, 1, 3, 1}, types));
    assert_non_null(top->list->items);
    assert_int_equal(top->list->count, 4);
    assert_int_equal(top->low, -64);
    assert_int_equal(top->list->items[0].count, 24);
    assert_null(top->list->items[0].of);
    assert_ptr_equal(top->list->items[1].of, over);
    assert_ptr_equal(top->list->items[2].of, scene_layout(scene, comb));
    assert_ptr_equal(top->list->items[3].of, scene_layout(scene, comb));
    assert_int_equal(top->list->items[3].count, 2);
    assert_int_equal(top->parts, 1 + 150 + 1000 + 2000);
}

static void figure_1(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *types[] = {hand_basic(pool, 0), hand_basic(pool, 4), hand_basic(pool, 1),
                                     hand_basic(pool, 8), hand_basic(pool, 0)};
    const struct st_type *type =
        hand_struct(pool, 5, (int64_t[]){-4, 0, 47, 76, 100}, (int64_t[]){1, 5, 7, 2, 1}, types);
    const struct st_layout *layout = scene_layout(scene, type);
    const struct st_run expected[] = {{0, 20}, {47, 54}, {76, 92}};
    assert_int_equal(layout->low, 0);
    assert_int_equal(layout->span, 92);
    assert_int_equal(layout->list->count, 3);
    assert_memory_equal(layout->list->runs, expected, sizeof expected);
}

/* --- at the edges of 64 bits --------------------------------------------------------------------
 */

static void outside_of_64_bits(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const int64_t most = INT64_MAX;
    const struct st_type *byte = hand_basic(pool, 1), *real = hand_basic(pool, 8);
    const struct st_type *opaque = hand_opaque(pool, 4, 0, 4);
    const struct st_type *wide = hand_resized(pool, 0, most, real);
    const struct st_type *two[] = {byte, byte};
    const struct st_type *far =
        hand_struct(pool, 2, (int64_t[]){-2, most - 1}, (int64_t[]){1, 1}, two);
    const struct st_type *overflow[] = {
        hand_contiguous(pool, most, real),
        hand_contiguous(pool, 3, wide),
        hand_vector(pool, ST_VECTOR, most, 1, most, byte),
        hand_vector(pool, ST_HVECTOR, 3, 1, INT64_MIN, byte),
        hand_vector(pool, ST_VECTOR, 2, 1, 2, wide),
        hand_indexed(pool, ST_INDEXED_BLOCK, 1, (int64_t[]){most}, NULL, 1, real),
        hand_indexed(pool, ST_HINDEXED_BLOCK, 1, (int64_t[]){most - 6}, NULL, 1, real),
        hand_subarray(pool, 2, (int64_t[]){most, most}, (int64_t[]){2, 1}, (int64_t[]){0, 0}, false,
                      byte),
        far,
        hand_dup(pool, far),
    };
    for (size_t i = 0; i < sizeof overflow / sizeof *overflow; i++) {
        assert_int_equal(scene_layout(scene, overflow[i])->doubt, ST_DOUBT_OVERFLOW);
    }
    const struct st_type *unknown[] = {opaque, hand_contiguous(pool, 2, opaque),
                                       hand_struct(pool, 2, (int64_t[]){0, 8}, (int64_t[]){1, 1},
                                                   (const struct st_type *[]){byte, opaque}),
                                       hand_basic(pool, -1)};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_int_equal(scene_layout(scene, unknown[i])->doubt, ST_DOUBT_OPAQUE);
    }
    /* what has no bytes leaves nothing, whatever its numbers say */
    const struct st_type *nothing[] = {
        hand_contiguous(pool, 0, overflow[0]),
        hand_vector(pool, ST_VECTOR, most, 0, most, real),
        hand_vector(pool, ST_VECTOR, 0, most, most, real),
        hand_indexed(pool, ST_INDEXED, 1, (int64_t[]){most}, (int64_t[]){0}, 0, real),
        hand_struct(pool, 1, (int64_t[]){most}, (int64_t[]){most},
                    (const struct st_type *[]){hand_basic(pool, 0)}),
        hand_opaque(pool, 0, 0, 0),
        hand_subarray(pool, 1, (int64_t[]){most}, (int64_t[]){0}, (int64_t[]){5}, false, real),
    };
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        assert_int_equal(scene_layout(scene, nothing[i])->doubt, ST_DOUBT_NONE);
        assert_int_equal(scene_layout(scene, nothing[i])->span, 0);
    }
    /* what just fits */
    is_strided(scene_layout(scene, hand_contiguous(pool, most, byte)), 0, (uint64_t)most, SOLID);
    is_strided(scene_layout(scene, hand_vector(pool, ST_HVECTOR, 2, 1, -most + 1, byte)), -most + 1,
               1, LEVELS(2, (uint64_t)most - 1));
    is_strided(scene_layout(scene, hand_contiguous(pool, 1, wide)), 0, 8, SOLID);
}

/* --- depth and size ------------------------------------------------------------------------------
 */

/* Each of 100,000 types stands on the one before. */
static void deep_types(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *byte = hand_basic(pool, 1), *chain[5];
    for (int i = 0; i < 5; i++) {
        chain[i] = byte;
    }
    for (int64_t i = 0; i < 100000; i++) {
        chain[0] = i % 2 ? hand_dup(pool, chain[0]) : hand_resized(pool, i, 7, chain[0]);
        chain[1] = hand_vector(pool, ST_HVECTOR, 1, 1, i, chain[1]);
        /* a member more, with a gap before it */
        chain[2] = hand_struct(pool, 2, (int64_t[]){0, 3 * i + i % 2}, (int64_t[]){1, 1},
                               (const struct st_type *[]){chain[2], byte});
        /* all once more, a little further on */
        chain[3] = hand_resized(pool, 0, 1,
                                hand_vector(pool, ST_HVECTOR, 2, 1, 1000000 + 3 * i,
                                            hand_resized(pool, 0, 0, chain[3])));
        /* and shifted */
        chain[4] = hand_indexed(pool, ST_HINDEXED_BLOCK, 1, (int64_t[]){1}, NULL, 1, chain[4]);
    }
    is_strided(scene_layout(scene, chain[0]), 0, 1, SOLID);
    is_strided(scene_layout(scene, chain[1]), 0, 1, SOLID);
    is_strided(scene_layout(scene, chain[4]), 100000, 1, SOLID);
    const struct st_layout *layout = scene_layout(scene, chain[2]);
    assert_int_equal(layout->doubt, ST_DOUBT_NONE);
    struct st_buffer all = scene_buffer(scene, chain[2], 1, 0);
    struct st_buffer at = scene_buffer(scene, byte, 1, 3 * 70001 + 1);
    struct st_effort effort = st_effort_of(1 << 22);
    struct st_shared shared;
    uint64_t pieces;
    assert_int_equal(st_overlap(&all, &at, &effort, &shared), ST_YES);
    assert_int_equal(shared.address, 3 * 70001 + 1);
    at.first++;
    assert_int_equal(st_overlap(&all, &at, &effort, &shared), ST_NO);
    assert_true(st_strided_pieces(&all, &effort, &pieces));
    assert_int_equal(pieces, 100000); /* the first two are one byte */
    /* 2^100000 copies: no answer, and no harm */
    assert_true(scene_layout(scene, chain[3])->doubt == ST_DOUBT_STEPS ||
                scene_layout(scene, chain[3])->doubt == ST_DOUBT_OVERFLOW);
}

/* A layout is made once, and shared by what stands on it. */
static void made_once(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    enum { MANY = 100000 };
    int64_t *offsets = malloc(MANY * sizeof *offsets);
    for (int64_t i = 0; i < MANY; i++) {
        offsets[i] = 20 * i + i * i % 7;
    }
    const struct st_type *list =
        hand_indexed(pool, ST_HINDEXED_BLOCK, MANY, offsets, NULL, 1, hand_basic(pool, 8));
    const struct st_layout *layout = scene_layout(scene, list);
    const struct st_type *above = list;
    for (int64_t i = 0; i < 1000; i++) {
        above = i % 3 ? hand_resized(pool, 0, 3000000 + i, above) : hand_contiguous(pool, 1, above);
        assert_ptr_equal(scene_layout(scene, above)->list, layout->list);
    }
    const struct st_type *many = hand_contiguous(pool, 1000, above);
    assert_ptr_equal(scene_layout(scene, many)->list, layout->list);
    /* forgotten, what stands on it stays */
    const struct st_list *kept = layout->list;
    size_t before = scene->layouts.count;
    st_layouts_forget(&scene->layouts, list);
    st_layouts_forget(&scene->layouts, list);
    assert_int_equal(scene->layouts.count, before - 1);
    assert_ptr_equal(scene_layout(scene, many)->list, kept);
    assert_int_equal(scene_layout(scene, many)->list->count, MANY);
    for (size_t i = 0; i < 300; i++) { /* all others are still found */
        st_layouts_forget(&scene->layouts, above);
        above = above->base;
    }
    assert_int_equal(scene->layouts.count, before - 301);
    assert_ptr_equal(scene_layout(scene, above)->list, kept);
    assert_int_equal(scene->layouts.count, before - 301);
    free(offsets);
}

/* --- as sets
 * -------------------------------------------------------------------------------------- */

/* Marks what a strided block stands for. */
static bool mark(void *context, const struct st_strided *block)
{
    struct bytes *bytes = context;
    uint64_t copies = 1;
    for (size_t k = 0; k < block->level_count; k++) {
        copies *= block->levels[k].count;
    }
    for (uint64_t copy = 0; copy < copies; copy++) {
        uint64_t at = block->at, rest = copy;
        for (size_t k = 0; k < block->level_count; k++) {
            at += rest % block->levels[k].count * block->levels[k].stride;
            rest /= block->levels[k].count;
        }
        for (uint64_t b = 0; b < block->length; b++) {
            assert_true(at + b < bytes->size);
            assert_true(bytes->times[at + b]);
            bytes->distinct += bytes->times[at + b] != 255;
            bytes->times[at + b] = 255;
        }
    }
    return true;
}

/* The basic elements that ask for an alignment, by the remainders of their displacements. */
static void collect_residues(const struct st_place *place, uint32_t residues[ST_ALIGNMENTS])
{
    if (place->leaf) {
        const struct st_basic *basic = &place->type->basic;
        int64_t align = basic->class_ == ST_CLASS_PAIR ? 4 : basic->size;
        for (int a = 0; a < ST_ALIGNMENTS && basic->class_ != ST_CLASS_RAW; a++) {
            residues[a] |= align == 2 << a ? UINT32_C(1) << (place->address % 32) : 0;
        }
    }
    for (int64_t i = 0; i < place->count; i++) {
        struct st_place child;
        assert_int_equal(st_place_child(place, i, &child), ST_OK);
        if (child.type->measure.elements) {
            collect_residues(&child, residues);
        }
    }
}

static void random_layouts_are_their_bytes(void **state)
{
    (void)state;
    uint64_t seed = image_seed(21);
    unsigned long kinds[3] = {0};
    for (int i = 0; i < 6000; i++) {
        struct scene scene;
        struct bytes bytes;
        struct st_effort effort = st_effort_of(1 << 20);
        scene_init(&scene);
        const struct st_type *type =
            draw(&scene.pool, &seed, i % 4 ? DRAW_WIDE : DRAW_SMALL, i % 4 + 1);
        int64_t count = i % 3 ? 1 : image_between(&seed, 1, 5);
        struct st_buffer buffer = scene_buffer(&scene, type, count, 0);
        assert_int_equal(buffer.doubt, ST_DOUBT_NONE);
        if (bytes_of_type(&bytes, type, count)) {
            uint64_t pieces, own;
            uint32_t residues[ST_ALIGNMENTS] = {0};
            size_t distinct = bytes.distinct;
            assert_int_equal(buffer.span, bytes.size);
            assert_true(!bytes.size || (int64_t)buffer.first == bytes.low);
            assert_true(st_strided_pieces(&buffer, &effort, &pieces));
            assert_int_equal(pieces, bytes_pieces(&bytes));
            assert_true(st_overlap_bytes(&buffer, &buffer, &effort, &own));
            assert_int_equal(own, distinct);
            assert_false(buffer.disjoint && !bytes.twice && own != distinct);
            bytes.distinct = 0;
            assert_int_equal(st_strided_each(&buffer, &effort, mark, &bytes), ST_OK);
            assert_int_equal(bytes.distinct, distinct);
            struct st_place place = st_place_of(type, 0);
            collect_residues(&place, residues);
            assert_memory_equal(scene_layout(&scene, type)->residues, residues, sizeof residues);
            bytes_deinit(&bytes);
        }
        const struct st_list *list = scene_layout(&scene, type)->list;
        kinds[!list ? 0 : list->runs ? 1 : 2]++;
        scene_deinit(&scene);
    }
    assert_true(kinds[0] > 500 && kinds[1] > 500 && kinds[2] > 200);
}

/* What a list finds is what a look at each member finds. */
static void lists_are_searched_right(void **state)
{
    (void)state;
    uint64_t seed = image_seed(22);
    for (int i = 0; i < 300; i++) {
        enum { MOST = 300 };
        int64_t offsets[MOST], lengths[MOST];
        const struct st_type *types[MOST];
        struct scene scene;
        scene_init(&scene);
        const struct st_type *byte = hand_basic(&scene.pool, 1);
        const struct st_type *comb = hand_vector(&scene.pool, ST_HVECTOR, 20, 1, 5, byte);
        const struct st_type *other = hand_vector(&scene.pool, ST_HVECTOR, 200, 1, 3, byte);
        int64_t count = image_between(&seed, 2, MOST);
        for (int64_t k = 0; k < count; k++) {
            offsets[k] = image_between(&seed, 0, 10000);
            types[k] = k % 7 ? comb : k ? other : byte;
            lengths[k] = 1;
        }
        const struct st_layout *layout =
            scene_layout(&scene, hand_struct(&scene.pool, count, offsets, lengths, types));
        const struct st_list *list = layout->list;
        for (int q = 0; list && q < 300; q++) {
            uint64_t low = (uint64_t)image_between(&seed, 0, (int64_t)list->span + 10);
            size_t from = (size_t)image_between(&seed, 0, (int64_t)list->count), next = from;
            size_t before = 0;
            for (; next < list->count; next++) {
                uint64_t end = list->runs ? list->runs[next].to
                                          : list->items[next].at + st_item_span(&list->items[next]);
                if (end > low) {
                    break;
                }
            }
            while (before < list->count &&
                   (list->runs ? list->runs[before].from : list->items[before].at) < low) {
                before++;
            }
            assert_int_equal(st_list_next(list, from, low), next);
            assert_int_equal(st_list_before(list, low), before);
        }
        scene_deinit(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(regular_types, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(arrays, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(what_only_looks_irregular, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(lists, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(figure_1, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(outside_of_64_bits, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(deep_types, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(made_once, scene_setup, scene_teardown),
        cmocka_unit_test(random_layouts_are_their_bytes),
        cmocka_unit_test(lists_are_searched_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
