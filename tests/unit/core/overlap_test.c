/*
 * Overlap (overlap.h) against bytes by brute force (bytes.h), for random types of every pair of
 * combiners, counts and distances; and what does not change it, at sizes that nobody enumerates.
 *
 *     [ST_SEED=N] [ST_CASES=N] overlap_test        cases of the random test; default see below
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "bytes.h"
#include "draw.h"
#include "fixture.h"
#include "core/overlap/overlap.h"
#include "scene.h"

#if defined(__SANITIZE_ADDRESS__)
enum { CASES = 25000, ORACLE_CASES = 25000 };
#else
enum { CASES = 200000, ORACLE_CASES = 400000 };
#endif

enum { TYPES = 18, PAIRS = 150 };

static long wanted(long otherwise)
{
    const char *cases = getenv("ST_CASES");
    return cases ? strtol(cases, NULL, 10) : otherwise;
}

/* Types, their bytes at some count, their layouts. */
struct group {
    struct st_layouts layouts;
    const struct st_type *types[TYPES];
    const struct st_layout *of[TYPES];
    struct map maps[TYPES]; /* where they come from the oracle */
    struct st_pool pool;
    struct fixture fixture;
    bool of_oracle;
};

static void lay_out(struct group *group)
{
    struct st_effort effort = st_effort_of(1);
    st_layouts_init(&group->layouts);
    for (int i = 0; i < TYPES; i++) {
        assert_int_equal(st_layout_of(&group->layouts, group->types[i], &effort, &group->of[i]),
                         ST_OK);
    }
}

static void draw_group(struct group *group, uint64_t *seed)
{
    group->of_oracle = false;
    st_pool_init(&group->pool);
    for (int i = 0; i < TYPES; i++) {
        enum draw_kind kind = image_random(seed) % 4 ? DRAW_WIDE : DRAW_SMALL;
        int depth = (int)image_between(seed, 1, 3);
        group->types[i] = i > ST_RESIZED
                              ? draw(&group->pool, seed, kind, depth)
                              : draw_combiner(&group->pool, seed, kind, depth,
                                              (enum st_combiner)(i < ST_NAMED ? ST_NAMED : i));
    }
    lay_out(group);
}

static void oracle_group(struct group *group, uint64_t *seed)
{
    uint32_t ordinals[TYPES];
    group->of_oracle = true;
    fixture_init(&group->fixture);
    for (int i = 0; i < TYPES; i++) {
        group->maps[i] = (struct map){0};
        ordinals[i] = oracle_random(&group->fixture.image, seed, (int)image_between(seed, 1, 4),
                                    &group->maps[i]);
    }
    fixture_open(&group->fixture);
    for (int i = 0; i < TYPES; i++) {
        group->types[i] = fixture_type(&group->fixture, ordinals[i]);
    }
    lay_out(group);
}

static void end_group(struct group *group)
{
    st_layouts_deinit(&group->layouts);
    if (!group->of_oracle) {
        st_pool_deinit(&group->pool);
        return;
    }
    for (int i = 0; i < TYPES; i++) {
        map_deinit(&group->maps[i]);
    }
    fixture_deinit(&group->fixture);
}

static bool enumerate(struct bytes *bytes, const struct group *group, int i, int64_t count)
{
    return group->of_oracle ? bytes_of_map(bytes, &group->maps[i], count)
                            : bytes_of_type(bytes, group->types[i], count);
}

/* How often each pair of combiners overlapped, and did not. */
static unsigned long met[ST_COMBINER_END][ST_COMBINER_END][2];

/* A buffer may begin anywhere, below address 0 too, and b anywhere near a. */
static void check_pair(const struct group *group, int i, int j, uint64_t *seed)
{
    struct bytes a, b;
    int64_t counts[2] = {image_between(seed, 0, 4), image_between(seed, 0, 4)};
    if (!enumerate(&a, group, i, counts[0])) {
        return;
    }
    if (!enumerate(&b, group, j, counts[1])) {
        bytes_deinit(&a);
        return;
    }
    int64_t shift =
        a.low - (b.low + (int64_t)b.size) + image_between(seed, -2, (int64_t)(a.size + b.size) + 2);
    uint64_t base = image_random(seed) % 3 ? 0x10000 : 0 - image_random(seed) % 200, bytes;
    struct st_effort effort = st_effort_of(1 << 22), little = st_effort_of(image_random(seed) % 60);
    struct st_buffer x, y;
    struct st_shared shared, other;
    st_buffer_init(&x, group->of[i], group->types[i], counts[0], base);
    st_buffer_init(&y, group->of[j], group->types[j], counts[1], base + (uint64_t)shift);
    size_t is = bytes_shared(&a, &b, shift);
    enum st_verdict verdict = st_overlap(&x, &y, &effort, &shared);
    assert_int_equal(verdict, is ? ST_YES : ST_NO);
    assert_int_equal(st_overlap(&y, &x, &effort, &other), verdict);
    for (uint64_t k = 0; verdict == ST_YES && k < shared.length; k++) {
        int64_t at = (int64_t)(shared.address + k - base);
        assert_true(bytes_at(&a, at) && bytes_at(&b, at - shift));
    }
    assert_true(verdict == ST_NO || (shared.length > 0 && other.length > 0));
    assert_true(st_overlap_bytes(&x, &y, &effort, &bytes));
    assert_int_equal(bytes, is);
    /* with too little effort: no answer, but no other one */
    enum st_verdict soon = st_overlap(&x, &y, &little, NULL);
    assert_true(soon == verdict || (soon == ST_UNDECIDED && little.doubt == ST_DOUBT_STEPS));
    met[group->types[i]->combiner][group->types[j]->combiner][verdict == ST_YES]++;
    bytes_deinit(&a);
    bytes_deinit(&b);
}

static void check_groups(void (*make)(struct group *group, uint64_t *seed), uint64_t seed,
                         long cases)
{
    for (long done = 0; done < cases; done += PAIRS) {
        struct group group;
        if (done % (PAIRS * 400) == 0) {
            print_message("# from ST_SEED=%llu ST_CASES=%d\n", (unsigned long long)seed,
                          PAIRS * 400);
        }
        make(&group, &seed);
        for (int k = 0; k < PAIRS; k++) {
            check_pair(&group, (int)image_between(&seed, 0, TYPES - 1),
                       (int)image_between(&seed, 0, TYPES - 1), &seed);
        }
        end_group(&group);
    }
}

static void random_types_overlap_as_their_bytes(void **state)
{
    (void)state;
    check_groups(oracle_group, image_seed(11), wanted(ORACLE_CASES));
}

static void wide_types_overlap_as_their_bytes(void **state)
{
    (void)state;
    check_groups(draw_group, image_seed(12), wanted(CASES));
    for (int i = ST_NAMED; i <= ST_RESIZED; i++) {
        for (int j = ST_NAMED; j <= ST_RESIZED; j++) {
            if (!met[i][j][0] || !met[i][j][1]) {
                fail_msg("no case of %s with %s", st_combiner_name((unsigned)i),
                         st_combiner_name((unsigned)j));
            }
        }
    }
}

/* --- by hand -------------------------------------------------------------------------------------
 */

/* The bytes shared; -1: none. The verdict is the same both ways. */
static int64_t shared_bytes(const struct st_buffer *a, const struct st_buffer *b)
{
    struct st_effort effort = st_effort_of(ST_EFFORT_STEPS);
    struct st_shared shared;
    uint64_t bytes;
    enum st_verdict verdict = st_overlap(a, b, &effort, &shared);
    assert_int_not_equal(verdict, ST_UNDECIDED);
    assert_int_equal(st_overlap(b, a, &effort, NULL), verdict);
    assert_true(st_overlap_bytes(a, b, &effort, &bytes));
    assert_int_equal(bytes > 0, verdict == ST_YES);
    return verdict == ST_YES ? (int64_t)bytes : -1;
}

/* {(0, 20), (47, 54), (76, 92)}: the paper's VII.A.5 prints the last two ends one short. */
static void figure_1(void **state)
{
    struct scene *scene = *state;
    const struct st_type *types[] = {hand_basic(&scene->pool, 0), hand_basic(&scene->pool, 4),
                                     hand_basic(&scene->pool, 1), hand_basic(&scene->pool, 8),
                                     hand_basic(&scene->pool, 0)};
    const struct st_type *type = hand_struct(&scene->pool, 5, (int64_t[]){-4, 0, 47, 76, 100},
                                             (int64_t[]){1, 5, 7, 2, 1}, types);
    struct st_buffer whole = scene_buffer(scene, type, 1, 1000);
    const bool taken[] = {true, true, false, false, true, true, false, false, true, true, false};
    const uint64_t at[] = {0, 19, 20, 46, 47, 53, 54, 75, 76, 91, 92};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        struct st_buffer byte = scene_buffer(scene, hand_basic(&scene->pool, 1), 1, 1000 + at[i]);
        assert_int_equal(shared_bytes(&whole, &byte), taken[i] ? 1 : -1);
    }
    assert_int_equal(whole.first, 1000);
    assert_int_equal(whole.span, 92);
}

/* The paper's Procedure 6 begins with `s.end <= b.begin and s.begin >= b.end`, which never holds,
 * so that a block before the comb "overlaps"; and a block in a gap does not reach the next tooth.
 */
static void a_block_and_a_comb(void **state)
{
    struct scene *scene = *state;
    const struct st_type *byte = hand_basic(&scene->pool, 1);
    struct st_buffer comb =
        scene_buffer(scene, hand_vector(&scene->pool, ST_HVECTOR, 10, 4, 16, byte), 1, 1000);
    const struct {
        uint64_t at;
        int64_t length, shared;
    } blocks[] = {{990, 10, -1}, {990, 11, 1},  {996, 8, 4},    {1004, 12, -1},  {1004, 13, 1},
                  {1003, 13, 1}, {1003, 14, 2}, {1147, 100, 1}, {1148, 100, -1}, {0, 5000, 40}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const struct st_type *type = hand_contiguous(&scene->pool, blocks[i].length, byte);
        struct st_buffer block = scene_buffer(scene, type, 1, blocks[i].at);
        assert_int_equal(shared_bytes(&comb, &block), blocks[i].shared);
    }
}

/* MPI_SHORT_INT has a hole that another may use. */
static void the_gap_of_a_pair(void **state)
{
    struct scene *scene = *state;
    struct st_buffer pairs = scene_buffer(scene, hand_pair(&scene->pool), 1000, 64);
    struct st_buffer gaps = scene_buffer(
        scene, hand_vector(&scene->pool, ST_HVECTOR, 1000, 1, 8, hand_basic(&scene->pool, 2)), 1,
        66);
    assert_int_equal(shared_bytes(&pairs, &gaps), -1);
    gaps.first++;
    assert_int_equal(shared_bytes(&pairs, &gaps), 1000);
}

/* Absolute displacements from MPI_BOTTOM, in the upper half of the address space too; a buffer that
 * goes round its end. */
static void addresses_are_modulo_2_to_the_64(void **state)
{
    struct scene *scene = *state;
    const struct st_type *number = hand_basic(&scene->pool, 8);
    const uint64_t places[] = {0x7f0000000000, 0xffff800000000000, UINT64_MAX - 3, 0, 8};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int64_t at = (int64_t)places[i];
        struct st_buffer absolute =
            scene_buffer(scene, hand_struct(&scene->pool, 1, &at, (int64_t[]){1}, &number), 1, 0);
        struct st_buffer direct = scene_buffer(scene, number, 1, places[i] + 7);
        assert_int_equal(shared_bytes(&absolute, &direct), 1);
        direct = scene_buffer(scene, number, 1, places[i] + 8);
        assert_int_equal(shared_bytes(&absolute, &direct), -1);
        direct = scene_buffer(scene, number, 1, places[i] - 8);
        assert_int_equal(shared_bytes(&absolute, &direct), -1);
        direct = scene_buffer(scene, number, 3, places[i] - 8);
        assert_int_equal(shared_bytes(&absolute, &direct), 8);
    }
}

/* What leaves 64 bits, and what nobody knows, is neither yes nor no; no bytes are disjoint from
 * anything. */
static void what_cannot_be_said_is_not_said(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *number = hand_basic(pool, 8);
    const struct st_type *far = hand_vector(pool, ST_HVECTOR, INT64_MAX, 1, INT64_MAX, number);
    const struct st_type *opaque = hand_opaque(pool, 8, 0, 8);
    struct st_buffer one = scene_buffer(scene, number, 1, 4096);
    struct st_buffer nothing =
        scene_buffer(scene, hand_contiguous(pool, 0, number), INT64_MAX, 4096);
    struct st_buffer no_count = scene_buffer(scene, far, 0, 4096);
    struct st_effort effort = st_effort_of(1000);
    uint64_t bytes;
    struct {
        struct st_buffer buffer;
        enum st_doubt doubt;
    } unknown[] = {{scene_buffer(scene, far, 1, 4096), ST_DOUBT_OVERFLOW},
                   {scene_buffer(scene, number, INT64_MAX, 4096), ST_DOUBT_OVERFLOW},
                   {scene_buffer(scene, opaque, 1, 4096), ST_DOUBT_OPAQUE},
                   {scene_buffer(scene, hand_contiguous(pool, 3, opaque), 1, 0), ST_DOUBT_OPAQUE}};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_int_equal(st_overlap(&unknown[i].buffer, &one, &effort, NULL), ST_UNDECIDED);
        assert_int_equal(effort.doubt, unknown[i].doubt);
        assert_int_equal(st_overlap(&one, &unknown[i].buffer, &effort, NULL), ST_UNDECIDED);
        assert_false(st_overlap_bytes(&one, &unknown[i].buffer, &effort, &bytes));
        assert_int_equal(st_overlap(&unknown[i].buffer, &nothing, &effort, NULL), ST_NO);
        assert_true(st_overlap_bytes(&unknown[i].buffer, &nothing, &effort, &bytes));
        assert_int_equal(bytes, 0);
    }
    assert_int_equal(st_overlap(&one, &nothing, &effort, NULL), ST_NO);
    assert_int_equal(st_overlap(&one, &no_count, &effort, NULL), ST_NO);
    /* the largest buffers that fit: half of the address space each */
    struct st_buffer half = scene_buffer(scene, number, INT64_MAX / 8, 4096);
    struct st_buffer other = scene_buffer(scene, number, INT64_MAX / 8, 4096 + half.span);
    assert_int_equal(shared_bytes(&half, &half), INT64_MAX / 8 * 8);
    assert_int_equal(shared_bytes(&half, &other), -1);
    other.first--;
    assert_int_equal(shared_bytes(&half, &other), 1);
}

static bool stop(void *context)
{
    (void)context;
    return true;
}

static void the_user_may_interrupt(void **state)
{
    struct scene *scene = *state;
    enum { MANY = 100000 };
    int64_t *offsets = malloc(2 * MANY * sizeof *offsets);
    for (int64_t i = 0; i < 2 * MANY; i++) {
        offsets[i] = 16 * i + (i % 7 == 3);
    }
    const struct st_type *byte = hand_basic(&scene->pool, 1);
    struct st_buffer a = scene_buffer(
        scene, hand_indexed(&scene->pool, ST_HINDEXED_BLOCK, MANY, offsets, NULL, 4, byte), 1, 0);
    struct st_buffer b = a;
    struct st_effort effort = st_effort_of(ST_EFFORT_STEPS);
    b.first += 6;
    assert_int_equal(st_overlap(&a, &b, &effort, NULL), ST_NO);
    effort.interrupted = stop;
    assert_int_equal(st_overlap(&a, &b, &effort, NULL), ST_UNDECIDED);
    assert_int_equal(effort.doubt, ST_DOUBT_INTERRUPTED);
    const struct st_layout *layout;
    effort = st_effort_of(ST_EFFORT_STEPS);
    effort.interrupted = stop;
    assert_int_equal(st_layout_of(&scene->layouts,
                                  hand_indexed(&scene->pool, ST_HINDEXED_BLOCK, 2 * MANY, offsets,
                                               NULL, 4, byte),
                                  &effort, &layout),
                     ST_INTERRUPTED);
    free(offsets);
}

/* --- planes, and other large things -------------------------------------------------------------
 */

/* The planes of a k^3 array of doubles, each made in several ways. */
static void planes_of_an_array(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *real = hand_basic(pool, 8);
    for (int64_t k = 4; k <= 4096; k *= 32) {
        int64_t cube[] = {k, k, k}, start[] = {0, 0, 0};
        const struct st_type *column = hand_vector(pool, ST_VECTOR, k, 1, k, real);
        const struct st_type *row = hand_contiguous(pool, k, real);
        const struct st_type *planes[3][2] = {
            {hand_contiguous(pool, k * k, real),
             hand_subarray(pool, 3, cube, (int64_t[]){1, k, k}, start, false, real)},
            {hand_vector(pool, ST_HVECTOR, k, 1, 8 * k * k, row),
             hand_subarray(pool, 3, cube, (int64_t[]){k, 1, k}, start, false, real)},
            {hand_vector(pool, ST_HVECTOR, k, 1, 8 * k * k, column),
             hand_subarray(pool, 3, cube, (int64_t[]){k, k, 1}, start, false, real)}};
        const int64_t next[3] = {8 * k * k, 8 * k, 8}; /* from a plane to the next of its kind */
        for (int p = 0; p < 12; p++) {
            int one = p / 4, how = p % 2, another = p / 2 % 2;
            struct st_buffer a = scene_buffer(scene, planes[one][how], 1, 1 << 20);
            for (int other = 0; other < 3; other++) {
                struct st_buffer b = scene_buffer(scene, planes[other][another], 1,
                                                  (1 << 20) + (uint64_t)next[other]);
                int64_t expected = one == other ? -1 : 8 * k;
                assert_int_equal(shared_bytes(&a, &b), expected);
                b.first -= (uint64_t)next[other];
                assert_int_equal(shared_bytes(&a, &b), one == other ? 8 * k * k : 8 * k);
            }
        }
    }
}

/* Whether an answer is the expected one; both ways. */
static void expect(const struct st_buffer *a, const struct st_buffer *b, enum st_verdict expected)
{
    struct st_effort effort = st_effort_of(1000);
    assert_int_equal(st_overlap(a, b, &effort, NULL), expected);
    assert_int_equal(st_overlap(b, a, &effort, NULL), expected);
}

/* The paper's worst case: unlike strides over the same memory. */
static void combs_of_a_billion_teeth(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *byte = hand_basic(pool, 1);
    const int64_t billion = 1000000000;
    const struct st_type *teeth = hand_vector(pool, ST_HVECTOR, billion, 1, 1000003, byte);
    struct st_buffer a = scene_buffer(scene, teeth, 1, 5);
    struct st_buffer b =
        scene_buffer(scene, hand_vector(pool, ST_HVECTOR, billion, 1, 999983, byte), 1, 5);
    expect(&a, &b, ST_YES); /* at their first teeth */
    a.first -= 1000003 * UINT64_C(999983);
    expect(&a, &b, ST_YES);
    a = scene_buffer(scene, hand_vector(pool, ST_HVECTOR, 999982, 1, 1000003, byte), 1, 5);
    b.first += 1000003; /* at the second tooth of a, and again when both have gone round */
    struct st_effort effort = st_effort_of(1000);
    struct st_shared shared;
    assert_int_equal(st_overlap(&a, &b, &effort, &shared), ST_YES);
    assert_int_equal(shared.address, 5 + 1000003);
    b.first -= 1000003 - 20; /* 20 steps of difference 20 on */
    expect(&a, &b, ST_YES);
    b.first = 5 + 999983 - 1; /* before tooth 999983 of b there is no such tooth of a */
    a = scene_buffer(scene, hand_vector(pool, ST_HVECTOR, 20, 1, 1000003, byte), 1, 5);
    expect(&a, &b, ST_NO);
    /* even and odd */
    struct st_buffer even =
        scene_buffer(scene, hand_vector(pool, ST_HVECTOR, billion, 1, 1000, byte), 1, 0);
    struct st_buffer odd =
        scene_buffer(scene, hand_vector(pool, ST_HVECTOR, billion, 1, 774, byte), 1, 13);
    expect(&even, &odd, ST_NO);
    odd.first++;
    expect(&even, &odd, ST_YES);
}

/* What a type is made of, so that it can be made again otherwise. */
static const struct st_type *large(struct st_pool *pool, uint64_t *seed)
{
    const struct st_type *type = hand_basic(pool, INT64_C(1) << image_between(seed, 0, 4));
    int64_t depth = image_between(seed, 1, 3);
    for (int64_t d = 0; d < depth; d++) {
        int64_t span = type->measure.true_ub - type->measure.true_lb;
        int64_t count = image_between(seed, 2, 3000);
        int64_t stride = image_random(seed) % 4 ? span + image_between(seed, 0, 64) * 8
                                                : image_between(seed, 1, 2 * span);
        type = hand_vector(pool, ST_HVECTOR, count, image_between(seed, 1, 3),
                           image_random(seed) % 5 ? stride : -stride, type);
    }
    return type;
}

static enum st_verdict verdict_of(const struct st_buffer *a, const struct st_buffer *b,
                                  struct st_shared *shared)
{
    struct st_effort effort = st_effort_of(1 << 20);
    return st_overlap(a, b, &effort, shared);
}

/* Moved together, swapped, dupped, resized where the count is 1, within a struct, repeated by a
 * count or by a type, taken apart: the answer is the same. */
static void what_changes_nothing(void **state)
{
    struct scene *scene = *state;
    uint64_t seed = image_seed(13);
    unsigned long answers[3] = {0};
    for (int i = 0; i < 3000; i++) {
        struct st_pool pool;
        struct st_shared shared;
        st_pool_init(&pool);
        st_layouts_deinit(&scene->layouts); /* types of this round only */
        const struct st_type *s = large(&pool, &seed), *t = large(&pool, &seed);
        int64_t span = s->measure.true_ub - s->measure.true_lb, n = image_between(&seed, 1, 1000);
        uint64_t at = image_random(&seed), off = (uint64_t)image_between(&seed, -span, span);
        struct st_buffer a = scene_buffer(scene, s, 1, at), b = scene_buffer(scene, t, n, at + off);
        enum st_verdict verdict = verdict_of(&a, &b, &shared);
        answers[verdict]++;
        if (verdict == ST_YES) {
            struct st_buffer byte = scene_buffer(scene, hand_basic(&pool, 1), 1, shared.address);
            assert_int_equal(verdict_of(&a, &byte, NULL), ST_YES);
            assert_int_equal(verdict_of(&byte, &b, NULL), ST_YES);
        }
        const struct st_type *many = hand_contiguous(&pool, n, t);
        int64_t place = image_between(&seed, -1000000, 1000000);
        const struct st_type *in =
            hand_struct(&pool, 2, (int64_t[]){place, place - 5}, (int64_t[]){1, 0},
                        (const struct st_type *[]){many, s});
        const struct st_type *resized = hand_resized(&pool, 17, 3, hand_dup(&pool, s));
        uint64_t by = image_random(&seed);
        struct st_buffer again[][2] = {
            {b, a},
            {scene_buffer(scene, s, 1, at + by), scene_buffer(scene, t, n, at + off + by)},
            {scene_buffer(scene, resized, 1, at), scene_buffer(scene, many, 1, at + off)},
            {scene_buffer(scene, in, 1, at + off - (uint64_t)place), a},
        };
        for (size_t k = 0; k < sizeof again / sizeof *again; k++) {
            enum st_verdict other = verdict_of(&again[k][0], &again[k][1], NULL);
            assert_true(other == verdict || other == ST_UNDECIDED || verdict == ST_UNDECIDED);
        }
        /* the first half, the second half */
        int64_t half = n / 2;
        struct st_buffer low = scene_buffer(scene, t, half, at + off);
        struct st_buffer high = scene_buffer(
            scene, t, n - half, at + off + (uint64_t)(half * (t->measure.ub - t->measure.lb)));
        enum st_verdict parts[2] = {verdict_of(&a, &low, NULL), verdict_of(&a, &high, NULL)};
        if (verdict == ST_NO) {
            assert_true(parts[0] != ST_YES && parts[1] != ST_YES);
        } else if (verdict == ST_YES) {
            assert_true(parts[0] != ST_NO || parts[1] != ST_NO);
        }
        struct st_effort effort = st_effort_of(1 << 18);
        uint64_t all, one, two;
        if (st_overlap_bytes(&a, &b, &effort, &all) && b.disjoint &&
            st_overlap_bytes(&a, &low, &effort, &one) &&
            st_overlap_bytes(&a, &high, &effort, &two)) {
            assert_int_equal(all, one + two);
            assert_int_equal(all > 0, verdict == ST_YES);
        }
        st_layouts_deinit(&scene->layouts);
        st_pool_deinit(&pool);
    }
    assert_true(answers[ST_YES] > 300 && answers[ST_NO] > 300);
    assert_true(answers[ST_UNDECIDED] < 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_types_overlap_as_their_bytes),
        cmocka_unit_test(wide_types_overlap_as_their_bytes),
        cmocka_unit_test_setup_teardown(figure_1, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(a_block_and_a_comb, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(the_gap_of_a_pair, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(addresses_are_modulo_2_to_the_64, scene_setup,
                                        scene_teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_said_is_not_said, scene_setup,
                                        scene_teardown),
        cmocka_unit_test_setup_teardown(the_user_may_interrupt, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(planes_of_an_array, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(combs_of_a_billion_teeth, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(what_changes_nothing, scene_setup, scene_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
