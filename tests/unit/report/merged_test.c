/* Records of many ranks merged (cmd/findings/merged.h), suppressed, written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../../../cmd/findings/merged.h"
#include "../../../cmd/findings/print.h"

/* The command frees nothing: it ends soon. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static struct findings findings;

static int forget(void **state)
{
    (void)state;
    memset(&findings, 0, sizeof findings);
    return 0;
}

static void line(const char *key, const char *text)
{
    findings_line(&findings, key, text, strlen(text));
}

static void finding(const char *key, const char *id, const char *message, const char *place,
                    int rank)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "{\"record\":\"finding\",\"n\":1,\"id\":\"%s\",\"message\":\"%s\",\"rank\":%d,\"pid\":7,"
        "\"call\":\"MPI_Send\",\"site\":[{\"text\":\"%s\"}]}",
        id, message, rank, place);
    line(key, text);
}

static void the_same_of_many_ranks_is_one(void **state)
{
    (void)state;
    static const int ranks[] = {5, 1, 0, 7, 6, 2, 9};
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
        char key[16];
        snprintf(key, sizeof key, "%d-a", ranks[i]);
        finding(key, "datatype-null", "sends", "a.c:1 in f()", ranks[i]);
    }
    finding("0-a", "datatype-null", "sends", "a.c:2 in f()", 0);
    finding("0-a", "datatype-null", "receives", "a.c:1 in f()", 0);
    finding("0-a", "datatype-freed", "sends", "a.c:1 in f()", 0);
    assert_int_equal(findings.report_count, 4);
    assert_string_equal(report_ranks(findings.reports[0]), "0-2,5-7,9");
    assert_string_equal(report_subject(findings.reports[0]), "each of ranks 0-2,5-7,9");
    assert_string_equal(report_subject(findings.reports[1]), "rank 0");
    assert_int_equal(findings.reports[0]->count, 7);
    assert_int_equal(findings.reports[0]->facts->finding.rank, 0); /* the lowest speaks for all */
    assert_string_equal(findings.reports[0]->facts->site.places[0].file, "a.c");
    assert_int_equal(findings.reports[0]->facts->site.places[0].line, 1);
    assert_string_equal(findings.reports[0]->facts->site.places[0].function, "f");
}

/* A message from rank FROM to rank TO, between the calls of lines SENT and TAKEN. */
static void message(const char *id, const char *words, int to, int from, int taken, int sent)
{
    char key[16], text[1024];
    snprintf(key, sizeof key, "%d-a", to);
    snprintf(text, sizeof text,
             "{\"record\":\"finding\",\"n\":%d,\"id\":\"%s\",\"message\":\"%s %d sends with tag %d\","
             "\"rank\":%d,\"ranks\":[%d,%d],\"subject\":\"rank %d\",\"pid\":%d,\"site\":[],\"other\":["
             "{\"rank\":%d,\"call\":\"MPI_Recv\",\"site\":[{\"text\":\"a.c:%d in f()\"}]},"
             "{\"rank\":%d,\"call\":\"MPI_Send\",\"site\":[{\"text\":\"a.c:%d in f()\"}]}]}",
             1 + from, id, words, from, 7, to, to, from, to, 100 + to, to, taken, from, sent);
    line(key, text);
}

/* One call of a ring fails in each rank: that is one error of the program, and not one of each pair. */
static void the_same_between_several_pairs_is_one(void **state)
{
    (void)state;
    for (int to = 3; to >= 0; to--) {
        message("match-lost", "never receives what rank", to, (to + 3) % 4, 1, 2);
        message("match-type", "receives 1 x MPI_INT where rank", to, (to + 3) % 4, 1, 2);
    }
    message("match-lost", "never receives what rank", 2, 0, 1, 3);              /* another send */
    message("match-type", "receives 2 x MPI_INT where rank", 2, 1, 1, 2);       /* another error */
    assert_int_equal(findings.report_count, 4);
    assert_string_equal(report_subject(findings.reports[0]), "rank 0");
    assert_string_equal(report_message(findings.reports[0]),
                        "never receives what rank 3 sends with tag 7");
    assert_string_equal(report_also(findings.reports[0]),
                        "the same between other ranks: 4 times in all, ranks 0-3");
    assert_non_null(strstr(report_text(findings.reports[1], "host", false),
                           "\n  also      the same between other ranks: 4 times in all, ranks 0-3\n"));
    assert_null(report_also(findings.reports[2]));
    assert_null(report_also(findings.reports[3]));
}

/* The exit status of a run whose launcher had to be killed. */
static void the_status_is_that_of_the_ranks(void **state)
{
    (void)state;
    int status;
    assert_false(findings_status(&findings, &status));
    line("0-a", "{\"record\":\"begin\",\"rank\":0,\"size\":2,\"pid\":7}");
    line("0-a", "{\"record\":\"end\",\"calls\":5}");
    line("0-a", "{\"record\":\"exit\",\"status\":0}");
    assert_false(findings_status(&findings, &status)); /* there is one more */
    line("1-b", "{\"record\":\"begin\",\"rank\":1,\"size\":2,\"pid\":8}");
    line("1-b", "{\"record\":\"exit\",\"status\":0}");
    assert_false(findings_status(&findings, &status)); /* without MPI_Finalize */
    line("1-b", "{\"record\":\"end\",\"calls\":5}");
    assert_true(findings_status(&findings, &status));
    assert_int_equal(status, 0);
    line("1-b", "{\"record\":\"exit\",\"status\":259}");
    assert_true(findings_status(&findings, &status));
    assert_int_equal(status, 3);
    assert_int_equal(findings.damaged, 0);
    line("1-b", "{\"record\":\"begin\",\"rank\":1,\"size\":2,\"pid\":8}");
    assert_false(findings_status(&findings, &status)); /* another program in the same process */
}

static void counts_are_totals_of_their_process(void **state)
{
    (void)state;
    finding("0-a", "datatype-null", "sends", "a.c:1", 0);
    finding("1-b", "datatype-null", "sends", "a.c:1", 1);
    line("0-a", "{\"record\":\"count\",\"n\":1,\"count\":10000000}");
    line("0-a", "{\"record\":\"count\",\"n\":1,\"count\":10000001}");
    line("1-b", "{\"record\":\"count\",\"n\":1,\"count\":1}");
    line("1-b", "{\"record\":\"count\",\"n\":2,\"count\":99}"); /* none is called so */
    assert_int_equal(findings.reports[0]->count, 10000002);
    assert_non_null(
        strstr(report_again(findings.reports[0]), "ranks 0-1; 10000002 times in all\n"));
}

static void the_end_is_told_as_it_was(void **state)
{
    (void)state;
    line("0-a", "{\"record\":\"begin\",\"rank\":0,\"size\":3,\"pid\":70,\"host\":\"h\"}");
    line("1-b", "{\"record\":\"begin\",\"rank\":1,\"size\":3,\"pid\":71,\"host\":\"h\"}");
    line("2-c", "{\"record\":\"begin\",\"rank\":2,\"size\":3,\"pid\":72,\"host\":\"h\"}");
    assert_string_equal(summary_text(&findings),
                        "mpipp: ranks 0-2 did not come to their end: they were killed, crashed or "
                        "left at once; their calls are not counted\n"
                        "mpipp: nothing is known: all ranks ended early\n");
    line("0-a", "{\"record\":\"end\",\"calls\":5}");
    line("2-c", "{\"record\":\"end\",\"calls\":6}");
    assert_string_equal(
        summary_text(&findings),
        "mpipp: rank 1 (process 71) did not come to its end: it was killed, crashed "
        "or left at once; its calls are not counted\n"
        "mpipp: nothing was found; 11 calls checked on 2 of 3 ranks; nothing more is known: 1 rank "
        "ended early\n");
    line("1-b", "{\"record\":\"end\",\"calls\":1}");
    finding("1-b", "datatype-leak", "leaks", "a.c:1", 1);
    finding("1-b", "datatype-null", "sends", "a.c:1", 1);
    finding("1-b", "datatype-freed", "sends", "a.c:1", 1);
    assert_string_equal(summary_text(&findings),
                        "mpipp: 2 errors, 1 warning; 12 calls checked on 3 ranks\n");
}

static void what_is_not_known_is_not_called_clean(void **state)
{
    (void)state;
    line("0-a", "{\"record\":\"begin\",\"rank\":0,\"size\":3,\"pid\":70,\"host\":\"h\"}");
    line("0-a", "{\"record\":\"end\",\"calls\":5}");
    line("1-b", "{\"record\":\"begin\",\"rank\":-1,\"size\":-1,\"pid\":71,\"host\":\"h\"}");
    finding("1-b", "datatype-leak", "leaks", "a.c:1", -1);
    assert_string_equal(summary_text(&findings),
                        "mpipp: process 71 did not come to its end: it was killed, crashed or left "
                        "at once; its calls are not counted\n"
                        "mpipp: 1 rank did not come to MPI_Init\n"
                        "mpipp: 1 warning; 5 calls checked on 1 of 3 ranks; nothing more is known: "
                        "2 ranks ended early\n");
}

static void a_damaged_record_is_not_called_clean(void **state)
{
    (void)state;
    line("0-a", "{\"record\":\"begin\",\"rank\":0,\"size\":1,\"pid\":70,\"host\":\"h\"}");
    line("0-a", "{\"record\":\"fin");
    line("0-a", "{\"record\":\"end\",\"calls\":5}");
    assert_string_equal(summary_text(&findings),
                        "mpipp: 1 record of the ranks could not be read\n"
                        "mpipp: nothing was found; 5 calls checked on 1 rank\n");
}

static void nothing_gathered_is_not_called_clean(void **state)
{
    (void)state;
    assert_string_equal(summary_text(&findings),
                        "mpipp: nothing was checked: no process has called "
                        "MPI_Init under 'mpipp run'\n");
}

static void damage_is_counted_and_passed_over(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",
        "{",
        "nonsense",
        "[]",
        "{}",
        "{\"record\":1}",
        "{\"record\":\"other\"}",
        "{\"record\":\"finding\"}",
        "{\"record\":\"finding\",\"id\":\"no-such\"}",
        "{\"record\":\"finding\",\"id\":5}",
        "{\"record\":\"note\"}",
    };
    size_t count = sizeof lines / sizeof lines[0];
    for (size_t i = 0; i < count; i++)
        line("0-a", lines[i]);
    assert_int_equal(findings.damaged, count);
    assert_int_equal(findings.report_count, 0);
    /* Members of other kinds than ours are as if they were not there. */
    line("0-a",
         "{\"record\":\"finding\",\"id\":\"file-view\",\"rank\":\"x\",\"call\":[],\"site\":{},"
         "\"arguments\":[1,[2],[]],\"elements\":[[]],\"types\":[7,{\"created\":[1],"
         "\"blocks\":[3]}],\"other\":[null],\"count\":-4,\"message\":null}");
    assert_int_equal(findings.report_count, 1);
    assert_int_equal(findings.reports[0]->count, 1);
    assert_non_null(report_text(findings.reports[0], "here", true));
}

static void what_is_less_severe_is_left_out(void **state)
{
    (void)state;
    findings.least = ST_SEVERITY_ERROR;
    finding("0-a", "datatype-leak", "leaks", "a.c:1", 0);
    finding("0-a", "datatype-null", "sends", "a.c:1", 0);
    assert_int_equal(findings.report_count, 1);
    assert_int_equal(findings_count(&findings, ST_SEVERITY_ERROR), 1);
}

static void notes_are_kept_once(void **state)
{
    (void)state;
    line("0-a", "{\"record\":\"note\",\"text\":\"disk full\"}");
    line("1-a", "{\"record\":\"note\",\"text\":\"disk full\"}");
    line("1-a", "{\"record\":\"note\",\"text\":\"other\"}");
    assert_int_equal(findings.note_count, 2);
}

/* Whether a file with just this line suppresses a leak at src/a.c:12 in setup(). */
static bool suppresses(const char *text)
{
    char path[] = "/tmp/mpipp-suppress-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    forget(NULL);
    suppressions_read(&findings.suppressions, path);
    unlink(path);
    finding("0-a", "datatype-leak", "leaks", "src/a.c:12 in setup()", 0);
    assert_int_equal(findings_count(&findings, ST_SEVERITY_WARNING),
                     findings.reports[0]->suppressed ? 0 : 1);
    return findings.reports[0]->suppressed;
}

static void suppressions_match_ids_and_places(void **state)
{
    (void)state;
    static const char *const matching[] = {
        "datatype-leak",
        "  datatype-leak  \r\n",
        "*-leak",
        "# why\n\ndatatype-leak:set\n",
        "datatype-leak:fun:setup",
        "datatype-leak:fun:s*p",
        "datatype-*:src:a.c",
        "datatype-leak:src:a.c:12",
        "datatype-leak:src:src/a.c",
        "datatype-leak:src:*/a.c:1?",
        "datatype-leak:a.c",
    };
    static const char *const others[] = {
        "",
        "# datatype-leak",
        "datatype-null",
        "datatype-leak:fun:set",
        "datatype-leak:src:b.c",
        "datatype-leak:src:a.c:13",
        "datatype-leak:obj:*",
        "request-*:setup",
    };
    for (size_t i = 0; i < sizeof matching / sizeof matching[0]; i++) {
        if (!suppresses(matching[i]))
            fail_msg("does not suppress: %s", matching[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (suppresses(others[i]))
            fail_msg("suppresses: %s", others[i]);
    }
    assert_string_equal(suppression_for(findings.reports[0]->facts), "datatype-leak:fun:setup");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_same_of_many_ranks_is_one, forget),
        cmocka_unit_test_setup(the_same_between_several_pairs_is_one, forget),
        cmocka_unit_test_setup(the_status_is_that_of_the_ranks, forget),
        cmocka_unit_test_setup(counts_are_totals_of_their_process, forget),
        cmocka_unit_test_setup(the_end_is_told_as_it_was, forget),
        cmocka_unit_test_setup(what_is_not_known_is_not_called_clean, forget),
        cmocka_unit_test_setup(a_damaged_record_is_not_called_clean, forget),
        cmocka_unit_test_setup(what_is_not_known_is_not_called_clean, forget),
        cmocka_unit_test_setup(a_damaged_record_is_not_called_clean, forget),
        cmocka_unit_test_setup(nothing_gathered_is_not_called_clean, forget),
        cmocka_unit_test_setup(damage_is_counted_and_passed_over, forget),
        cmocka_unit_test_setup(what_is_less_severe_is_left_out, forget),
        cmocka_unit_test_setup(notes_are_kept_once, forget),
        cmocka_unit_test_setup(suppressions_match_ids_and_places, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
