/* Records taken out of a stream of standard error (cmd/findings/tagged.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../../cmd/findings/tagged.h"

static char records[4096], passed[8192];
static struct tagged tagged;

static void take(void *context, const char *key, const char *line, size_t length)
{
    assert_null(context);
    char *end = records + strlen(records);
    snprintf(end, sizeof records - (size_t)(end - records), "%s=%.*s;", key, (int)length, line);
}

/* Feeds TEXT in portions of SIZE bytes; what passed through and what was taken is there then. */
static void feed(const char *text, size_t size)
{
    size_t length = strlen(text), out = 0;
    memset(&tagged, 0, sizeof tagged);
    tagged.line = take;
    records[0] = '\0';
    for (size_t i = 0; i < length; i += size) {
        size_t portion = length - i < size ? length - i : size;
        char *copy = malloc(portion); /* so that a sanitizer sees a byte too many */
        assert_non_null(copy);
        memcpy(copy, text + i, portion);
        out += tagged_filter(&tagged, copy, portion, passed + out);
        free(copy);
    }
    out += tagged_finish(&tagged, passed + out);
    passed[out] = '\0';
}

static void in_any_portions(const char *text, const char *through, const char *taken, size_t lost)
{
    for (size_t size = 1; size <= strlen(text); size++) {
        feed(text, size);
        assert_string_equal(passed, through);
        assert_string_equal(records, taken);
        assert_int_equal(tagged.lost, lost);
    }
}

static void pieces_are_joined(void **state)
{
    (void)state;
    in_any_portions(
        "one\n@mpipp:12-ab:0:0+{\"a\"\ntwo\n@mpipp:13-cd:0:0.{}\n@mpipp:12-ab:0:1.:1}\nend",
        "one\ntwo\nend", "13-cd={};12-ab={\"a\":1};", 0);
}

static void a_piece_may_stand_in_a_line(void **state)
{
    (void)state;
    in_any_portions("[1] word@mpipp:12-ab:3:0.{}\nnext\n", "[1] wordnext\n", "12-ab={};", 0);
}

static void what_is_no_piece_passes_through(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "@",
        "@mpipp",
        "@mpipp:\n",
        "@mpipp:12:0:0\n",
        "@mpipp:xyz:0:0.{}\n",
        "@mpipp::0:0.{}\n",
        "@mpipp:12-ab:a:0.{}\n",
        "@mpipp:12-ab:0:0.{}",
        "me@mpi.org\n@@mpip@\n",
        "@@@@\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        in_any_portions(texts[i], texts[i], "", 0);
}

static void a_tag_may_follow_the_beginning_of_one(void **state)
{
    (void)state;
    in_any_portions("@mpi@mpipp:12-ab:0:0.{}\n@@mpipp:12-ab:1:0.{2}\n", "@mpi@",
                    "12-ab={};12-ab={2};", 0);
}

static void a_missing_piece_loses_its_record_alone(void **state)
{
    (void)state;
    in_any_portions(
        "@mpipp:12-ab:0:0+{\n@mpipp:12-ab:0:2.}\n@mpipp:12-ab:1:0.{}\n@mpipp:12-ab:2:0+{\n", "",
        "12-ab={};", 2);
}

static void a_long_line_that_begins_so_passes_through(void **state)
{
    (void)state;
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    memcpy(text, "@mpipp:1-a:0:0.", 15);
    text[sizeof text - 2] = '\n';
    text[sizeof text - 1] = '\0';
    static const size_t sizes[] = {1, 7, 1023, 1024, 1025, sizeof text};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        feed(text, sizes[i]);
        assert_string_equal(passed, text);
        assert_string_equal(records, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_joined),
        cmocka_unit_test(a_piece_may_stand_in_a_line),
        cmocka_unit_test(what_is_no_piece_passes_through),
        cmocka_unit_test(a_tag_may_follow_the_beginning_of_one),
        cmocka_unit_test(a_missing_piece_loses_its_record_alone),
        cmocka_unit_test(a_long_line_that_begins_so_passes_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
