/* The calls that threads are in (decode_calls.c): what is in them, and what damage leaves of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/decode/calls.h"
#include "fixture.h"

static struct fixture f;

static int set_up(void **state)
{
    (void)state;
    fixture_init(&f);
    image_named(&f.image, "MPI_INT", 4);
    f.image.has_calls = true;
    fixture_open(&f);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_deinit(&f);
    return 0;
}

/* How many threads are read before the end, or before *error. */
static unsigned walk(enum st_error *error)
{
    struct st_thread thread;
    uint64_t address = st_registry_root(f.registry)->threads;
    unsigned count = 0;
    *error = ST_OK;
    for (uint32_t number = 0; address && !*error; count += !*error) {
        *error = st_registry_thread(f.registry, &address, &number, &thread, NULL);
    }
    return count;
}

static struct st_thread *newest(void)
{
    return image_at(&f.image, f.image.threads_at);
}

static void threads_are_walked_as_they_are_now(void **state)
{
    (void)state;
    struct st_thread thread;
    enum st_error error;
    assert_int_equal(walk(&error), 2);
    assert_int_equal(error, ST_OK);
    uint64_t address = f.image.threads_at;
    newest()->id = 99; /* no change of the registry's tells of it */
    assert_int_equal(st_registry_thread(f.registry, &address, &(uint32_t){0}, &thread, NULL),
                     ST_OK);
    assert_int_equal(thread.id, 99);
}

static void a_walk_ends_whatever_is_there(void **state)
{
    (void)state;
    enum st_error error;
    newest()->next = f.image.threads_at; /* it bites its own tail */
    assert_int_equal(walk(&error), 1);
    assert_int_equal(error, ST_DAMAGED_ROOT);
    newest()->next = 0; /* the older one is missing */
    assert_int_equal(walk(&error), 0);
    assert_int_equal(error, ST_DAMAGED_ROOT);
    newest()->next = f.image.threads_at + 1;
    assert_int_equal(walk(&error), 1);
    newest()->next = UINT64_C(1) << 40;
    assert_int_equal(walk(&error), 1);
    assert_int_equal(error, ST_UNREADABLE);
    newest()->magic++;
    assert_int_equal(walk(&error), 0);
}

static enum st_error form_at(uint64_t offset, struct st_call_form *form)
{
    struct st_fault fault;
    assert_int_equal(st_registry_forget(f.registry, &fault), ST_OK);
    return st_registry_form(f.registry, offset, form, &fault);
}

static void a_line_says_what_the_values_are(void **state)
{
    (void)state;
    struct st_call_form form;
    uint64_t offset;
    assert_int_equal(st_registry_form_of(f.registry, "MPI_Recv", &offset, NULL), ST_OK);
    assert_int_equal(form_at(offset, &form), ST_OK);
    assert_string_equal(form.function, "MPI_Recv");
    assert_int_equal(form.count, 7);
    assert_string_equal(form.parameters[2].role, "type");
    assert_string_equal(form.parameters[2].type, "MPI_Datatype");
    assert_string_equal(form.parameters[2].name, "datatype");
    assert_int_equal(st_registry_form_of(f.registry, "MPI_Finalize", &offset, NULL), ST_OK);
    assert_int_equal(form_at(offset, &form), ST_OK);
    assert_int_equal(form.count, 0);
    assert_int_equal(st_registry_form_of(f.registry, "Recv", &offset, NULL), ST_OK);
    assert_int_equal(offset, UINT64_MAX);
}

static void a_damaged_line_is_a_fault(void **state)
{
    (void)state;
#define FOUR "a|b|c,a|b|c,a|b|c,a|b|c"
    static const char seventeen[] = "MPI_X:" FOUR "," FOUR "," FOUR "," FOUR ",a|b|c\n";
    static const char *const lines[] = {
        "MPI_X",           "MPI_X:",           ":\n",
        "MPI X:\n",        "MPI_X:a\n",        "MPI_X:a|b\n",
        "MPI_X:a|b|\n",    "MPI_X:a|b|c,\n",   "MPI_X:,a|b|c\n",
        "MPI_X:a|b|c d\n", "MPI_X:a|\001|c\n", seventeen,
    };
    struct st_call_form form;
    char *text = image_at(&f.image, f.image.forms_at);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        memset(text, ' ', f.image.forms_bytes);
        memcpy(text, lines[i], strlen(lines[i]));
        assert_int_equal(form_at(0, &form), ST_DAMAGED_ROOT);
    }
    assert_int_equal(form_at(f.image.forms_bytes, &form), ST_DAMAGED_ROOT);
    assert_int_equal(form_at(UINT64_MAX, &form), ST_DAMAGED_ROOT);
}

static void names_end(void **state)
{
    (void)state;
    struct st_name *names;
    size_t count;
    struct st_name *first = image_at(&f.image, f.image.names_at);
    assert_int_equal(st_registry_names(f.registry, &names, &count, NULL), ST_OK);
    assert_int_equal(count, 2);
    assert_string_equal(names[1].name, "MPI_ANY_TAG");
    free(names);
    memset(first->name, 'x', sizeof first->name);
    assert_int_equal(st_registry_forget(f.registry, NULL), ST_OK);
    assert_int_equal(st_registry_names(f.registry, &names, &count, NULL), ST_DAMAGED_ROOT);
    assert_null(names);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(threads_are_walked_as_they_are_now),
        TEST(a_walk_ends_whatever_is_there),
        TEST(a_line_says_what_the_values_are),
        TEST(a_damaged_line_is_a_fault),
        TEST(names_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
