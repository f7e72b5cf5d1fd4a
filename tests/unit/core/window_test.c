/* Windows on a layout (window.h) and the addresses at which it is aligned (alignment.h), against bytes
 * that are marked one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bytes.h"
#include "draw.h"
#include "core/layout/alignment.h"
#include "core/overlap/elements.h"
#include "core/overlap/window.h"
#include "scene.h"

/* --- windows -----------------------------------------------------------------------------------
 */

static struct st_run next_of(struct st_window *window, enum st_verdict expected)
{
    struct st_effort effort = st_effort_of(1000);
    struct st_run run = {0, 0};
    assert_int_equal(st_window_next(window, &effort, &run), expected);
    return run;
}

static void has_run(struct st_window *window, uint64_t from, uint64_t to)
{
    struct st_run run = next_of(window, ST_YES);
    assert_int_equal(run.from, from);
    assert_int_equal(run.to, to);
}

/* A plane of 1024³ doubles, its rows 8 KiB apart, in columns: 2^20 blocks, of which each window has
 * some. */
static void a_window_on_a_plane(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *plane =
        hand_vector(pool, ST_VECTOR, 1 << 20, 1, 1024, hand_basic(pool, 8));
    struct st_buffer buffer = scene_buffer(scene, plane, 1, 4096);
    struct st_window window;
    uint64_t at = UINT64_C(8192) * 777777;
    st_window_init(&window, &buffer, at + 3, at + 8195);
    has_run(&window, at + 3, at + 8);
    has_run(&window, at + 8192, at + 8195);
    next_of(&window, ST_NO);
    next_of(&window, ST_NO);
    st_window_deinit(&window);
    const uint64_t empty[][2] = {
        {at + 8, at + 8192}, {at + 8, at + 8}, {at, at - 1}, {buffer.span, UINT64_MAX}};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        st_window_init(&window, &buffer, empty[i][0], empty[i][1]);
        next_of(&window, ST_NO);
        st_window_deinit(&window);
    }
    st_window_init(&window, &buffer, buffer.span - 1, UINT64_MAX);
    has_run(&window, buffer.span - 1, buffer.span);
    next_of(&window, ST_NO);
    st_window_deinit(&window);
}

/* 10^9 of a list with a comb in it, and no steps to waste. */
static void a_window_on_a_list(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *real = hand_basic(pool, 8);
    const struct st_type *comb = hand_vector(pool, ST_HVECTOR, 1000, 1, 16, real);
    const struct st_type *list =
        hand_resized(pool, 0, 100000,
                     hand_struct(pool, 2, (int64_t[]){0, 50000}, (int64_t[]){3, 1},
                                 (const struct st_type *[]){real, comb}));
    struct st_buffer buffer = scene_buffer(scene, list, 1000000000, 0);
    struct st_window window;
    uint64_t at = UINT64_C(100000) * 999999998;
    st_window_init(&window, &buffer, at + 10, at + 50017);
    has_run(&window, at + 10, at + 24);
    has_run(&window, at + 50000, at + 50008);
    has_run(&window, at + 50016, at + 50017);
    next_of(&window, ST_NO);
    st_window_deinit(&window);
}

/* Blocks that stand between one another may take more steps than there are. */
static void steps_end(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *byte = hand_basic(pool, 1);
    const struct st_type *three = hand_indexed(
        pool, ST_HINDEXED_BLOCK, 3, (int64_t[]){0, 1 << 22, (1 << 22) + 7}, NULL, 1, byte);
    const struct st_type *type = hand_vector(pool, ST_HVECTOR, 1 << 18, 1, 4, three);
    struct st_buffer buffer = scene_buffer(scene, type, 1, 0);
    struct st_effort effort = st_effort_of(5);
    struct st_window window;
    struct st_run run;
    st_window_init(&window, &buffer, 1 << 21, (1 << 21) + 3);
    enum st_verdict verdict = st_window_next(&window, &effort, &run);
    st_window_deinit(&window);
    assert_int_equal(verdict, ST_UNDECIDED);
    assert_int_equal(effort.doubt, ST_DOUBT_STEPS);
}

/* Marks what the window shows; all of it lies in the window and in the buffer. */
static void mark(struct st_window *window, const struct bytes *bytes, uint64_t low, uint64_t high,
                 uint8_t *marks)
{
    struct st_effort effort = st_effort_of(1 << 20);
    struct st_run run;
    enum st_verdict verdict;
    while ((verdict = st_window_next(window, &effort, &run)) == ST_YES) {
        assert_true(low <= run.from && run.from < run.to && run.to <= high);
        for (uint64_t b = run.from; b < run.to; b++) {
            assert_true(bytes->times[b]);
            marks[b] = 1;
        }
    }
    assert_int_equal(verdict, ST_NO);
}

static void random_windows_show_their_bytes(void **state)
{
    (void)state;
    uint64_t seed = image_seed(31);
    unsigned long windows = 0;
    for (int i = 0; i < 3000; i++) {
        struct scene scene;
        struct bytes bytes;
        scene_init(&scene);
        const struct st_type *type =
            draw(&scene.pool, &seed, i % 4 ? DRAW_WIDE : DRAW_SMALL, i % 4 + 1);
        int64_t count = i % 3 ? 1 : image_between(&seed, 1, 5);
        struct st_buffer buffer = scene_buffer(&scene, type, count, 0);
        if (bytes_of_type(&bytes, type, count)) {
            uint8_t *marks = calloc(bytes.size + 1, 1);
            for (int k = 0; k < 4; k++) {
                uint64_t low = (uint64_t)image_between(&seed, 0, (int64_t)bytes.size);
                uint64_t high = low + (uint64_t)image_between(&seed, 0, k ? 40 : 1 << 16);
                uint64_t end = high < bytes.size ? high : bytes.size;
                struct st_window window;
                memset(marks, 0, bytes.size);
                st_window_init(&window, &buffer, low, high);
                mark(&window, &bytes, low, end, marks);
                st_window_deinit(&window);
                for (uint64_t b = low; b < end; b++) {
                    assert_int_equal(marks[b], bytes.times[b] != 0);
                }
                windows += low < end;
            }
            free(marks);
            bytes_deinit(&bytes);
        }
        scene_deinit(&scene);
    }
    assert_true(windows > 5000);
}

/* --- alignment ---------------------------------------------------------------------------------
 */

static void alignment_by_hand(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    const struct st_type *byte = hand_basic(pool, 1), *real = hand_basic(pool, 8);
    const struct st_type *packed = hand_struct(pool, 2, (int64_t[]){0, 1}, (int64_t[]){1, 1},
                                               (const struct st_type *[]){byte, real});
    const struct st_type *torn = hand_struct(pool, 2, (int64_t[]){0, 12}, (int64_t[]){1, 1},
                                             (const struct st_type *[]){real, real});
    const struct {
        const struct st_type *type;
        int64_t count;
        bool some;
        uint32_t modulus, remainder;
    } cases[] = {
        {byte, 1000, true, 1, 0},
        {real, 1, true, 8, 0},
        {real, 1000000000, true, 8, 0},
        {packed, 1, true, 8, 7},
        {packed, 2, false, 0, 0},
        {packed, 0, true, 1, 0},
        {torn, 1, false, 0, 0},
        {hand_resized(pool, 0, 12, packed), 2, false, 0, 0},
        {hand_resized(pool, 0, 16, packed), 2, true, 8, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct st_alignment alignment;
        bool some = st_alignment_of(scene_layout(scene, cases[i].type), cases[i].type,
                                    cases[i].count, &alignment);
        assert_int_equal(some, cases[i].some);
        if (some) {
            assert_int_equal(alignment.modulus, cases[i].modulus);
            assert_int_equal(alignment.remainder, cases[i].remainder);
        }
    }
}

/* At each address modulo 32 an element is misaligned, or there is none. */
static void random_types_are_aligned_where_they_are(void **state)
{
    (void)state;
    uint64_t seed = image_seed(32);
    unsigned long some = 0, none = 0;
    for (int i = 0; i < 2500; i++) {
        struct scene scene;
        struct st_alignment alignment;
        scene_init(&scene);
        const struct st_type *type =
            draw(&scene.pool, &seed, i % 2 ? DRAW_SMALL : DRAW_WIDE, i % 3);
        int64_t count = image_between(&seed, 0, 4);
        const struct st_layout *layout = scene_layout(&scene, type);
        bool aligned = st_alignment_of(layout, type, count, &alignment);
        for (uint64_t address = 0; !layout->doubt && address < 32; address++) {
            struct st_effort effort = st_effort_of(1 << 20);
            struct st_path path;
            size_t found;
            bool expected = aligned && address % alignment.modulus == alignment.remainder;
            assert_int_equal(st_elements_misaligned(&scene.layouts, type, count, 1024 + address,
                                                    &effort, &path, 1, &found),
                             expected ? ST_NO : ST_YES);
            while (found) {
                st_path_deinit(&path);
                found--;
            }
        }
        some += aligned;
        none += !aligned;
        scene_deinit(&scene);
    }
    assert_true(some > 100 && none > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_window_on_a_plane, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(a_window_on_a_list, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(steps_end, scene_setup, scene_teardown),
        cmocka_unit_test(random_windows_show_their_bytes),
        cmocka_unit_test_setup_teardown(alignment_by_hand, scene_setup, scene_teardown),
        cmocka_unit_test(random_types_are_aligned_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
