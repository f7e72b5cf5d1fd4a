/* A report as text (report_text.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/report.h"

static char bytes[ST_FINDING_ROOM];

static const char *text_of(const struct st_finding *finding, struct st_look look)
{
    size_t length = st_finding_text(finding, &look, bytes, sizeof bytes - 1);
    bytes[length] = '\0';
    return bytes;
}

static void the_whole_form(void **state)
{
    (void)state;
    const struct st_frame site[] = {{.text = "halo.c:58 in exchange()"},
                                    {.text = "halo.c:80 in main()"}};
    const struct st_frame made[] = {{.module = "/a/app", .offset = 0x1234}};
    const struct st_frame done[] = {{.module = "/a/app", .symbol = "make", .symbol_offset = 28}};
    const struct st_argument arguments[] = {{"buf", "0x7ffd1000"}, {"count", "1"}};
    const struct st_element elements[] = {
        {.rank = 1, .address = "cell_t[0]", .byte = 0, .type = "MPI_DOUBLE"},
        {.rank = 0, .address = "0x8c[1]", .byte = -8, .type = "MPI_INT"}};
    const struct st_reported_type types[] = {{.handle = "0x8c000005",
                                              .name = "cell_t",
                                              .text = "{kind = DUP}",
                                              .created = {made, 1},
                                              .committed = {done, 1}}};
    const struct st_other_call others[] = {{.call = "MPI_Isend", .site = {site, 1}}};
    const struct st_finding finding = {.check = ST_DATATYPE_SUSPICIOUS,
                                       .rank = 1,
                                       .count = 17,
                                       .message = "receives oddly",
                                       .call = "MPI_Recv",
                                       .arguments = arguments,
                                       .argument_count = 2,
                                       .site = {site, 2},
                                       .elements = elements,
                                       .element_count = 2,
                                       .types = types,
                                       .type_count = 1,
                                       .others = others,
                                       .other_count = 1,
                                       .advice = "do better"};
    assert_string_equal(
        text_of(&finding, (struct st_look){.attach = "4711", .remark = "rank 1 on node01"}),
        "mpipp: warning datatype-suspicious: rank 1 receives oddly (17 times)\n"
        "  receive   MPI_Recv(buf=0x7ffd1000, count=1)   halo.c:58 in exchange()\n"
        "    called from halo.c:80 in main()\n"
        "    element cell_t[0], byte 0\n"
        "    element 0x8c[1], byte -8, rank 0\n"
        "  type      cell_t 0x8c000005: created at app+0x1234, committed at make()+0x1c\n"
        "    {kind = DUP}\n"
        "  send      MPI_Isend   halo.c:58 in exchange(), rank 0\n"
        "  advice    do better\n"
        "  look      mpipp attach 4711   (rank 1 on node01)\n");
}

/* The lines of a report that show a datatype. */
static const char *type_lines(const char *text)
{
    const struct st_reported_type types[] = {{.handle = "0x8c", .text = text}};
    const struct st_finding finding = {
        .check = ST_DATATYPE_NULL, .message = "m", .types = types, .type_count = 1};
    const char *before = "mpipp: error datatype-null: rank 0 m\n  type      0x8c\n";
    const char *whole = text_of(&finding, (struct st_look){0});
    assert_memory_equal(whole, before, strlen(before));
    return whole + strlen(before);
}

static void long_types_take_several_lines(void **state)
{
    (void)state;
    assert_string_equal(
        type_lines("{kind = SUBARRAY, ndims = 3, sizes = {7, 8, 7}, subsizes = {4, 5, 1}, "
                   "starts = {1, 2, 6}, order = C, type = \"cell\"}"),
        "    {kind = SUBARRAY, ndims = 3, sizes = {7, 8, 7}, subsizes = {4, 5, 1}, "
        "starts = {1, 2, 6},\n"
        "    order = C, type = \"cell\"}\n");
    /* 100 bytes are a line, and what has no comma is not broken. */
    char text[301];
    memset(text, 'x', 300);
    text[300] = 0;
    text[99] = ',';
    text[100] = ' ';
    const char *lines = type_lines(text);
    assert_int_equal(strcspn(lines, "\n"), 4 + 100);
    assert_int_equal(strcspn(lines + 105, "\n"), 4 + 199);
    text[99] = 'x';
    text[100] = ',';
    text[101] = ' ';
    assert_int_equal(strcspn(type_lines(text), "\n"), 4 + 101);
    /* The end of a member in braces is better than that of a number, unless the line is half empty then. */
    text[60] = '}';
    text[61] = ',';
    text[62] = ' ';
    text[90] = ',';
    text[91] = ' ';
    assert_int_equal(strcspn(type_lines(text), "\n"), 4 + 62);
    text[60] = 'x';
    assert_int_equal(strcspn(type_lines(text), "\n"), 4 + 91);
}

static void subject_severity_and_colour_are_the_callers(void **state)
{
    (void)state;
    struct st_finding finding = {.check = ST_DATATYPE_UNKNOWN,
                                 .severity = ST_SEVERITY_WARNING,
                                 .rank = -1,
                                 .process = 7,
                                 .message = "m"};
    assert_string_equal(text_of(&finding, (struct st_look){0}),
                        "mpipp: warning datatype-unknown: process 7 m\n");
    assert_string_equal(text_of(&finding, (struct st_look){.subject = "each of ranks 0-3"}),
                        "mpipp: warning datatype-unknown: each of ranks 0-3 m\n");
    assert_string_equal(
        text_of(&finding, (struct st_look){.colour = true}),
        "mpipp: \033[1;33mwarning\033[0m \033[1mdatatype-unknown\033[0m: process 7 m\n");
}

static void nothing_acts_on_a_terminal(void **state)
{
    (void)state;
    struct st_finding finding = {.check = ST_DATATYPE_NULL, .message = "a\033[2J\nb\xff"};
    assert_string_equal(text_of(&finding, (struct st_look){0}),
                        "mpipp: error datatype-null: rank 0 a [2J b\xef\xbf\xbd\n");
    finding.message = "a\x7f\xc2\x9b"                         /* CSI */
                      "b\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f" /* U+202E, U+2066, U+200F */
                      "c\xe2\x80\xa8\xc2\xa0\xc3\xbc";        /* U+2028; U+A0 and U+FC may be */
#define REPLACED "\xef\xbf\xbd"
    assert_string_equal(text_of(&finding, (struct st_look){0}),
                        "mpipp: error datatype-null: rank 0 a " REPLACED
                        "b" REPLACED REPLACED REPLACED "c" REPLACED "\xc2\xa0\xc3\xbc\n");
}

static void too_little_room_leaves_whole_lines(void **state)
{
    (void)state;
    struct st_finding finding = {.check = ST_DATATYPE_NULL, .message = "m", .advice = "first"};
    const char *full = "mpipp: error datatype-null: rank 0 m\n  advice    first\n";
    struct st_look look = {0};
    size_t first = strcspn(full, "\n") + 1;
    for (size_t room = 0; room <= strlen(full); room++) {
        char *exact = malloc(room + 1);
        assert_non_null(exact);
        size_t length = st_finding_text(&finding, &look, exact, room);
        assert_int_equal(length, room < first ? 0 : room < strlen(full) ? first : strlen(full));
        assert_memory_equal(exact, full, length);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_form),
        cmocka_unit_test(long_types_take_several_lines),
        cmocka_unit_test(subject_severity_and_colour_are_the_callers),
        cmocka_unit_test(nothing_acts_on_a_terminal),
        cmocka_unit_test(too_little_room_leaves_whole_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
