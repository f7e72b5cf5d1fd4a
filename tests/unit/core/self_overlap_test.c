/* Self-overlap (self_overlap.h) and the elements that it names (elements.h), against brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bytes.h"
#include "draw.h"
#include "core/overlap/elements.h"
#include "scene.h"
#include "core/overlap/self_overlap.h"

#if defined(__SANITIZE_ADDRESS__)
enum { CASES = 15000 };
#else
enum { CASES = 100000 };
#endif

/* The leaf at the end of a path. */
static struct st_place follow(const struct st_type *type, int64_t count, uint64_t address,
                              const struct st_path *path)
{
    struct st_place place = st_place_repeat(type, address, count);
    for (size_t i = 0; i < path->length; i++) {
        assert_int_equal(st_place_child(&place, path->index[i], &place), ST_OK);
    }
    assert_true(place.leaf);
    return place;
}

static bool names(const struct st_place *leaf, int64_t at)
{
    const struct st_basic *basic = &leaf->type->basic;
    int64_t in = at - (int64_t)leaf->address;
    if (basic->class_ != ST_CLASS_PAIR) {
        return in >= 0 && in < basic->size;
    }
    for (int i = 0; i < 2; i++) {
        int64_t from = in - basic->members[i].offset;
        if (from >= 0 && from < basic->members[i].size) {
            return true;
        }
    }
    return false;
}

/* -1: a comes before b in the type map. */
static int order(const struct st_path *a, const struct st_path *b)
{
    for (size_t i = 0; i < a->length && i < b->length; i++) {
        if (a->index[i] != b->index[i]) {
            return a->index[i] < b->index[i] ? -1 : 1;
        }
    }
    return (a->length > b->length) - (a->length < b->length);
}

/* All elements that name a byte: as many as name it by brute force, each another, in order. */
static void check_elements(struct scene *scene, const struct st_type *type, int64_t count,
                           int64_t at, unsigned times)
{
    enum { MOST = 40 };
    struct st_effort effort = st_effort_of(1 << 20);
    struct st_path paths[MOST];
    size_t found;
    enum st_verdict verdict =
        st_elements_at(&scene->layouts, type, count, at, &effort, paths, MOST, &found);
    assert_int_equal(verdict, times ? ST_YES : ST_NO);
    assert_int_equal(found, times < MOST ? times : MOST);
    for (size_t i = 0; i < found; i++) {
        struct st_place leaf = follow(type, count, 0, &paths[i]);
        assert_true(names(&leaf, at));
        assert_true(i == 0 || order(&paths[i - 1], &paths[i]) < 0);
    }
    while (found) {
        st_path_deinit(&paths[--found]);
    }
}

static void random_types_overlap_themselves_as_their_bytes(void **state)
{
    (void)state;
    uint64_t seed = image_seed(31);
    unsigned long answers[2] = {0}, later = 0;
    for (int i = 0; i < CASES; i++) {
        struct scene scene;
        struct bytes bytes;
        struct st_self_overlap self;
        struct st_effort effort = st_effort_of(1 << 22);
        scene_init(&scene);
        if (i % 2000 == 0) {
            print_message("# from ST_SEED=%llu\n", (unsigned long long)seed);
        }
        const struct st_type *type =
            draw(&scene.pool, &seed, i % 4 ? DRAW_WIDE : DRAW_SMALL, i % 3 + 1);
        int64_t width = type->measure.true_ub - type->measure.true_lb;
        if (i % 2 && width < 1 << 16) { /* closer together than they are wide */
            type = hand_resized(&scene.pool, 0, image_between(&seed, -width, width), type);
        }
        if (type->measure.elements > 5000) {
            scene_deinit(&scene);
            continue;
        }
        int64_t most = image_random(&seed) % 2 ? INT64_MAX : image_between(&seed, 0, 6);
        int64_t span = type->measure.true_ub - type->measure.true_lb, extent = 0;
        enum st_verdict verdict = st_self_overlap(&scene.layouts, type, most, &effort, &self);
        assert_int_not_equal(verdict, ST_UNDECIDED);
        assert_true(st_extent(type, &extent));
        extent = extent < 0 ? -extent : extent;
        if (verdict == ST_YES) {
            assert_true(self.count >= 1 && self.count <= most);
            if (self.count > 1 && bytes_of_type(&bytes, type, self.count - 1)) {
                assert_false(bytes.twice);
                bytes_deinit(&bytes);
            }
            if (bytes_of_type(&bytes, type, self.count)) {
                assert_true(bytes_at(&bytes, self.at) > 1);
                check_elements(&scene, type, self.count, self.at, bytes_at(&bytes, self.at));
                bytes_deinit(&bytes);
            }
            later += self.count > 2;
        } else {
            /* true extent / |extent|, rounded up, and one more */
            int64_t enough = extent ? span / extent + 2 : 2;
            enough = enough < most ? enough : most;
            if (bytes_of_type(&bytes, type, enough)) {
                assert_false(bytes.twice);
                bytes_deinit(&bytes);
            }
        }
        answers[verdict == ST_YES]++;
        /* asked again, for another count */
        struct st_self_overlap again;
        enum st_verdict one = st_self_overlap(&scene.layouts, type, 1, &effort, &again);
        assert_true(most == 0 || (one == ST_YES) == (verdict == ST_YES && self.count == 1));
        /* elements by any byte */
        int64_t count = image_between(&seed, 1, 3);
        if (i % 4 == 0 && bytes_of_type(&bytes, type, count)) {
            for (int k = 0; k < 10; k++) {
                int64_t at = bytes.low + image_between(&seed, -2, (int64_t)bytes.size + 2);
                unsigned times = bytes_at(&bytes, at);
                if (times < 254) {
                    check_elements(&scene, type, count, at, times);
                }
            }
            bytes_deinit(&bytes);
        }
        scene_deinit(&scene);
    }
    print_message("# %lu don't, %lu do, %lu of them from a count above 2 on\n", answers[0],
                  answers[1], later);
    assert_true(answers[0] > CASES / 8 && answers[1] > CASES / 8 && later > CASES / 200);
}

/* --- alignment
 * ------------------------------------------------------------------------------------ */

static bool misaligned(const struct st_place *leaf)
{
    const struct st_basic *basic = &leaf->type->basic;
    int64_t align = basic->class_ == ST_CLASS_PAIR  ? 4
                    : basic->class_ == ST_CLASS_RAW ? 1
                                                    : basic->size;
    return align > 1 && leaf->address % (uint64_t)align != 0;
}

static void count_misaligned(const struct st_place *place, size_t *count)
{
    *count += place->leaf && misaligned(place);
    for (int64_t i = 0; i < place->count; i++) {
        struct st_place child;
        assert_int_equal(st_place_child(place, i, &child), ST_OK);
        if (child.type->measure.elements) {
            count_misaligned(&child, count);
        }
    }
}

static void misaligned_elements_are_found(void **state)
{
    (void)state;
    enum { MOST = 5 };
    uint64_t seed = image_seed(32);
    unsigned long answers[2] = {0};
    for (int i = 0; i < CASES / 3; i++) {
        struct scene scene;
        struct st_path paths[MOST];
        struct st_effort effort = st_effort_of(1 << 20);
        size_t found, expected = 0;
        scene_init(&scene);
        const struct st_type *type =
            draw(&scene.pool, &seed, i % 2 ? DRAW_WIDE : DRAW_SMALL, i % 3 + 1);
        int64_t count = image_between(&seed, 1, 40);
        uint64_t address = image_random(&seed) & ~UINT64_C(15);
        address += i % 3 ? 0 : image_random(&seed) % 16;
        if (type->measure.elements < 500) {
            struct st_place all = st_place_repeat(type, address, count);
            count_misaligned(&all, &expected);
            enum st_verdict verdict = st_elements_misaligned(&scene.layouts, type, count, address,
                                                             &effort, paths, MOST, &found);
            assert_int_equal(verdict, expected ? ST_YES : ST_NO);
            assert_int_equal(found, expected < MOST ? expected : MOST);
            for (size_t k = 0; k < found; k++) {
                struct st_place leaf = follow(type, count, address, &paths[k]);
                assert_true(misaligned(&leaf));
                assert_true(k == 0 || order(&paths[k - 1], &paths[k]) < 0);
            }
            answers[expected > 0]++;
            while (found) {
                st_path_deinit(&paths[--found]);
            }
        }
        scene_deinit(&scene);
    }
    assert_true(answers[0] > CASES / 50 && answers[1] > CASES / 50);
}

/* --- by hand
 * -------------------------------------------------------------------------------------- */

/* The smallest count that overlaps, with its two elements; 0: none does. */
static int64_t smallest(struct scene *scene, const struct st_type *type)
{
    struct st_effort effort = st_effort_of(1 << 20);
    struct st_self_overlap self;
    enum st_verdict verdict = st_self_overlap(&scene->layouts, type, INT64_MAX, &effort, &self);
    assert_int_not_equal(verdict, ST_UNDECIDED);
    if (verdict == ST_NO) {
        return 0;
    }
    struct st_path paths[2];
    size_t found;
    assert_int_equal(
        st_elements_at(&scene->layouts, type, self.count, self.at, &effort, paths, 2, &found),
        ST_YES);
    assert_int_equal(found, 2);
    st_path_deinit(&paths[0]);
    st_path_deinit(&paths[1]);
    return self.count;
}

/* True extent 92, extent 104 and smaller: the bound is 92 / extent rounded up; the paper's, rounded
 * down, misses the last. */
static void figure_1_closer_and_closer(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *types[] = {hand_basic(pool, 0), hand_basic(pool, 4), hand_basic(pool, 1),
                                     hand_basic(pool, 8), hand_basic(pool, 0)};
    const struct st_type *type =
        hand_struct(pool, 5, (int64_t[]){-4, 0, 47, 76, 100}, (int64_t[]){1, 5, 7, 2, 1}, types);
    assert_int_equal(smallest(scene, type), 0);
    for (int64_t extent = -200; extent <= 200; extent++) {
        const struct st_type *resized = hand_resized(pool, 0, extent, type);
        int64_t expected = 0, step = extent < 0 ? -extent : extent;
        for (int64_t count = 2; !expected && (count - 1) * step < 92; count++) {
            struct bytes bytes;
            assert_true(bytes_of_type(&bytes, resized, count));
            expected = bytes.twice ? count : 0;
            bytes_deinit(&bytes);
        }
        assert_int_equal(smallest(scene, resized), expected);
    }
    /* two copies 91 apart share byte 91, though 92 / 91, rounded down, is one copy */
    assert_int_equal(smallest(scene, hand_resized(pool, 0, 91, type)), 2);
    assert_int_equal(smallest(scene, hand_resized(pool, 0, 0, type)), 2);
}

/* Does not depend on the count, and is found at any distance. */
static void regular_types_at_any_count(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *real = hand_basic(pool, 8);
    const int64_t k = 1 << 20;
    const struct st_type *column = hand_vector(pool, ST_VECTOR, k, 1, k, real);
    assert_int_equal(smallest(scene, column), 0);
    /* columns side by side: k of them fill the matrix, the next is the second row again */
    assert_int_equal(smallest(scene, hand_resized(pool, 0, 8, column)), k + 1);
    assert_int_equal(smallest(scene, hand_resized(pool, 0, -8, column)), k + 1);
    assert_int_equal(smallest(scene, hand_resized(pool, 0, 24, column)),
                     (k + 2) / 3 * 3 % k == 0 ? k / 3 + 1 : k + 1);
    assert_int_equal(smallest(scene, hand_resized(pool, 5, 4, column)), 2);
    assert_int_equal(smallest(scene, hand_contiguous(pool, k, hand_resized(pool, 0, 8, column))),
                     2);
    assert_int_equal(
        smallest(scene, hand_contiguous(pool, k + 1, hand_resized(pool, 0, 8, column))), 1);
    /* a comb of a billion teeth, moved on by strides without a common divisor */
    const struct st_type *comb = hand_vector(pool, ST_HVECTOR, 1000000000, 1, 1000003, real);
    struct st_effort effort = st_effort_of(1 << 20);
    struct st_self_overlap self;
    const struct st_type *moved = hand_resized(pool, 0, 999983, comb);
    assert_int_equal(st_self_overlap(&scene->layouts, moved, INT64_MAX, &effort, &self), ST_YES);
    /* d * 999983 = 7 or nearer, modulo 1000003 */
    int64_t expected = 0;
    for (int64_t d = 1; !expected; d++) {
        int64_t rest = d * 999983 % 1000003;
        expected = rest < 8 || rest > 1000003 - 8 ? d + 1 : 0;
    }
    assert_int_equal(self.count, expected);
    assert_int_equal(st_self_overlap(&scene->layouts, moved, expected - 1, &effort, &self), ST_NO);
    assert_int_equal(st_self_overlap(&scene->layouts, moved, 0, &effort, &self), ST_NO);
    assert_int_equal(st_self_overlap(&scene->layouts, moved, -1, &effort, &self), ST_NO);
}

/* The paper's Algorithm 3 compares each interval with the next only: one that holds all others
 * hides them. */
static void an_interval_within_another(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *byte = hand_basic(pool, 1);
    assert_int_equal(smallest(scene, hand_indexed(pool, ST_HINDEXED, 3, (int64_t[]){0, 10, 50},
                                                  (int64_t[]){100, 5, 5}, 0, byte)),
                     1);
    const struct st_type *comb = hand_vector(pool, ST_HVECTOR, 1000, 1, 1000, byte);
    const struct st_type *other = hand_vector(pool, ST_HVECTOR, 1000, 1, 1010, byte);
    const struct st_type *third = hand_vector(pool, ST_HVECTOR, 3, 300, 2000, byte);
    const struct st_type *types[] = {comb, third, other};
    /* neighbours don't meet, the first and the last do */
    assert_int_equal(
        smallest(scene, hand_struct(pool, 3, (int64_t[]){0, 1, 505}, (int64_t[]){1, 1, 1}, types)),
        0);
    assert_int_equal(
        smallest(scene, hand_struct(pool, 3, (int64_t[]){0, 1, 500}, (int64_t[]){1, 1, 1}, types)),
        1);
}

/* Too many blocks to unfold: what the levels say is exact all the same. */
static void large_irregular_types(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    enum { MANY = 20000 };
    int64_t *offsets = malloc(MANY * sizeof *offsets);
    const struct st_type *real = hand_basic(pool, 8);
    const struct st_type *column = hand_vector(pool, ST_VECTOR, 100000, 1, 3 * MANY, real);
    uint64_t seed = image_seed(33);
    for (int64_t i = 0; i < MANY; i++) {
        offsets[i] = 24 * i + 8 * image_between(&seed, 0, 2);
    }
    const struct st_type *columns =
        hand_indexed(pool, ST_HINDEXED_BLOCK, MANY, offsets, NULL, 1, column);
    assert_int_equal(smallest(scene, columns), 0);
    offsets[MANY / 2] = offsets[7] + 24 * MANY * INT64_C(99999) + 4;
    assert_int_equal(
        smallest(scene, hand_indexed(pool, ST_HINDEXED_BLOCK, MANY, offsets, NULL, 1, column)), 1);
    /* single blocks, repeated closely: by their remainders */
    for (int64_t i = 0; i < MANY; i++) {
        offsets[i] = i * 1600 + i % 199 * 8;
    }
    const struct st_type *list = hand_resized(
        pool, 0, 1600, hand_indexed(pool, ST_HINDEXED_BLOCK, MANY, offsets, NULL, 1, real));
    assert_int_equal(smallest(scene, list), 200); /* the same remainder 199 blocks on */
    free(offsets);
}

static void what_cannot_be_said_is_not_said(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    struct st_effort effort = st_effort_of(1000);
    struct st_self_overlap self;
    struct st_path path;
    size_t found;
    const struct st_type *real = hand_basic(pool, 8);
    const struct st_type *types[] = {hand_contiguous(pool, INT64_MAX, real),
                                     hand_opaque(pool, 8, 0, 8)};
    const enum st_doubt doubts[] = {ST_DOUBT_OVERFLOW, ST_DOUBT_OPAQUE};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(st_self_overlap(&scene->layouts, types[i], 5, &effort, &self),
                         ST_UNDECIDED);
        assert_int_equal(effort.doubt, doubts[i]);
        assert_int_equal(st_elements_at(&scene->layouts, types[i], 1, 0, &effort, &path, 1, &found),
                         ST_UNDECIDED);
        assert_int_equal(found, 0);
    }
    /* any number of elements, though their addresses leave 64 bits */
    assert_int_equal(st_self_overlap(&scene->layouts, real, INT64_MAX, &effort, &self), ST_NO);
    /* a list too long for the steps: not decided, and then decided with more */
    enum { MANY = 4000 };
    int64_t offsets[MANY];
    const struct st_type *types_of[MANY];
    int64_t lengths[MANY];
    for (int64_t i = 0; i < MANY; i++) {
        types_of[i] = hand_vector(pool, ST_HVECTOR, 5000 + i % 3, 1, 100003 + 2 * (i % 7), real);
        offsets[i] = i * 24;
        lengths[i] = 1;
    }
    const struct st_type *combs = hand_struct(pool, MANY, offsets, lengths, types_of);
    effort = st_effort_of(3);
    assert_int_equal(st_self_overlap(&scene->layouts, combs, 1, &effort, &self), ST_UNDECIDED);
    assert_int_equal(effort.doubt, ST_DOUBT_STEPS);
    effort = st_effort_of(ST_EFFORT_STEPS);
    assert_int_equal(st_self_overlap(&scene->layouts, combs, 1, &effort, &self), ST_YES);
    assert_int_equal(self.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_types_overlap_themselves_as_their_bytes),
        cmocka_unit_test(misaligned_elements_are_found),
        cmocka_unit_test_setup_teardown(figure_1_closer_and_closer, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(regular_types_at_any_count, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(an_interval_within_another, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(large_irregular_types, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_said_is_not_said, scene_setup,
                                        scene_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
