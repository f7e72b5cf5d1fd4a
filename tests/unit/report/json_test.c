/* Records as lines of JSON (report_json.c), read back by a JSON library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include "report/report.h"
#include "report/writer.h"

/* Reads LENGTH bytes of JSON in memory of their own, so that a sanitizer sees a byte too many. */
static json_t *parse(const char *bytes, size_t length)
{
    char *copy = malloc(length);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    assert_null(memchr(copy, '\n', length));
    json_error_t error;
    json_t *read = json_loadb(copy, length, 0, &error);
    if (read == NULL)
        fail_msg("%s in: %.*s", error.text, (int)length, copy);
    free(copy);
    return read;
}

static const char *text_at(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static int64_t number_at(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static const struct st_frame frames[] = {
    {.module = "/opt/a b/app",
     .offset = 4660,
     .build = "c0ffee",
     .symbol = "exchange",
     .symbol_offset = 28,
     .is_return = true},
    {.text = "halo.py:12 in main"},
};
static const struct st_argument arguments[] = {{"buf", "0x7ffd1000"}, {"count", "1"}};
static const struct st_element elements[] = {
    {.rank = 1, .address = "cell_t(STRUCT)[0][0](MPI_DOUBLE)", .byte = -8, .type = "MPI_DOUBLE"}};
static const struct st_piece blocks[] = {{-4, 4, "MPI_INT"}, {8, 16, "MPI_DOUBLE"}};
static const struct st_reported_type types[] = {{.handle = "0x8c000005",
                                                 .name = "cell_t",
                                                 .text = "{kind = VECTOR}",
                                                 .measured = true,
                                                 .size = 20,
                                                 .lb = -4,
                                                 .extent = INT64_MAX,
                                                 .true_lb = -4,
                                                 .true_extent = INT64_MIN,
                                                 .blocks = {blocks, 2, 7},
                                                 .created = {frames, 1},
                                                 .freed = {frames, 2}}};
static const struct st_other_call others[] = {{.call = "MPI_Isend", .site = {frames, 2}}};
static const struct st_finding whole = {.check = ST_DATATYPE_FREED,
                                        .number = 3,
                                        .count = 17,
                                        .rank = 1,
                                        .process = 4711,
                                        .message = "sends with a freed datatype",
                                        .call = "MPI_Send",
                                        .arguments = arguments,
                                        .argument_count = 2,
                                        .site = {frames, 2},
                                        .elements = elements,
                                        .element_count = 1,
                                        .types = types,
                                        .type_count = 1,
                                        .others = others,
                                        .other_count = 1,
                                        .advice = "free it later"};

static void a_finding_keeps_all_its_facts(void **state)
{
    (void)state;
    static char line[ST_FINDING_ROOM];
    json_t *read = parse(line, st_finding_json(&whole, line, sizeof line));
    assert_string_equal(text_at(read, "record"), "finding");
    assert_int_equal(number_at(read, "n"), 3);
    assert_string_equal(text_at(read, "id"), "datatype-freed");
    assert_string_equal(text_at(read, "severity"), "error");
    assert_string_equal(text_at(read, "message"), "sends with a freed datatype");
    assert_int_equal(number_at(read, "rank"), 1);
    assert_int_equal(number_at(read, "pid"), 4711);
    assert_int_equal(number_at(read, "count"), 17);
    assert_string_equal(text_at(read, "call"), "MPI_Send");
    assert_string_equal(text_at(read, "advice"), "free it later");
    assert_null(json_object_get(read, "shortened"));

    json_t *pair = json_array_get(json_object_get(read, "arguments"), 1);
    assert_string_equal(json_string_value(json_array_get(pair, 0)), "count");
    assert_string_equal(json_string_value(json_array_get(pair, 1)), "1");

    json_t *site = json_object_get(read, "site");
    assert_int_equal(json_array_size(site), 2);
    json_t *frame = json_array_get(site, 0);
    assert_string_equal(text_at(frame, "module"), "/opt/a b/app");
    assert_int_equal(number_at(frame, "offset"), 4660);
    assert_string_equal(text_at(frame, "build"), "c0ffee");
    assert_string_equal(text_at(frame, "symbol"), "exchange");
    assert_int_equal(number_at(frame, "symbol_offset"), 28);
    assert_true(json_is_true(json_object_get(frame, "return")));
    assert_string_equal(text_at(json_array_get(site, 1), "text"), "halo.py:12 in main");

    json_t *element = json_array_get(json_object_get(read, "elements"), 0);
    assert_int_equal(number_at(element, "byte"), -8);
    json_t *type = json_array_get(json_object_get(read, "types"), 0);
    assert_string_equal(text_at(type, "text"), "{kind = VECTOR}");
    assert_int_equal(number_at(type, "extent"), INT64_MAX);
    assert_int_equal(number_at(type, "true_extent"), INT64_MIN);
    assert_int_equal(number_at(type, "left_out"), 7);
    json_t *block = json_array_get(json_object_get(type, "blocks"), 0);
    assert_int_equal(json_integer_value(json_array_get(block, 0)), -4);
    assert_string_equal(json_string_value(json_array_get(block, 2)), "MPI_INT");
    assert_int_equal(json_array_size(json_object_get(type, "created")), 1);
    assert_int_equal(json_array_size(json_object_get(type, "committed")), 0);
    json_t *other = json_array_get(json_object_get(read, "other"), 0);
    assert_string_equal(text_at(other, "call"), "MPI_Isend");
    json_decref(read);
}

static void any_bytes_become_valid_text(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *read;
    } cases[] = {
        {"a\"b\\c/\n\t\x01\x1f\x7f", "a\"b\\c/\n\t\x01\x1f\x7f"},
        {"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
         "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xff", "\xef\xbf\xbd"},
        {"\xc2\x9b\xe2\x80\xae\xe2\x81\xa6", "\xc2\x9b\xe2\x80\xae\xe2\x81\xa6"},
        {"\xc3", "\xef\xbf\xbd"},
        {"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},                   /* overlong */
        {"\xed\xa0\x80x", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx"}, /* a surrogate */
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static char line[ST_FINDING_ROOM];
        struct st_finding finding = {.check = ST_DATATYPE_NULL, .message = cases[i].bytes};
        size_t length = st_finding_json(&finding, line, sizeof line);
        json_t *read = parse(line, length);
        assert_string_equal(text_at(read, "message"), cases[i].read);
        for (size_t at = 0, size; at < length; at += size) {
            size = st_text_character(line + at);
            assert_false(st_text_acts(st_text_code(line + at, size)));
        }
        json_decref(read);
    }
}

/* Whatever the room, the line is whole JSON or it is not there; from ROOM_LEAST on it is there. */
static void a_finding_is_shortened_to_its_room(void **state)
{
    (void)state;
    enum { MANY = 300, LONG = 5000 };
    static char text[LONG + 1];
    static struct st_frame many_frames[MANY];
    static struct st_argument many_arguments[MANY];
    static struct st_reported_type many_types[MANY];
    static struct st_piece many_blocks[MANY];
    memset(text, 1, LONG); /* six bytes each in JSON */
    for (size_t i = 0; i < MANY; i++) {
        many_frames[i] = (struct st_frame){text, text, i, text, text, i, true};
        many_arguments[i] = (struct st_argument){text, text};
        many_blocks[i] = (struct st_piece){(int64_t)i, 1, text};
    }
    struct st_frames site = {many_frames, MANY};
    for (size_t i = 0; i < MANY; i++)
        many_types[i] = (struct st_reported_type){.handle = text,
                                                  .name = text,
                                                  .text = text,
                                                  .measured = true,
                                                  .blocks = {many_blocks, MANY, 0},
                                                  .created = site,
                                                  .committed = site,
                                                  .freed = site};
    struct st_element element = {.address = text, .type = text};
    struct st_other_call other = {.call = text, .site = site};
    struct st_finding finding = {.check = ST_BUFFER_NULL,
                                 .message = text,
                                 .call = text,
                                 .advice = text,
                                 .arguments = many_arguments,
                                 .argument_count = MANY,
                                 .site = site,
                                 .elements = &element,
                                 .element_count = 1,
                                 .types = many_types,
                                 .type_count = MANY,
                                 .others = &other,
                                 .other_count = 1};
    for (size_t room = 0; room <= ST_FINDING_ROOM; room += 509) {
        char *line = malloc(room + 1);
        assert_non_null(line);
        line[room] = '#';
        size_t length = st_finding_json(&finding, line, room);
        assert_int_equal(line[room], '#');
        assert_true(length <= room);
        assert_true(length != 0 || room < ST_FINDING_ROOM_LEAST);
        if (length != 0) {
            json_t *read = parse(line, length);
            assert_string_equal(text_at(read, "id"), "buffer-null");
            assert_true(json_is_true(json_object_get(read, "shortened")));
            json_decref(read);
        }
        free(line);
    }
}

static void the_other_records(void **state)
{
    (void)state;
    char line[1024];
    struct st_begin start = {2, 4, 99, "node\"01", "MPICH 4.0.2", "/path/app", INT64_C(1) << 39};
    json_t *read = parse(line, st_begin_json(&start, line, sizeof line));
    assert_string_equal(text_at(read, "record"), "begin");
    assert_int_equal(number_at(read, "rank"), 2);
    assert_int_equal(number_at(read, "size"), 4);
    assert_string_equal(text_at(read, "host"), "node\"01");
    assert_int_equal(number_at(read, "world"), INT64_C(1) << 39);
    json_decref(read);
    read = parse(line, st_count_json(3, INT64_C(10000000), line, sizeof line));
    assert_int_equal(number_at(read, "n"), 3);
    assert_int_equal(number_at(read, "count"), 10000000);
    json_decref(read);
    read = parse(line, st_end_json(&(struct st_end_counts){.calls = 1234}, line, sizeof line));
    assert_int_equal(number_at(read, "calls"), 1234);
    assert_null(json_object_get(read, "uncompared"));
    json_decref(read);
    const struct st_end_counts last = {.calls = 9, .collectives = 5, .uncompared = 2};
    read = parse(line, st_end_json(&last, line, sizeof line));
    assert_int_equal(number_at(read, "collectives"), 5);
    assert_int_equal(number_at(read, "uncompared"), 2);
    json_decref(read);
    read = parse(line, st_exit_json(7, line, sizeof line));
    assert_string_equal(text_at(read, "record"), "exit");
    assert_int_equal(number_at(read, "status"), 7);
    json_decref(read);
    read = parse(line, st_note_json("cannot write", line, sizeof line));
    assert_string_equal(text_at(read, "text"), "cannot write");
    json_decref(read);
    assert_int_equal(st_note_json("cannot write", line, 20), 0);
}

static void the_catalogue_finds_its_ids(void **state)
{
    (void)state;
    for (unsigned check = 0; check < ST_CHECK_COUNT; check++) {
        assert_int_equal(st_check_find(st_check_rows[check].id), check);
        assert_true(st_check_rows[check].title[0] != '\0');
    }
    assert_int_equal(st_check_find("datatype"), ST_CHECK_COUNT);
    assert_int_equal(st_check_find(""), ST_CHECK_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finding_keeps_all_its_facts),
        cmocka_unit_test(any_bytes_become_valid_text),
        cmocka_unit_test(a_finding_is_shortened_to_its_room),
        cmocka_unit_test(the_other_records),
        cmocka_unit_test(the_catalogue_finds_its_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
