/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp explain: the meaning of a check, a wrong program as an example, and what to do. The texts
 * are in cmd/explain, the programs in examples/errors.
 */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "explain.h"
#include "say.h"

#include "explain_texts.h" /* generated: explain_texts[] */

enum { TEXTS = sizeof explain_texts / sizeof explain_texts[0] };
_Static_assert((int)TEXTS == (int)ST_CHECK_COUNT, "each check has a text and a program");

static int finish_output(void)
{
    if (fflush(stdout) != 0) {
        fail(1, "cannot write the text");
    }
    return 0;
}

static int list_checks(void)
{
    for (unsigned check = 0; check < ST_CHECK_COUNT; check++) {
        printf("%-26s %-8s %s\n", st_check_rows[check].id,
               st_severity_name(st_check_rows[check].severity), st_check_rows[check].title);
    }
    return finish_output();
}

/* Prints the program, indented. */
static void print_program(const char *program)
{
    while (*program != '\0') {
        size_t length = strcspn(program, "\n");
        printf("%s%.*s\n", length != 0 ? "    " : "", (int)length, program);
        program += length + 1;
    }
}

static size_t text_of_check(enum st_check check)
{
    size_t i = 0;
    while (i + 1 < TEXTS && strcmp(explain_texts[i].id, st_check_rows[check].id) != 0) {
        i++;
    }
    return i;
}

const char *explain_meaning(enum st_check check)
{
    return explain_texts[text_of_check(check)].meaning;
}

const char *explain_fix(enum st_check check)
{
    return explain_texts[text_of_check(check)].fix;
}

int command_explain(char *const *words)
{
    if (words[0] == NULL) {
        return list_checks();
    }
    if (strcmp(words[0], "--help") == 0) {
        return command_help((char *[]){"explain", NULL});
    }
    if (words[1] != NULL) {
        fail(STATUS_USAGE, "'mpipp explain' takes one check: '%s' is too much", words[1]);
    }
    enum st_check check = st_check_find(words[0]);
    if (check == ST_CHECK_COUNT) {
        fail(STATUS_USAGE, "no check is called '%s'; 'mpipp explain' lists them", words[0]);
    }
    size_t text = text_of_check(check);
    printf("%s (%s): %s\n\n%sExample:\n\n", words[0],
           st_severity_name(st_check_rows[check].severity), st_check_rows[check].title,
           explain_texts[text].meaning);
    print_program(explain_texts[text].program);
    printf("\nFix:\n\n%s", explain_texts[text].fix);
    return finish_output();
}
