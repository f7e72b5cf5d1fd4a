/*
 * Sequences (sequence.h) and cursors (cursor.h): that what is equal has one name, however it was
 * put together; that reading gives back what was put in.
 *
 *     [ST_SEED=N] [ST_CASES=N] sequence_test
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/signature/cursor.h"
#include "image.h"
#include "core/signature/sequence.h"

#ifdef __SANITIZE_ADDRESS__
enum { CASES = 4000 };
#else
enum { CASES = 30000 };
#endif
enum { LETTERS = 6, LONGEST = 4000, TOGETHER = 500 };

struct alphabet {
    struct st_sequences sequences;
    struct st_sequence letters[LETTERS];
};

static void alphabet_init(struct alphabet *a, uint64_t order_mask)
{
    st_sequences_init(&a->sequences);
    a->sequences.order_mask = order_mask;
    for (int i = 0; i < LETTERS; i++) {
        char name[2] = {(char)('a' + i), '\0'};
        struct st_basic_element element = {.kind = ST_NAMED, .name = name};
        assert_int_equal(st_sequence_of(&a->sequences, &element, &a->letters[i]), ST_OK);
    }
}

static void alphabet_deinit(struct alphabet *a)
{
    st_sequences_deinit(&a->sequences);
}

/* Letter by letter. */
static struct st_sequence written(struct alphabet *a, const char *text, size_t length)
{
    struct st_series series;
    struct st_sequence out;
    st_series_begin(&series, &a->sequences);
    for (size_t i = 0; i < length; i++) {
        st_series_add(&series, a->letters[text[i] - 'a']);
    }
    assert_int_equal(st_series_end(&series, &out), ST_OK);
    return out;
}

static struct st_sequence joined(struct alphabet *a, struct st_sequence x, struct st_sequence y)
{
    struct st_sequence out;
    assert_int_equal(st_sequence_join(&a->sequences, x, y, &out), ST_OK);
    return out;
}

static struct st_sequence repeated(struct alphabet *a, struct st_sequence x, int64_t times)
{
    struct st_sequence out;
    assert_int_equal(st_sequence_repeat(&a->sequences, x, times, &out), ST_OK);
    return out;
}

/* Random letters, or a period with some letters changed. */
static size_t draw(uint64_t *seed, char *text)
{
    size_t longest = image_random(seed) % 4 ? 30 : image_random(seed) % 4 ? 300 : LONGEST;
    size_t length = (size_t)image_between(seed, 1, (int64_t)longest);
    size_t period = image_random(seed) % 2 ? (size_t)image_between(seed, 1, 9) : length;
    int64_t letters = image_between(seed, 1, LETTERS);
    for (size_t i = 0; i < length; i++) {
        text[i] = i < period ? (char)('a' + image_between(seed, 0, letters - 1)) : text[i - period];
    }
    for (int64_t i = image_between(seed, 0, 3); i > 0 && period < length; i--) {
        text[image_between(seed, 0, (int64_t)length - 1)] = 'a';
    }
    return length;
}

static char letter_at(const struct st_cursor *cursor)
{
    return st_cursor_element(cursor)->name[0];
}

/* The text again, read letter by letter. */
static void check_letters(struct alphabet *a, struct st_sequence sequence, const char *text,
                          size_t length)
{
    struct st_cursor cursor;
    st_cursor_begin(&cursor, &a->sequences, sequence, 0);
    for (size_t i = 0; i < length; i++) {
        assert_false(st_cursor_at_end(&cursor));
        assert_int_equal(cursor.position, i);
        while (st_cursor_level(&cursor) > 0) {
            st_cursor_down(&cursor);
        }
        assert_int_equal(letter_at(&cursor), text[i]);
        st_cursor_skip(&cursor, 1);
    }
    assert_true(st_cursor_at_end(&cursor));
    assert_int_equal(st_sequence_length(&a->sequences, sequence), length);
}

/* --- one name
 * -------------------------------------------------------------------------------------- */

static void check_join(struct alphabet *a, uint64_t *seed, const char *text, size_t length,
                       struct st_sequence whole)
{
    size_t cut = (size_t)image_between(seed, 0, (int64_t)length);
    size_t again = (size_t)image_between(seed, (int64_t)cut, (int64_t)length);
    struct st_sequence first = written(a, text, cut), second = written(a, text + cut, again - cut);
    struct st_sequence third = written(a, text + again, length - again);
    assert_true(st_sequence_equal(whole, joined(a, first, joined(a, second, third))));
    assert_true(st_sequence_equal(whole, joined(a, joined(a, first, second), third)));
}

static void check_repeat(struct alphabet *a, uint64_t *seed, const char *text, size_t length)
{
    char copies[LONGEST];
    size_t part = (size_t)image_between(seed, 1, (int64_t)(length < 60 ? length : 60));
    size_t times = (size_t)image_between(seed, 0, 20);
    times = times * part > LONGEST ? LONGEST / part : times;
    for (size_t i = 0; i < times; i++) {
        memcpy(copies + i * part, text, part);
    }
    struct st_sequence one = written(a, text, part);
    struct st_sequence all = written(a, copies, times * part);
    assert_true(st_sequence_equal(all, repeated(a, one, (int64_t)times)));
}

/* What cannot be written out. */
static void check_large(struct alphabet *a, uint64_t *seed, struct st_sequence one)
{
    int64_t m = image_between(seed, 1, 40000), n = image_between(seed, 1, 40000);
    int64_t part = image_between(seed, 0, m * n);
    struct st_sequence all = repeated(a, one, m * n);
    assert_true(st_sequence_equal(all, repeated(a, repeated(a, one, m), n)));
    assert_true(
        st_sequence_equal(all, joined(a, repeated(a, one, part), repeated(a, one, m * n - part))));
}

static long cases_wanted(void)
{
    const char *wanted = getenv("ST_CASES");
    return wanted ? strtol(wanted, NULL, 10) : CASES;
}

static void check_cases(uint64_t *seed, long cases, size_t longest, uint64_t order_mask)
{
    struct alphabet a;
    alphabet_init(&a, order_mask);
    for (long i = 0; i < cases; i++) {
        char text[LONGEST];
        size_t length = draw(seed, text);
        length = length < longest ? length : longest;
        struct st_sequence whole = written(&a, text, length);
        check_letters(&a, whole, text, length);
        check_join(&a, seed, text, length, whole);
        check_repeat(&a, seed, text, length);
        if (length < 300) {
            check_large(&a, seed, whole);
        }
    }
    alphabet_deinit(&a);
}

static void equal_sequences_have_one_name(void **state)
{
    (void)state;
    uint64_t seed = image_seed(223606797);
    for (long i = 0; i < cases_wanted(); i += TOGETHER) {
        check_cases(&seed, TOGETHER, LONGEST, UINT64_MAX);
    }
}

/* An order that tells few names apart, or none, cuts worse; and all names are looked for in the
 * same place. Nothing else may come of it. */
static void nothing_rests_on_a_hash(void **state)
{
    (void)state;
    static const uint64_t masks[] = {0, 1, UINT64_C(3) << 62};
    uint64_t seed = image_seed(244948974);
    for (long i = 0; i < cases_wanted() / 10; i += 20) {
        check_cases(&seed, 20, 60, masks[i / 20 % 3]);
    }
    struct alphabet a;
    struct st_sequence one, other;
    alphabet_init(&a, 0);
    static const struct st_basic_element elements[] = {
        {.kind = ST_F90_REAL, .precision = 6, .range = 37},
        {.kind = ST_F90_REAL, .precision = 15, .range = 37},
        {.kind = ST_F90_REAL, .precision = 15, .range = 307},
        {.kind = ST_F90_COMPLEX, .precision = 15, .range = 307},
        {.kind = ST_NAMED, .name = "MPI_INT"},
        {.kind = ST_NAMED, .name = "MPI_INTEGER"},
    };
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        for (size_t k = 0; k < sizeof elements / sizeof *elements; k++) {
            assert_int_equal(st_sequence_of(&a.sequences, &elements[i], &one), ST_OK);
            assert_int_equal(st_sequence_of(&a.sequences, &elements[k], &other), ST_OK);
            assert_int_equal(st_sequence_equal(one, other), i == k);
        }
    }
    alphabet_deinit(&a);
}

/* The elements, not the order in which they came, decide how a sequence is cut: two ranks, two
 * sessions, get the same text. */
static void cuts_are_the_same_in_every_table(void **state)
{
    (void)state;
    uint64_t seed = image_seed(264575131);
    struct alphabet a, b;
    alphabet_init(&a, UINT64_MAX);
    alphabet_init(&b, UINT64_MAX);
    written(&b, "fedcbafedcabcabddff", 19); /* other numbers from here on */
    for (int i = 0; i < 300; i++) {
        char text[LONGEST];
        size_t length = draw(&seed, text);
        struct st_cursor x, y;
        st_cursor_begin(&x, &a.sequences, written(&a, text, length), 0);
        st_cursor_begin(&y, &b.sequences, written(&b, text, length), 0);
        for (int steps = 0; steps < 500 && !st_cursor_at_end(&x); steps++) {
            assert_int_equal(st_cursor_level(&x), st_cursor_level(&y));
            assert_int_equal(st_cursor_run(&x).count, st_cursor_run(&y).count);
            if (st_cursor_level(&x) > 0 && image_random(&seed) % 3) {
                st_cursor_down(&x);
                st_cursor_down(&y);
            } else {
                st_cursor_skip(&x, 1);
                st_cursor_skip(&y, 1);
            }
        }
    }
    alphabet_deinit(&a);
    alphabet_deinit(&b);
}

/* --- reading -------------------------------------------------------------------------------------
 */

static void cursors_find_places_and_differences(void **state)
{
    (void)state;
    uint64_t seed = image_seed(282842712);
    struct alphabet a;
    alphabet_init(&a, UINT64_MAX);
    for (int i = 0; i < CASES / 10; i++) {
        char text[LONGEST];
        size_t length = draw(&seed, text), common = 0;
        struct st_sequence sequence = written(&a, text, length);
        size_t m = (size_t)image_between(&seed, 0, (int64_t)length);
        size_t n = (size_t)image_between(&seed, 0, (int64_t)length);
        struct st_cursor x, y;
        st_cursor_begin(&x, &a.sequences, sequence, (int64_t)m);
        st_cursor_begin(&y, &a.sequences, sequence, (int64_t)n);
        assert_int_equal(x.position, m);
        assert_true(st_cursor_at_end(&x) == (m == length));
        assert_true(m == length || letter_at(&x) == text[m]);
        while (m + common < length && n + common < length && text[m + common] == text[n + common]) {
            common++;
        }
        if (m == n) {
            common = length - m;
        }
        assert_int_equal(st_cursor_common(&x, &y), common);
        assert_int_equal(x.position, m + common);
        assert_int_equal(y.position, n + common);
    }
    alphabet_deinit(&a);
}

/* --- costs and bounds ----------------------------------------------------------------------------
 */

static void levels_and_names_are_few(void **state)
{
    (void)state;
    uint64_t seed = image_seed(314159265);
    struct alphabet a;
    struct st_series series;
    struct st_sequence random, once;
    alphabet_init(&a, UINT64_MAX);
    st_series_begin(&series, &a.sequences);
    for (int i = 0; i < 1 << 18; i++) {
        st_series_add(&series, a.letters[image_between(&seed, 0, LETTERS - 1)]);
    }
    assert_int_equal(st_series_end(&series, &random), ST_OK);
    assert_true(st_phrase_of(&a.sequences, random.name)->level <= 18);
    assert_true(a.sequences.count < 1 << 18);
    once = repeated(&a, random, INT64_MAX >> 18);
    assert_true(st_phrase_of(&a.sequences, once.name)->level <= 62);
    /* What is joined to a long sequence costs levels, not length. */
    uint64_t before = a.sequences.work;
    joined(&a, once, a.letters[0]);
    joined(&a, a.letters[3], random);
    assert_true(a.sequences.work - before < 2000);
    /* Copies cost no more for being many. */
    before = a.sequences.work;
    repeated(&a, random, 12345);
    uint64_t few = a.sequences.work - before;
    repeated(&a, random, 12345678901);
    assert_true(a.sequences.work - before <= 2 * few + 100);
    alphabet_deinit(&a);
}

static void lengths_stay_within_64_bits(void **state)
{
    (void)state;
    struct alphabet a;
    struct st_sequence out;
    alphabet_init(&a, UINT64_MAX);
    struct st_sequence ab = written(&a, "ab", 2);
    struct st_sequence most = repeated(&a, ab, INT64_MAX / 2);
    assert_int_equal(st_sequence_length(&a.sequences, most), INT64_MAX - 1);
    assert_int_equal(st_sequence_join(&a.sequences, most, a.letters[0], &out), ST_OK);
    assert_int_equal(st_sequence_length(&a.sequences, out), INT64_MAX);
    assert_int_equal(st_sequence_join(&a.sequences, out, a.letters[0], &out), ST_OVERFLOW);
    assert_int_equal(st_sequence_join(&a.sequences, most, ab, &out), ST_OVERFLOW);
    assert_int_equal(st_sequence_repeat(&a.sequences, ab, INT64_MAX / 2 + 1, &out), ST_OVERFLOW);
    struct st_sequence as = repeated(&a, a.letters[0], INT64_MAX);
    struct st_series series;
    st_series_begin(&series, &a.sequences);
    st_series_add(&series, as);
    st_series_add(&series, a.letters[0]); /* the same run */
    assert_int_equal(st_series_end(&series, &out), ST_OVERFLOW);
    st_series_begin(&series, &a.sequences);
    st_series_add(&series, as);
    st_series_add(&series, a.letters[1]);
    assert_int_equal(st_series_end(&series, &out), ST_OVERFLOW);
    st_series_begin(&series, &a.sequences);
    st_series_add(&series, most);
    st_series_add(&series, most);
    assert_int_equal(st_series_end(&series, &out), ST_OVERFLOW);
    /* Nothing is broken by it. */
    assert_true(st_sequence_equal(written(&a, "abab", 4), repeated(&a, ab, 2)));
    assert_int_equal(st_sequence_repeat(&a.sequences, ab, -1, &out), ST_OK);
    assert_int_equal(st_sequence_length(&a.sequences, out), 0);
    alphabet_deinit(&a);
}

static void work_ends_at_its_bound(void **state)
{
    (void)state;
    uint64_t seed = image_seed(331662479);
    struct alphabet a;
    char text[LONGEST];
    struct st_sequence out;
    alphabet_init(&a, UINT64_MAX);
    for (size_t i = 0; i < LONGEST; i++) {
        text[i] = (char)('a' + image_between(&seed, 0, LETTERS - 1));
    }
    struct st_sequence whole = written(&a, text, LONGEST), half = written(&a, text, LONGEST / 2);
    struct st_sequence rest = written(&a, text + LONGEST / 2, LONGEST / 2);
    for (uint64_t most = 0; most < 20; most++) {
        struct st_series series;
        a.sequences.work_end = a.sequences.work + most;
        assert_int_equal(st_sequence_join(&a.sequences, half, rest, &out), ST_INTERRUPTED);
        a.sequences.work_end = a.sequences.work + most;
        assert_int_equal(st_sequence_repeat(&a.sequences, whole, 1000 + (int64_t)most, &out),
                         ST_INTERRUPTED);
        a.sequences.work_end = a.sequences.work + most;
        st_series_begin(&series, &a.sequences);
        for (size_t i = 0; i < LONGEST; i++) {
            st_series_add(&series, a.letters[text[i] - 'a']);
        }
        assert_int_equal(st_series_end(&series, &out), ST_INTERRUPTED);
    }
    a.sequences.work_end = a.sequences.work + ST_MOST_WORK;
    assert_true(st_sequence_equal(joined(&a, half, rest), whole));
    assert_true(
        st_sequence_equal(repeated(&a, whole, 3), joined(&a, whole, repeated(&a, whole, 2))));
    alphabet_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_sequences_have_one_name),
        cmocka_unit_test(nothing_rests_on_a_hash),
        cmocka_unit_test(cuts_are_the_same_in_every_table),
        cmocka_unit_test(cursors_find_places_and_differences),
        cmocka_unit_test(levels_and_names_are_few),
        cmocka_unit_test(lengths_stay_within_64_bits),
        cmocka_unit_test(work_ends_at_its_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
