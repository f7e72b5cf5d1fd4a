/* Covers (cover.h) against arrays of marks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/compare/cover.h"
#include "image.h"

enum { CASES = 20000, MOST_DIMS = 3, MOST_LENGTH = 12, MOST_ELEMENTS = 2000, MOST_NESTS = 5 };

static void mark(const struct st_nest *nest, int *marks)
{
    int64_t index[ST_NEST_LEVELS] = {0};
    for (;;) {
        int64_t at = nest->start;
        for (uint32_t i = 0; i < nest->levels; i++) {
            at += index[i] * nest->level[i].stride;
        }
        marks[at]++;
        uint32_t level = nest->levels;
        while (level > 0 && ++index[level - 1] == nest->level[level - 1].count) {
            index[--level] = 0;
        }
        if (level == 0) {
            return;
        }
    }
}

static bool in_range(const struct st_index_range *range, int64_t index)
{
    assert_true(range->count > 0);
    for (int64_t i = 0; i < range->count; i++) {
        int64_t from = range->first + i * range->step;
        if (index >= from && index < from + range->run) {
            assert_true(index <= range->last);
            return true;
        }
    }
    return false;
}

/* Random strides from start on, so that all is below `total`. */
static struct st_nest draw_nest(uint64_t *seed, int64_t total)
{
    struct st_nest nest = {.start = image_between(seed, 0, total - 1)};
    int64_t left = total - 1 - nest.start;
    for (int64_t i = image_between(seed, 0, 3); i > 0; i--) {
        int64_t stride = image_between(seed, 1, 1 + left / 2);
        if (left / stride >= 1) {
            int64_t count = image_between(seed, 2, 1 + left / stride);
            nest.level[nest.levels++] = (struct st_nest_level){count, stride};
            left -= (count - 1) * stride;
        }
    }
    return nest;
}

/* The elements of a part that its boxes show; none twice. */
static int64_t check_part(const struct st_cover_part *part, const int64_t *shape, uint32_t dims,
                          const int *marks, int64_t total, bool in)
{
    int64_t shown = 0;
    for (int64_t at = 0; at < total; at++) {
        int64_t boxes = 0;
        for (int64_t b = 0; b < part->boxes && b < ST_COVER_BOXES; b++) {
            bool inside = true;
            int64_t rest = at;
            for (uint32_t d = dims; d-- > 0;) {
                if (part->box[b].dim[d].count == 0) {
                    return -1; /* not told index by index */
                }
                inside = inside && in_range(&part->box[b].dim[d], rest % shape[d]);
                rest /= shape[d];
            }
            boxes += inside;
        }
        assert_true(boxes <= 1);
        if (boxes) {
            assert_int_equal(marks[at] > 0, in);
        }
        shown += boxes;
    }
    return shown;
}

static void covers_are_what_is_marked(void **state)
{
    (void)state;
    uint64_t seed = image_seed(4711);
    int whole = 0, told = 0;
    for (int i = 0; i < CASES; i++) {
        int64_t shape[MOST_DIMS], total = 1, in = 0, more = 0;
        int marks[MOST_ELEMENTS] = {0};
        uint32_t dims = (uint32_t)image_between(&seed, 0, MOST_DIMS);
        for (uint32_t d = 0; d < dims; d++) {
            shape[d] = image_between(&seed, 1, MOST_LENGTH);
            total *= shape[d];
        }
        struct st_strides sets[2] = {{0}, {0}};
        for (int64_t n = image_between(&seed, 0, MOST_NESTS); n > 0; n--) {
            struct st_nest nest = draw_nest(&seed, total);
            mark(&nest, marks);
            assert_true(st_strides_add(&sets[n % 2], &nest));
        }
        for (int64_t at = 0; at < total; at++) {
            in += marks[at] > 0;
            more += marks[at] > 1;
        }
        struct st_cover cover;
        uint64_t work = UINT64_C(1) << 24;
        assert_int_equal(st_cover(shape, dims, sets, 2, &work, &cover), ST_OK);
        assert_int_equal(cover.in.elements, in);
        assert_int_equal(cover.out.elements, total - in);
        assert_int_equal(cover.more, more);
        assert_int_equal(cover.in.boxes > 0, in > 0);
        assert_int_equal(cover.out.boxes > 0, in < total);
        int64_t shown = check_part(&cover.in, shape, dims, marks, total, true);
        if (cover.in.boxes <= ST_COVER_BOXES) {
            whole += shown >= 0;
            told += dims > 0 && in > 1 && shown >= 0;
            assert_true(shown == in || shown == -1);
        }
        shown = check_part(&cover.out, shape, dims, marks, total, false);
        if (cover.out.boxes <= ST_COVER_BOXES) {
            assert_true(shown == total - in || shown == -1);
        }
        st_strides_free(&sets[0]);
        st_strides_free(&sets[1]);
    }
    assert_true(whole > CASES / 2 && told > CASES / 4); /* most are listed box by box */
}

static struct st_cover covered(const int64_t *shape, uint32_t dims, struct st_nest one,
                               struct st_nest two, uint64_t *work)
{
    struct st_cover cover;
    struct st_strides set = {0};
    assert_true(st_strides_add(&set, &one) && st_strides_add(&set, &two));
    assert_int_equal(st_cover(shape, dims, &set, 1, work, &cover), ST_OK);
    st_strides_free(&set);
    return cover;
}

static void assert_range(struct st_index_range range, int64_t first, int64_t last, int64_t count,
                         int64_t step, int64_t run)
{
    assert_int_equal(range.first, first);
    assert_int_equal(range.last, last);
    assert_int_equal(range.count, count);
    assert_int_equal(range.step, step);
    assert_int_equal(range.run, run);
}

static void large_arrays_cost_no_more_than_small_ones(void **state)
{
    (void)state;
    const int64_t million = 1000000;
    const int64_t shape[] = {million, million};
    uint64_t work = 1000;
    /* Even columns, and a contiguous run of many rows beginning and ending in one. */
    struct st_nest columns = {0, 2, {{million, million}, {million / 2, 2}}};
    struct st_nest rows = {5 * million + 7, 1, {{3 * million, 1}}};
    struct st_cover cover = covered(shape, 2, columns, rows, &work);
    assert_true(work > 0);
    assert_int_equal(cover.in.elements, million * million / 2 + 3 * million / 2);
    assert_int_equal(cover.more, 3 * million / 2);
    assert_int_equal(cover.in.elements + cover.out.elements, million * million);
    assert_range(cover.in.box[0].dim[0], 0, 4, 1, 1, 5);
    assert_range(cover.in.box[0].dim[1], 0, million - 2, million / 2, 2, 1);
    assert_range(cover.out.box[0].dim[1], 1, million - 1, million / 2, 2, 1);

    /* The inside of a halo is one box, its border four. */
    const int64_t field[] = {10, 20};
    struct st_nest inner = {21, 2, {{8, 20}, {18, 1}}};
    cover = covered(field, 2, inner, inner, &work);
    assert_int_equal(cover.in.boxes, 1);
    assert_int_equal(cover.out.boxes, 4);
    assert_int_equal(cover.out.elements, 56);
    assert_int_equal(cover.more, 144);
    assert_range(cover.in.box[0].dim[0], 1, 8, 1, 1, 8);
    assert_range(cover.in.box[0].dim[1], 1, 18, 1, 1, 18);
    assert_range(cover.out.box[0].dim[0], 0, 0, 1, 1, 1);
    assert_range(cover.out.box[0].dim[1], 0, 19, 1, 1, 20);

    /* Runs of three in steps of ten, on a length that is no multiple of either. */
    const int64_t line[] = {10 * million + 4};
    struct st_nest runs = {1, 2, {{million, 10}, {3, 1}}};
    cover = covered(line, 1, runs, runs, &work);
    assert_int_equal(cover.in.boxes, 1);
    assert_range(cover.in.box[0].dim[0], 1, 10 * million - 7, million, 10, 3);
    assert_int_equal(cover.out.elements, 7 * million + 4);
}

static void what_costs_too_much_is_said(void **state)
{
    (void)state;
    const int64_t shape[] = {1000, 1000};
    struct st_strides set = {0};
    struct st_cover cover;
    struct st_nest diagonal = {0, 1, {{1000, 1001}}};
    uint64_t work = 500;
    assert_true(st_strides_add(&set, &diagonal));
    assert_int_equal(st_cover(shape, 2, &set, 1, &work, &cover), ST_OUT_OF_RANGE);
    assert_true(work == 0);
    work = 100000;
    assert_int_equal(st_cover(shape, 2, &set, 1, &work, &cover), ST_OK);
    assert_int_equal(cover.in.elements, 1000);
    assert_int_equal(cover.in.boxes, 1000);
    assert_int_equal(cover.out.elements, 999000);
    st_strides_free(&set);
}

static void elements_are_counted_up_to_64_bits(void **state)
{
    (void)state;
    struct st_strides set = {0};
    struct st_nest huge = {0, 2, {{INT64_C(1) << 40, 1}, {INT64_C(1) << 40, 1}}};
    assert_true(st_strides_add(&set, &huge));
    assert_true(set.elements == INT64_MAX);
    assert_true(st_strides_add(&set, &huge));
    assert_true(set.elements == INT64_MAX);
    st_strides_free(&set);
    assert_int_equal(set.elements, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers_are_what_is_marked),
        cmocka_unit_test(large_arrays_cost_no_more_than_small_ones),
        cmocka_unit_test(what_costs_too_much_is_said),
        cmocka_unit_test(elements_are_counted_up_to_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
