/* Element addresses as texts: the grammar, the errors of bad ones, where T ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/address/address.h"
#include "fixture.h"

/* One type of each kind that an address treats in its own way. */
struct types {
    struct fixture f;
    const struct st_type *figure; /* the paper's Figure 1 */
    const struct st_type *array;  /* 2 x 3 of 4 x 5, in a resized, in a contiguous */
    const struct st_type *pair;
    const struct st_type *opaque; /* { MPI_INT, an opaque type } */
    const struct st_type *far;    /* a stride of 2^62 ints */
    struct st_route route;
};

static int setup(void **state)
{
    struct types *t = calloc(1, sizeof(*t));
    fixture_init(&t->f);
    struct image *image = &t->f.image;
    uint32_t number = image_named(image, "MPI_INT", 4);
    uint32_t types[] = {image_named(image, "MPI_LB", 0), number, image_named(image, "MPI_CHAR", 1),
                        image_named(image, "MPI_DOUBLE", 8), image_named(image, "MPI_UB", 0)};
    uint32_t figure = image_struct(image, 5, (int64_t[]){-4, 0, 47, 76, 100},
                                   (int64_t[]){1, 5, 7, 2, 1}, types, -4, 104, false);
    uint32_t array = image_subarray(image, 2, (int64_t[]){4, 5}, (int64_t[]){2, 3},
                                    (int64_t[]){1, 1}, false, image_dup(image, number));
    uint32_t resized = image_resized(image, 0, 100, array);
    uint32_t all = image_contiguous(image, 3, image_dup(image, resized));
    uint32_t pair = image_named(image, "MPI_DOUBLE_INT", 16);
    uint32_t pairs = image_vector(image, ST_VECTOR, 2, 1, 3, pair);
    uint32_t opaque = image_plain(image, ST_OPAQUE, 8, 0, 8);
    uint32_t both = image_struct(image, 2, (int64_t[]){0, 8}, (int64_t[]){1, 2},
                                 (uint32_t[]){number, opaque}, 0, 24, false);
    uint32_t far = image_vector(image, ST_VECTOR, 3, 1, INT64_C(1) << 62, number);
    fixture_open(&t->f);
    t->figure = fixture_type(&t->f, figure);
    t->array = fixture_type(&t->f, all);
    t->pair = fixture_type(&t->f, pairs);
    t->opaque = fixture_type(&t->f, both);
    t->far = fixture_type(&t->f, far);
    struct st_place root = st_place_of(t->figure, 0);
    st_route_init(&t->route, &root);
    *state = t;
    return 0;
}

static int teardown(void **state)
{
    struct types *t = *state;
    st_route_deinit(&t->route);
    fixture_deinit(&t->f);
    free(t);
    return 0;
}

static struct st_address_fault resolve(struct types *t, const struct st_type *type, int64_t count,
                                       const char *text)
{
    struct st_address_fault fault;
    char *copy = malloc(strlen(text) + 1); /* of its own, without terminator, for the sanitizer */
    memcpy(copy, text, strlen(text));
    enum st_address_error error =
        st_address_resolve(&t->route, type, 0x1000, count, copy, strlen(text), &fault);
    free(copy);
    assert_int_equal(error, fault.error);
    return fault;
}

static void check_text(struct types *t, enum st_address_form form, const char *expected)
{
    char text[100];
    assert_int_equal(st_address_format(&t->route, form, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
}

static void names_clarify_and_forms_are_equal(void **state)
{
    struct types *t = *state;
    const struct {
        const struct st_type *type;
        const char *text, *in_full, *in_short;
        int64_t at;
    } cases[] = {
        {t->figure, "(STRUCT)[2][5](MPI_CHAR)", "(STRUCT)[2][5](MPI_CHAR)", "[2][5]", 52},
        {t->figure, "[2][5]", "(STRUCT)[2][5](MPI_CHAR)", "[2][5]", 52},
        {t->figure, "(STRUCT)[2][5](CHAR)", "(STRUCT)[2][5](MPI_CHAR)", "[2][5]", 52},
        {t->figure, " ( struct ) [ 2 ]\t[5] (char) ", "(STRUCT)[2][5](MPI_CHAR)", "[2][5]", 52},
        {t->figure, "[2][05](NAMED)", "(STRUCT)[2][5](MPI_CHAR)", "[2][5]", 52},
        {t->figure, "{3}[2][5]", "{3}(STRUCT)[2][5](MPI_CHAR)", "{3}[2][5]", 3 * 104 + 52},
        {t->figure, "{3}(STRUCT)[3]", "{3}(STRUCT)[3]", "{3}[3]", 3 * 104 + 76},
        {t->figure, "{0}", "{0}(STRUCT)", "{0}", 0},
        {t->figure, "", "(STRUCT)", "", 0},
        {t->figure, "[0][0](LB)", "(STRUCT)[0][0](MPI_LB)", "[0][0]", -4},
        {t->array, "[2][0][1][2]", "(CONTIGUOUS)[2](RESIZED)[0](SUBARRAY)[1][2](MPI_INT)",
         "[2][0][1][2]", 200 + 4 * (2 * 5 + 3)},
        {t->array, "[2](RESIZED)[0](SUBARRAY)[1]", "(CONTIGUOUS)[2](RESIZED)[0](SUBARRAY)[1]",
         "[2][0][1]", 200 + 4 * 2 * 5},
        {t->pair, "[1][0].second", "(VECTOR)[1][0](MPI_DOUBLE_INT).second", "[1][0].second", 48},
        {t->pair, "[1][0](DOUBLE_INT) .first", "(VECTOR)[1][0](MPI_DOUBLE_INT).first",
         "[1][0].first", 48},
        {t->opaque, "[1][1](OPAQUE)", "(STRUCT)[1][1](OPAQUE)", "[1][1]", 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct st_address_fault fault = resolve(t, cases[i].type, ST_ANY_COUNT, cases[i].text);
        if (fault.error) {
            fail_msg("'%s': error %d at %zu", cases[i].text, (int)fault.error, fault.at);
        }
        assert_int_equal(t->route.displacement.value, cases[i].at);
        assert_int_equal(t->route.place.address, 0x1000 + cases[i].at);
        check_text(t, ST_ADDRESS_LONG, cases[i].in_full);
        check_text(t, ST_ADDRESS_SHORT, cases[i].in_short);
    }
}

static void bad_addresses_are_told_exactly(void **state)
{
    struct types *t = *state;
    const struct {
        const struct st_type *type;
        const char *text;
        struct st_address_fault fault;
        const char *node; /* the last one that there is */
    } cases[] = {
        {t->figure, "[2][7]", {ST_ADDRESS_INDEX, 3, 3, 7, 7}, "[2]"},
        {t->figure, "[5]", {ST_ADDRESS_INDEX, 0, 3, 5, 5}, ""},
        {t->figure, "[2][-1]", {ST_ADDRESS_INDEX, 3, 4, -1, 7}, "[2]"},
        {t->figure, "[2][9223372036854775807]", {ST_ADDRESS_INDEX, 3, 21, INT64_MAX, 7}, "[2]"},
        {t->figure, "[2][9223372036854775808]", {ST_ADDRESS_NUMBER, 3, 21, 0, 0}, "[2]"},
        {t->figure, "[99999999999999999999999999]", {ST_ADDRESS_NUMBER, 0, 28, 0, 0}, ""},
        {t->figure, "[2][5][0]", {ST_ADDRESS_LEAF, 6, 3, 0, 0}, "[2][5]"},
        {t->figure, "(VECTOR)[2]", {ST_ADDRESS_NAME, 1, 6, 0, 0}, ""},
        {t->figure, "[2][5]( INT )", {ST_ADDRESS_NAME, 8, 3, 0, 0}, "[2][5]"},
        {t->figure, "[2][5](STRUCT)", {ST_ADDRESS_NAME, 7, 6, 0, 0}, "[2][5]"},
        {t->figure, "[2](MPI_CHAR)", {ST_ADDRESS_STAGE, 4, 8, 0, 0}, "[2]"},
        {t->array, "[2][0][1](SUBARRAY)", {ST_ADDRESS_STAGE, 10, 8, 0, 0}, "[2][0][1]"},
        {t->figure, "[2][5].first", {ST_ADDRESS_MEMBER, 6, 6, 0, 0}, "[2][5]"},
        {t->pair, "[1].second", {ST_ADDRESS_MEMBER, 3, 7, 0, 0}, "[1]"},
        {t->opaque, "[1][0][0]", {ST_ADDRESS_INSIDE, 6, 3, 0, 0}, "[1][0]"},
        {t->far, "[2]", {ST_ADDRESS_OVERFLOW, 0, 3, 2, 3}, ""},
        {t->figure, "[2]{0}", {ST_ADDRESS_SYNTAX, 3, 3, 0, 0}, "[2]"},
        {t->figure, "{0}{0}", {ST_ADDRESS_SYNTAX, 3, 3, 0, 0}, "{0}"},
        {t->figure, "(STRUCT)(STRUCT)", {ST_ADDRESS_SYNTAX, 9, 6, 0, 0}, ""},
        {t->pair, "[1][0].first.first", {ST_ADDRESS_SYNTAX, 12, 6, 0, 0}, "[1][0].first"},
        {t->pair, "[1][0].first[0]", {ST_ADDRESS_SYNTAX, 12, 3, 0, 0}, "[1][0].first"},
        {t->figure, "[2", {ST_ADDRESS_SYNTAX, 2, 0, 0, 0}, ""},
        {t->figure, "[", {ST_ADDRESS_SYNTAX, 1, 0, 0, 0}, ""},
        {t->figure, "[]", {ST_ADDRESS_SYNTAX, 1, 0, 0, 0}, ""},
        {t->figure, "[-]", {ST_ADDRESS_SYNTAX, 2, 0, 0, 0}, ""},
        {t->figure, "[1}", {ST_ADDRESS_SYNTAX, 2, 0, 0, 0}, ""},
        {t->figure, "[i]", {ST_ADDRESS_SYNTAX, 1, 0, 0, 0}, ""},
        {t->figure, "(STRUCT", {ST_ADDRESS_SYNTAX, 7, 0, 0, 0}, ""},
        {t->figure, "()", {ST_ADDRESS_SYNTAX, 1, 0, 0, 0}, ""},
        {t->figure, "2", {ST_ADDRESS_SYNTAX, 0, 0, 0, 0}, ""},
        {t->figure, "[2].third", {ST_ADDRESS_SYNTAX, 3, 0, 0, 0}, "[2]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct st_address_fault fault = resolve(t, cases[i].type, ST_ANY_COUNT, cases[i].text);
        const struct st_address_fault *expected = &cases[i].fault;
        if (fault.error != expected->error || fault.at != expected->at ||
            fault.length != expected->length || fault.index != expected->index ||
            fault.children != expected->children) {
            fail_msg("'%s': error %d at %zu, %zu long, index %lld of %lld", cases[i].text,
                     (int)fault.error, fault.at, fault.length, (long long)fault.index,
                     (long long)fault.children);
        }
        check_text(t, ST_ADDRESS_SHORT, cases[i].node);
    }
}

static void repetitions_are_bounded_by_the_count(void **state)
{
    struct types *t = *state;
    assert_int_equal(resolve(t, t->figure, 3, "{2}[1]").error, ST_ADDRESS_OK);
    assert_int_equal(resolve(t, t->figure, 3, "[1]").error, ST_ADDRESS_OK);
    struct st_address_fault fault = resolve(t, t->figure, 3, "{3}[1]");
    assert_int_equal(fault.error, ST_ADDRESS_REPETITION);
    assert_int_equal(fault.index, 3);
    assert_int_equal(fault.children, 3);
    assert_int_equal(resolve(t, t->figure, 0, "{0}").error, ST_ADDRESS_REPETITION);
    assert_int_equal(resolve(t, t->figure, ST_ANY_COUNT, "{-1}").error, ST_ADDRESS_REPETITION);
    assert_int_equal(resolve(t, t->figure, ST_ANY_COUNT, "{88686269585142075}[1]").error,
                     ST_ADDRESS_OK);
    fault = resolve(t, t->figure, ST_ANY_COUNT, "{88686269585142076}");
    assert_int_equal(fault.error, ST_ADDRESS_OVERFLOW);
    assert_int_equal(fault.index, INT64_C(88686269585142076));
}

static void texts_are_bounded(void **state)
{
    struct types *t = *state;
    static const char whole[] = "(STRUCT)[2][5](MPI_CHAR)";
    assert_int_equal(resolve(t, t->figure, 1, whole).error, ST_ADDRESS_OK);
    for (size_t size = 0; size < sizeof whole + 2; size++) {
        char *text = malloc(size + 1);
        memset(text, 'x', size + 1);
        assert_int_equal(st_address_format(&t->route, ST_ADDRESS_LONG, text, size),
                         sizeof whole - 1);
        assert_int_equal(text[size], 'x');
        if (size) {
            size_t fits = size < sizeof whole ? size - 1 : sizeof whole - 1;
            assert_int_equal(strlen(text), fits);
            assert_memory_equal(text, whole, fits);
        }
        free(text);
    }
    assert_int_equal(st_address_format(&t->route, ST_ADDRESS_SHORT, NULL, 0), 6);
}

/* Prefixes, separated by '|', in the order in which they are to be tried. */
static void check_splits(const char *text, const char *expected)
{
    size_t splits[ST_ADDRESS_SPLITS], used = 0;
    char found[2000] = "";
    size_t count = st_address_splits(text, strlen(text), splits);
    for (size_t i = 0; i < count; i++) {
        assert_true(splits[i] <= strlen(text) && used + splits[i] + 2 < sizeof found);
        memcpy(found + used, text, splits[i]);
        used += splits[i];
        found[used++] = '|';
    }
    found[used ? used - 1 : 0] = 0;
    if (strcmp(found, expected) != 0) {
        fail_msg("'%s' has '%s', not '%s'", text, found, expected);
    }
}

static void the_type_ends_where_a_sound_rest_begins(void **state)
{
    (void)state;
    check_splits("struDT[2][5]", "struDT[2][5]|struDT[2]|struDT");
    check_splits("types[1][0]", "types[1][0]|types[1]|types");
    check_splits("types[i][0]", "types[i][0]|types[i]");
    check_splits("T", "T");
    check_splits("$mpi_type(5)[2]", "$mpi_type(5)[2]|$mpi_type(5)");
    check_splits("$mpi_type(i)[2]", "$mpi_type(i)[2]|$mpi_type(i)|$mpi_type");
    check_splits("\"my name\"[1]", "\"my name\"");
    check_splits("\"a \\\"[0]\\\"\"[1]", "\"a \\\"[0]\\\"\"");
    check_splits("'face'{2}[1](INT)", "'face'");
    check_splits("\"open[1]", "\"open[1]|\"open");
    check_splits("T(STRUCT)[2][5](MPI_CHAR)",
                 "T|T(STRUCT)[2][5](MPI_CHAR)|T(STRUCT)[2][5]|T(STRUCT)[2]|T(STRUCT)");
    check_splits("a[1](CONTIGUOUS)[2](STRUCT)[0]", "a[1]|a|a[1](CONTIGUOUS)[2](STRUCT)[0]|"
                                                   "a[1](CONTIGUOUS)[2](STRUCT)|"
                                                   "a[1](CONTIGUOUS)[2]|a[1](CONTIGUOUS)");
    check_splits("T{1}[2]", "T{1}[2]|T{1}|T");
    check_splits("T[0]{1}[2]", "T[0]{1}[2]|T[0]{1}|T[0]");
    check_splits("p.first[2]", "p.first[2]|p.first");
    check_splits("p[0].first", "p[0].first|p[0]|p");
    check_splits("T[2].second ", "T[2].second|T[2]|T");
    check_splits("f(a)(b)[1]", "f(a)(b)[1]|f(a)(b)|f(a)");
    check_splits("s.types [ 1 ] [0]", "s.types [ 1 ] [0]|s.types [ 1 ]|s.types");
    check_splits("0x4c[0]", "0x4c[0]|0x4c");
    check_splits("T[-1]", "T[-1]|T");
    check_splits("T[1 2]", "T[1 2]");
    check_splits("[1]", "[1]");
    check_splits("", "");
    check_splits("  ", "");
    check_splits("]", "]");
    check_splits("T)", "T)");
    /* the shortest, when there are more; the sure ones first */
    check_splits("a[1][2](STRUCT)[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]",
                 "a[1][2]|a[1]|a|a[1][2](STRUCT)[0][0][0][0][0][0][0][0][0][0][0][0]|"
                 "a[1][2](STRUCT)[0][0][0][0][0][0][0][0][0][0][0]|"
                 "a[1][2](STRUCT)[0][0][0][0][0][0][0][0][0][0]|"
                 "a[1][2](STRUCT)[0][0][0][0][0][0][0][0][0]|"
                 "a[1][2](STRUCT)[0][0][0][0][0][0][0][0]|a[1][2](STRUCT)[0][0][0][0][0][0][0]|"
                 "a[1][2](STRUCT)[0][0][0][0][0][0]|a[1][2](STRUCT)[0][0][0][0][0]|"
                 "a[1][2](STRUCT)[0][0][0][0]|a[1][2](STRUCT)[0][0][0]|a[1][2](STRUCT)[0][0]|"
                 "a[1][2](STRUCT)[0]|a[1][2](STRUCT)");
    check_splits("T[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]",
                 "T[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]|"
                 "T[0][0][0][0][0][0][0][0][0][0][0][0][0][0]|"
                 "T[0][0][0][0][0][0][0][0][0][0][0][0][0]|T[0][0][0][0][0][0][0][0][0][0][0][0]|"
                 "T[0][0][0][0][0][0][0][0][0][0][0]|T[0][0][0][0][0][0][0][0][0][0]|"
                 "T[0][0][0][0][0][0][0][0][0]|T[0][0][0][0][0][0][0][0]|T[0][0][0][0][0][0][0]|"
                 "T[0][0][0][0][0][0]|T[0][0][0][0][0]|T[0][0][0][0]|T[0][0][0]|T[0][0]|T[0]|T");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_clarify_and_forms_are_equal, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_addresses_are_told_exactly, setup, teardown),
        cmocka_unit_test_setup_teardown(repetitions_are_bounded_by_the_count, setup, teardown),
        cmocka_unit_test_setup_teardown(texts_are_bounded, setup, teardown),
        cmocka_unit_test(the_type_ends_where_a_sound_rest_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
