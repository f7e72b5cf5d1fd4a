/* Whether buffers stay in the blocks of memory that they lie in (reach.h), by hand and against a judge
 * that looks at each element. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "expanded.h"
#include "grow.h"
#include "core/overlap/reach.h"
#include "scene.h"

enum { MOST_AREAS = 12 };

/* Blocks of memory, none over another. */
struct blocks {
    struct st_area list[MOST_AREAS];
    size_t count;
    int asked;
};

static bool block_at(void *context, uint64_t address, struct st_area *area)
{
    struct blocks *blocks = context;
    blocks->asked++;
    for (size_t i = 0; i < blocks->count; i++)
        if (address >= blocks->list[i].from && address < blocks->list[i].to) {
            *area = blocks->list[i];
            return true;
        }
    return false;
}

static enum st_verdict reaches(const struct st_type *type, uint64_t address, int64_t count,
                               int64_t shift, struct blocks *blocks, uint64_t *element)
{
    struct st_effort effort = st_effort_of(1 << 16);
    struct st_areas areas = {.at = block_at, .context = blocks};
    struct st_reach reach;
    enum st_verdict verdict =
        st_reach_outside(type, address, count, shift, &areas, &effort, &reach);
    *element = verdict == ST_YES ? reach.element : 0;
    if (verdict == ST_YES) {
        struct st_place place = st_place_repeat(type, address, count);
        for (size_t i = 0; i < reach.path.length; i++)
            assert_int_equal(st_place_child(&place, reach.path.index[i], &place), ST_OK);
        assert_true(place.leaf);
        assert_int_equal(place.address + (uint64_t)place.type->measure.true_lb, reach.element);
        st_reach_deinit(&reach);
    }
    return verdict;
}

static void stays(const struct st_type *type, uint64_t address, int64_t count,
                  struct blocks *blocks)
{
    uint64_t element;
    assert_int_equal(reaches(type, address, count, 0, blocks, &element), ST_NO);
}

static void leaves(const struct st_type *type, uint64_t address, int64_t count,
                   struct blocks *blocks, uint64_t expected)
{
    uint64_t element;
    assert_int_equal(reaches(type, address, count, 0, blocks, &element), ST_YES);
    assert_int_equal(element, expected);
}

/* --- by hand ----------------------------------------------------------------------------------- */

static void one_block(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *number = hand_basic(pool, 4), *real = hand_basic(pool, 8);
    struct blocks heap = {.list = {{1000, 1400}}, .count = 1};
    stays(number, 1000, 100, &heap);
    stays(number, 1396, 1, &heap);
    leaves(number, 1000, 101, &heap, 1400);
    leaves(number, 1398, 1, &heap, 1398); /* half of it */
    stays(number, 900, 1000, &heap);      /* begins nowhere */
    stays(number, 1400, 5, &heap);
    const struct st_type *column = hand_vector(pool, ST_VECTOR, 10, 1, 10, number);
    stays(column, 1000, 1, &heap);
    stays(column, 1036, 1, &heap);
    leaves(column, 1040, 1, &heap, 1400);
    leaves(hand_vector(pool, ST_VECTOR, 10, 1, -10, number), 1356, 1, &heap, 996);
    /* 10^15 elements cost nothing. */
    heap.asked = 0;
    leaves(hand_contiguous(pool, INT64_C(1) << 50, number), 1000, 1, &heap, 1400);
    assert_true(heap.asked < 10);
    const struct st_type *cell =
        hand_resized(pool, 0, 16,
                     hand_struct(pool, 2, (int64_t[]){0, 8}, (int64_t[]){1, 1},
                                 (const struct st_type *[]){real, number}));
    stays(cell, 1000, 25, &heap);
    leaves(cell, 1000, 26, &heap, 1400);
    leaves(cell, 1384, 2, &heap, 1400);
    stays(cell, 1388, 1, &heap); /* no padding is needed */
    stays(cell, 1392, 1, &heap); /* the second member begins nowhere */
    leaves(cell, 1393, 1, &heap, 1393);
}

static void placed_blocks(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *number = hand_basic(pool, 4);
    struct blocks heap = {.list = {{1000, 1040}, {1040, 1080}, {2000, 2040}}, .count = 3};
    const int64_t both[] = {1000, 1040}, apart[] = {0, 1000}, ten[] = {10, 10}, more[] = {10, 11};
    stays(hand_indexed(pool, ST_HINDEXED, 2, both, ten, 0, number), 0, 1, &heap);
    stays(hand_indexed(pool, ST_HINDEXED, 2, apart, ten, 0, number), 1000, 1, &heap);
    leaves(hand_indexed(pool, ST_HINDEXED, 2, apart, more, 0, number), 1000, 1, &heap, 2040);
    leaves(hand_contiguous(pool, 20, number), 1000, 1, &heap, 1040);
    /* In elements: nowhere counts with the first one, another block by itself. */
    const int64_t in_elements[] = {0, 10}, nowhere[] = {0, 100}, one[] = {1, 1};
    stays(hand_indexed(pool, ST_INDEXED, 2, in_elements, one, 0, number), 1000, 1, &heap);
    leaves(hand_indexed(pool, ST_INDEXED, 2, nowhere, one, 0, number), 1000, 1, &heap, 1400);
    stays(hand_indexed(pool, ST_HINDEXED, 2, (int64_t[]){0, 400}, one, 0, number), 1000, 1, &heap);
    leaves(hand_indexed(pool, ST_INDEXED_BLOCK, 2, nowhere, NULL, 1, number), 1000, 1, &heap, 1400);
    /* Nothing in a block that has no elements. */
    stays(hand_indexed(pool, ST_INDEXED, 2, nowhere, (int64_t[]){1, 0}, 0, number), 1000, 1, &heap);
}

static void steps_from_block_to_block(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *number = hand_basic(pool, 4);
    struct blocks heap = {.list = {{1000, 1040}, {2000, 2040}, {2044, 2048}}, .count = 3};
    stays(hand_vector(pool, ST_HVECTOR, 2, 10, 1000, number), 1000, 1, &heap);
    leaves(hand_vector(pool, ST_HVECTOR, 2, 10, 900, number), 1000, 1, &heap, 1900);
    leaves(hand_vector(pool, ST_HVECTOR, 2, 11, 1000, number), 1000, 1, &heap, 1040);
    leaves(hand_vector(pool, ST_VECTOR, 2, 10, 250, number), 1000, 1, &heap, 2000);
    const struct st_type *whole = hand_resized(pool, 0, 1000, hand_contiguous(pool, 10, number));
    stays(whole, 1000, 2, &heap);
    /* A short step into the neighbour is none. */
    leaves(hand_vector(pool, ST_HVECTOR, 2, 1, 8, number), 2036, 1, &heap, 2044);
}

/* What nobody can say, or what would take too long, is not said. */
static void undecided(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *number = hand_basic(pool, 4);
    struct blocks heap = {.list = {{1000, 1040}}, .count = 1};
    struct st_areas areas = {.at = block_at, .context = &heap};
    struct st_reach reach;
    stays(hand_opaque(pool, 8, 0, 8), 1000, 100, &heap);
    stays(number, 1000, 0, &heap);
    uint64_t element;
    assert_int_equal(reaches(hand_vector(pool, ST_HVECTOR, 3, 1, INT64_MAX / 2, number), 1000, 1000,
                             0, &heap, &element),
                     ST_UNDECIDED);
    enum { MANY = 5000 };
    int64_t *offsets = calloc(MANY, sizeof *offsets);
    for (int i = 0; i < MANY; i++)
        offsets[i] = 100000 + 8 * i;
    const struct st_type *many =
        hand_indexed(pool, ST_HINDEXED_BLOCK, MANY, offsets, NULL, 1, number);
    free(offsets);
    struct st_effort effort = st_effort_of(100);
    assert_int_equal(st_reach_outside(many, 0, 1, 0, &areas, &effort, &reach), ST_UNDECIDED);
    effort = st_effort_of(10 * MANY);
    assert_int_equal(st_reach_outside(many, 0, 1, 0, &areas, &effort, &reach), ST_NO);
}

static void shifted(void **state)
{
    struct scene *scene = *state;
    const struct st_type *number = hand_basic(&scene->pool, 4);
    struct blocks heap = {.list = {{1000, 1040}, {3000, 3040}}, .count = 2};
    uint64_t element;
    assert_int_equal(reaches(number, 1040, 1, -40, &heap, &element), ST_YES);
    assert_int_equal(element, 1040);
    assert_int_equal(reaches(number, 3000, 1, -2000, &heap, &element), ST_NO);
    assert_int_equal(reaches(number, 1040, 1, 40000, &heap, &element), ST_NO);
}

/* --- against a judge --------------------------------------------------------------------------- */

/* Whether children of the place are given one by one, and whether in elements. */
static bool is_placed(const struct st_place *place, bool *in_elements)
{
    enum st_combiner combiner = place->type->combiner;
    *in_elements = combiner == ST_INDEXED || combiner == ST_INDEXED_BLOCK;
    return place->kind == ST_STAGE_TYPE && (*in_elements || combiner == ST_HINDEXED ||
                                            combiner == ST_HINDEXED_BLOCK || combiner == ST_STRUCT);
}

static int64_t first_with_elements(const struct st_place *place)
{
    int64_t i = 0;
    while (place->type->lengths && !place->type->lengths[i])
        i++;
    return i;
}

/* The element's address where every repetition is the first one; with `home`, where what is indexed
 * is the first one, too. */
static uint64_t first_address(const struct st_place *root, const int64_t *path, size_t depth,
                              bool home, bool *free_steps)
{
    struct st_place place = *root;
    for (size_t i = 0; i < depth; i++) {
        bool in_elements, placed = is_placed(&place, &in_elements);
        int64_t index = !placed ? 0 : in_elements && home ? first_with_elements(&place) : path[i];
        if ((place.kind == ST_STAGE_TYPE && place.type->combiner == ST_HVECTOR) ||
            place.type->combiner == ST_RESIZED ||
            (place.element && place.element->combiner == ST_RESIZED))
            *free_steps = true;
        if (place.kind == ST_STAGE_BLOCK && home && path[i] >= place.count)
            index = 0;
        assert_int_equal(st_place_child(&place, index, &place), ST_OK);
    }
    return place.address;
}

/* Whether the element may not lie where it lies. */
static bool is_outside(const struct expanded *expanded, const struct node *leaf,
                       const struct st_place *root, struct blocks *blocks, bool *free_steps)
{
    const int64_t *path = expanded->steps + leaf->path;
    struct st_area area;
    const struct st_measure *measure = &leaf->place.type->measure;
    uint64_t lb = (uint64_t)measure->true_lb;
    uint64_t first = first_address(root, path, leaf->depth, false, free_steps) + lb;
    uint64_t home = first_address(root, path, leaf->depth, true, free_steps) + lb;
    /* That of the first repetition: as far from home as it is. */
    if (!block_at(blocks, first, &area) && (home == first || !block_at(blocks, home, &area)))
        return false;
    uint64_t from = root->address + (uint64_t)leaf->low, to = root->address + (uint64_t)leaf->high;
    return from < area.from || to > area.to;
}

static void cut_memory(struct blocks *blocks, uint64_t *seed, uint64_t low, uint64_t high)
{
    uint64_t at = low - (uint64_t)image_between(seed, 0, 20);
    *blocks = (struct blocks){0};
    while (at < high + 20 && blocks->count < MOST_AREAS) {
        uint64_t bytes = (uint64_t)image_between(seed, 1, image_between(seed, 0, 1) ? 60 : 400);
        blocks->list[blocks->count++] = (struct st_area){at, at + bytes};
        at += bytes + (uint64_t)(image_between(seed, 0, 1) ? 0 : image_between(seed, 0, 60));
    }
}

static void random_types(void **state)
{
    (void)state;
    struct grower grower = {.seed = 20261122};
    int found = 0, none = 0, free_ones = 0;
    for (int round = 0; round < 6000; round++) {
        struct grown grown = grow_tree(&grower, 4, GROW_CODES);
        int64_t count = image_between(&grower.seed, 1, 4), extent;
        if (!st_extent(grown.type, &extent))
            continue;
        struct st_place root = st_place_repeat(grown.type, UINT64_C(1) << 40, count);
        struct expanded expanded;
        expanded_init(&expanded, &root);
        int64_t low = INT64_MAX, high = INT64_MIN;
        for (size_t i = 0; i < expanded.count; i++)
            if (expanded.nodes[i].place.leaf && expanded.nodes[i].high > expanded.nodes[i].low) {
                low = expanded.nodes[i].low < low ? expanded.nodes[i].low : low;
                high = expanded.nodes[i].high > high ? expanded.nodes[i].high : high;
            }
        for (int cut = 0; low < high && cut < 4; cut++) {
            struct blocks blocks;
            bool free_steps = false, any = false, that_one = false;
            uint64_t element;
            cut_memory(&blocks, &grower.seed, root.address + (uint64_t)low,
                       root.address + (uint64_t)high);
            enum st_verdict verdict =
                reaches(grown.type, root.address, count, 0, &blocks, &element);
            for (size_t i = 0; i < expanded.count; i++) {
                const struct node *leaf = &expanded.nodes[i];
                if (!leaf->place.leaf || leaf->high == leaf->low ||
                    !is_outside(&expanded, leaf, &root, &blocks, &free_steps))
                    continue;
                any = true;
                that_one = that_one || root.address + (uint64_t)leaf->low == element;
            }
            assert_int_not_equal(verdict, ST_UNDECIDED);
            if (verdict == ST_YES)
                assert_true(that_one);
            else if (!free_steps)
                assert_false(any);
            found += verdict == ST_YES;
            none += verdict == ST_NO;
            free_ones += verdict == ST_NO && any;
        }
        expanded_deinit(&expanded);
    }
    assert_true(found > 1000 && none > 1000);
    assert_true(free_ones * 20 < found);
    grower_deinit(&grower);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_block, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(placed_blocks, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(steps_from_block_to_block, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(undecided, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(shifted, scene_setup, scene_teardown),
        cmocka_unit_test(random_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
