/* SPDX-License-Identifier: BSD-3-Clause */
/* What gdb writes within the text of a buffer (gdb-plugin/render/foreign.h): how often it is asked, and for how much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "rendering.h"

static bool stops_at_null; /* print null-stop */

/* As gdb in C: "abc", '\000' <repeats 12 times>; a null at the end is left out, and 200 letters are shown. */
static bool format_text(void *context, struct st_text *text, const struct st_basic *basic,
                        const void *data, int64_t count, bool is_array)
{
    struct gdb_stub *stub = context;
    const char *letters = data;
    char word[64], letter[8] = "\\000";
    (void)basic;
    stub->asked += count;
    stub->questions++;
    if (stops_at_null && is_array && memchr(letters, 0, (size_t)count)) {
        count = (const char *)memchr(letters, 0, (size_t)count) - letters;
    }
    count -= is_array && letters[count - 1] == 0;
    int64_t equal = 1;
    while (equal < count && letters[count - 1 - equal] == letters[count - 1]) {
        equal++;
    }
    int64_t first = equal > 10 ? count - equal : count;
    int64_t shown = first < 200 ? first : 200;
    if (shown) {
        st_text_puts(text, "\"");
        st_text_append(text, letters, (size_t)shown);
        st_text_puts(text, "\"");
    }
    if (shown == first && equal > 10) {
        if (letters[count - 1]) {
            snprintf(letter, sizeof letter, "%c", letters[count - 1]);
        }
        snprintf(word, sizeof word, "%s'%s' <repeats %lld times>", shown ? ", " : "", letter,
                 (long long)equal);
        st_text_puts(text, word);
    } else if (shown < count) {
        st_text_puts(text, "...");
    }
    return true;
}

static struct rendering *text_rendering_new(void)
{
    struct rendering *s = rendering_new();
    s->options.format_run = format_text;
    s->options.interrupted = NULL;
    s->options.stages = false;
    return s;
}

static void equal_letters_at_the_end_are_counted_here(void **state)
{
    (void)state;
    enum { ROOM = 1 << 16 };
    struct rendering *s = text_rendering_new();
    char *buffer = calloc(2, ROOM);
    assert_non_null(buffer);
    memcpy(buffer, "abc", 3);
    memset(buffer + ROOM, ' ', ROOM);
    uint32_t letter = image_named(&s->f.image, "MPI_CHAR", 1);
    uint32_t second = image_vector(&s->f.image, ST_HVECTOR, 1, 5000, 1, letter);
    rendering_open(s, buffer, 2 * ROOM);
    assert_string_equal(show_many(s, letter, ROOM), "\"abc\", '\\000' <repeats 65532 times>");
    assert_true(s->stub.asked < 100);
    s->at += 3;
    assert_string_equal(show_many(s, letter, 4000), "'\\000' <repeats 3999 times>");
    s->at += ROOM - 3;
    s->stub.asked = 0;
    assert_string_equal(show(s, second), "' ' <repeats 5000 times>");
    assert_true(s->stub.asked < 100);
    s->options.repeats = UINT64_MAX; /* then gdb gets them all */
    s->options.elements = UINT64_MAX;
    s->stub.asked = 0;
    show(s, second);
    assert_int_equal(s->stub.asked, 5000);
    free(buffer);
    rendering_free(s);
}

/* With `print null-stop' gdb writes nothing of the nulls: the repeats are those of the letters before them. */
static void nulls_that_gdb_leaves_out_are_not_counted(void **state)
{
    (void)state;
    struct rendering *s = text_rendering_new();
    char buffer[2000] = {0};
    memset(buffer, 'x', 100);
    uint32_t letter = image_named(&s->f.image, "MPI_CHAR", 1);
    rendering_open(s, buffer, sizeof buffer);
    assert_string_equal(show_many(s, letter, 100), "'x' <repeats 100 times>");
    stops_at_null = true;
    assert_memory_equal(show_many(s, letter, 2000), "'x' <repeats 100 times>", 23);
    stops_at_null = false;
    rendering_free(s);
}

/* Beyond what is shown, the equal ones at the end do not matter. */
static void letters_that_are_cut_off_are_not_counted(void **state)
{
    (void)state;
    struct rendering *s = text_rendering_new();
    char buffer[1000] = {0};
    for (size_t i = 0; i < 500; i++) {
        buffer[i] = (char)('a' + i % 26);
    }
    uint32_t letter = image_named(&s->f.image, "MPI_CHAR", 1);
    rendering_open(s, buffer, sizeof buffer);
    const char *shown = show_many(s, letter, 1000);
    assert_int_equal(strlen(shown), 205);
    assert_string_equal(shown + 196, "nopqr\"...");
    rendering_free(s);
}

static void equal_elements_are_asked_for_once(void **state)
{
    (void)state;
    enum { ROWS = 1000 };
    struct rendering *s = text_rendering_new();
    char buffer[ROWS * 4];
    for (size_t i = 0; i < sizeof buffer; i++) {
        buffer[i] = "abcdefg"[i % 4 + (i / 4 % 2)];
    }
    uint32_t letter = image_named(&s->f.image, "MPI_CHAR", 1);
    uint32_t row = image_contiguous(&s->f.image, 4, letter);
    rendering_open(s, buffer, sizeof buffer);
    show_many(s, row, ROWS);
    assert_int_equal(s->error, ST_OK);
    assert_int_equal(s->stub.questions, 2);
    assert_memory_equal(s->text.data, "{\"abcd\", \"bcde\", \"abcd\", ", 25);
    rendering_free(s);
}

/* Rows of different texts: after some of them the list ends. */
static void gdb_is_not_asked_for_ever(void **state)
{
    (void)state;
    enum { ROW = 3000, ROWS = 150 };
    struct rendering *s = text_rendering_new();
    char *buffer = malloc(ROW * ROWS);
    assert_non_null(buffer);
    uint64_t seed = 7;
    for (size_t i = 0; i < ROW * ROWS; i++) {
        buffer[i] = (char)('a' + image_random(&seed) % 26);
    }
    uint32_t letter = image_named(&s->f.image, "MPI_CHAR", 1);
    uint32_t row = image_contiguous(&s->f.image, ROW, letter);
    rendering_open(s, buffer, ROW * ROWS);
    show_many(s, row, ROWS);
    assert_int_equal(s->error, ST_OK);
    assert_true(s->stub.asked <= 8192);
    assert_memory_equal(s->text.data + s->text.length - 4, "...}", 4);
    s->options.elements = UINT64_MAX;
    s->stub.asked = 0;
    show_many(s, row, ROWS);
    assert_int_equal(s->stub.asked, ROW * ROWS);
    free(buffer);
    rendering_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_letters_at_the_end_are_counted_here),
        cmocka_unit_test(nulls_that_gdb_leaves_out_are_not_counted),
        cmocka_unit_test(letters_that_are_cut_off_are_not_counted),
        cmocka_unit_test(equal_elements_are_asked_for_once),
        cmocka_unit_test(gdb_is_not_asked_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
