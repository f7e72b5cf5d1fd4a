/* SPDX-License-Identifier: BSD-3-Clause */
/* For how long a rank has been in its call (core/waits/since.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/waits/since.h"
#include "fixture.h"

static struct fixture f;
static uint64_t shared, entry;

static struct st_rank_watched *watched(void)
{
    return &((struct st_segment_rank *)image_at(&f.image, entry))->watched;
}

static int open_with(bool has_threads)
{
    fixture_init(&f);
    f.image.has_calls = has_threads; /* of two threads */
    entry = image_add(&f.image, NULL, sizeof(struct st_segment_rank));
    const struct st_shared_area area = {
        .magic = ST_SHARED_MAGIC, .version = ST_SEGMENT_VERSION, .entry = entry};
    shared = f.image.shared = image_add(&f.image, &area, sizeof area);
    fixture_open(&f);
    *watched() = (struct st_rank_watched){.since = 10000, .looked = 50000};
    assert_true(st_wait_identity(f.registry, &watched()->identity));
    return 0;
}

static int open_rank(void **state)
{
    (void)state;
    return open_with(false);
}

static int open_threads(void **state)
{
    (void)state;
    return open_with(true);
}

static int close_rank(void **state)
{
    (void)state;
    fixture_deinit(&f);
    return 0;
}

static const char *since(int64_t now)
{
    static char text[ST_SINCE_TEXT];
    struct st_wait_since found;
    if (!st_wait_since(f.registry, now, &found)) {
        return NULL;
    }
    st_wait_since_text(&found, text);
    return text;
}

static void a_call_that_has_not_changed(void **state)
{
    (void)state;
    assert_string_equal(since(51200), "41 s");
    assert_string_equal(since(-1), ">=40 s");    /* a core file */
    assert_string_equal(since(49000), ">=40 s"); /* another machine's clock */
    watched()->since = 50000;
    assert_string_equal(since(50700), "<1 s");
}

static void a_call_that_the_watch_has_not_seen(void **state)
{
    (void)state;
    watched()->identity++;
    assert_string_equal(since(50100), "<1 s");
    assert_string_equal(since(53100), "<4 s");
    assert_string_equal(since(-1), "-");
}

/* Another thread may have made the call that has changed. */
static void several_threads(void **state)
{
    (void)state;
    assert_string_equal(since(51200), ">=41 s");
    watched()->identity++;
    assert_string_equal(since(51200), "-");
}

static void nobody_watches(void **state)
{
    (void)state;
    const uint64_t identity = watched()->identity;
    watched()->identity = 0;
    assert_null(since(51000));
    watched()->identity = identity;
    watched()->looked = watched()->since - 1;
    assert_null(since(51000));
    watched()->looked = 50000;
    ((struct st_shared_area *)image_at(&f.image, shared))->entry = 0;
    assert_null(since(51000));
    ((struct st_shared_area *)image_at(&f.image, shared))->entry = 24;
    assert_null(since(51000));
    image_root(&f.image)->shared = 0;
    assert_null(since(51000));
}

static void bounds_as_text(void **state)
{
    (void)state;
    char text[ST_SINCE_TEXT];
    st_wait_since_text(&(struct st_wait_since){38, 41}, text);
    assert_string_equal(text, "38-41 s");
    st_wait_since_text(&(struct st_wait_since){INT64_MAX - 1, INT64_MAX}, text);
    assert_string_equal(text, "9223372036854775806-9223372036854775807 s");
    st_wait_since_text(&(struct st_wait_since){0, INT64_MAX}, text);
    assert_string_equal(text, "0-9223372036854775807 s");
    st_wait_since_text(&(struct st_wait_since){-1, 3}, text);
    assert_string_equal(text, "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_call_that_has_not_changed, open_rank, close_rank),
        cmocka_unit_test_setup_teardown(a_call_that_the_watch_has_not_seen, open_rank, close_rank),
        cmocka_unit_test_setup_teardown(several_threads, open_threads, close_rank),
        cmocka_unit_test_setup_teardown(nobody_watches, open_rank, close_rank),
        cmocka_unit_test(bounds_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
