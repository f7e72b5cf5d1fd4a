/* SPDX-License-Identifier: BSD-3-Clause */
#include "choices.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/groups.h"
#include "report/on_error.h"
#include "../options.h"
#include "../say.h"
#include "../watch/match_memory.h"
#include "files.h"
#include "skip.h"

#define MOST_REPORTS "100"

static enum st_severity severity_of(const char *option, const char *value, bool note)
{
    if (strcmp(value, "error") == 0) {
        return ST_SEVERITY_ERROR;
    }
    if (strcmp(value, "warning") == 0) {
        return ST_SEVERITY_WARNING;
    }
    if (note && strcmp(value, "note") == 0) {
        return ST_SEVERITY_NOTE;
    }
    fail(STATUS_USAGE, "'--%s=%s': it is error%s warning%s", option, value, note ? "," : " or",
         note ? " or note" : "");
}

void choices_forget(void)
{
    static const char *const names[] = {CHECK_VARIABLE,          REPORTS_VARIABLE,
                                        MAX_REPORTS_VARIABLE,    ST_ON_ERROR_VARIABLE,
                                        CALLERS_VARIABLE,        ST_MAX_DEBUGGERS_VARIABLE,
                                        ST_SYNCHRONOUS_VARIABLE, MATCH_MEMORY_VARIABLE};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unsetenv(names[i]);
    }
}

/* `typed` is the option, or the variable, by which the user gave the value. */
static void take_check(const char *typed, const char *value)
{
    unsigned groups;
    if (!st_groups_of(value, &groups)) {
        fail(STATUS_USAGE, "'%s=%s': it is " ST_CHECK_WORDS, typed, value);
    }
    setenv(CHECK_VARIABLE, value, 1);
}

static void take_most(const char *typed, const char *value)
{
    char *end;
    errno = 0;
    unsigned long most = strtoul(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || most == 0 ||
        most > 1000000) {
        fail(STATUS_USAGE, "'%s=%s': it is a number of reports, 1 to 1000000", typed, value);
    }
    setenv(MAX_REPORTS_VARIABLE, value, 1);
}

static void take_on_error(const char *typed, const char *value)
{
    if (st_on_error_find(value) == ST_ON_ERROR_COUNT) {
        fail(STATUS_USAGE, "'%s=%s': it is " ST_ON_ERROR_WORDS, typed, value);
    }
    setenv(ST_ON_ERROR_VARIABLE, value, 1);
}

static void take_max_debuggers(const char *typed, const char *value)
{
    if (st_max_debuggers(value) == 0) {
        fail(STATUS_USAGE, "'%s=%s': it is " ST_MAX_DEBUGGERS_WORDS, typed, value);
    }
    setenv(ST_MAX_DEBUGGERS_VARIABLE, value, 1);
}

static void require_variable(const char *variable,
                             void (*take)(const char *typed, const char *value))
{
    const char *value = getenv(variable);
    if (value != NULL && value[0] != '\0') {
        take(variable, text_of("%s", value));
    }
}

void choices_require(void)
{
    require_variable(CHECK_VARIABLE, take_check);
    require_variable(MAX_REPORTS_VARIABLE, take_most);
    require_variable(ST_ON_ERROR_VARIABLE, take_on_error);
    require_variable(ST_MAX_DEBUGGERS_VARIABLE, take_max_debuggers);
    require_variable(MATCH_MEMORY_VARIABLE, match_memory_take);
}

bool choices_take_for_ranks(char *const **words)
{
    const char *value;
    if (option_take(words, "check", &value)) {
        take_check("--check", value);
    } else if (option_take(words, "max-reports", &value)) {
        take_most("--max-reports", value);
    } else if (option_take(words, "on-error", &value)) {
        take_on_error("--on-error", value);
    } else if (option_take(words, "max-debuggers", &value)) {
        take_max_debuggers("--max-debuggers", value);
    } else if (option_take(words, "match-memory", &value)) {
        match_memory_take("--match-memory", value);
    } else if (option_take(words, "skip-frames", &value)) {
        skip_take(value);
    } else if (strcmp(**words, "--synchronous") == 0) { /* takes no value */
        setenv(ST_SYNCHRONOUS_VARIABLE, "1", 1);
    } else if (text_begins(**words, "--synchronous=")) {
        fail(STATUS_USAGE, "'%s': it takes no value", **words);
    } else if (option_take(words, "reports", &value)) { /* from 'mpipp run' to 'mpipp exec' */
        setenv(REPORTS_VARIABLE, value, 1);
    } else {
        return false;
    }
    return true;
}

bool choices_take(struct choices *choices, char *const **words)
{
    const char *value;
    if (strcmp(**words, "--gen-suppressions") == 0) { /* takes no value */
        choices->generate = true;
    } else if (text_begins(**words, "--gen-suppressions=")) {
        choices->generate = true;
        choices->generated = strchr(**words, '=') + 1;
    } else if (option_take(words, "report", &value)) {
        if (file_form_of(value) == NULL) {
            fail(STATUS_USAGE,
                 "'--report=%s': its name ends in .jsonl, .html, .sarif, .xml or .txt", value);
        }
        words_add(&choices->files, value);
    } else if (option_take(words, "suppress", &value)) {
        words_add(&choices->suppressions, value);
    } else if (option_take(words, "fail-on", &value)) {
        choices->fail_on = severity_of("fail-on", value, false);
    } else if (option_take(words, "severity", &value)) {
        choices->least = severity_of("severity", value, true);
    } else {
        return hang_choice_take(&choices->hang, words);
    }
    return true;
}

static void pass_option(struct words *words, const char *option, const char *variable)
{
    const char *value = getenv(variable);
    if (value != NULL && value[0] != '\0') {
        words_add(words, text_of("--%s=%s", option, value));
    }
}

void choices_pass(struct words *words)
{
    choices_require();
    pass_option(words, "check", CHECK_VARIABLE);
    pass_option(words, "max-reports", MAX_REPORTS_VARIABLE);
    pass_option(words, "on-error", ST_ON_ERROR_VARIABLE);
    pass_option(words, "max-debuggers", ST_MAX_DEBUGGERS_VARIABLE);
    pass_option(words, "match-memory", MATCH_MEMORY_VARIABLE);
    pass_option(words, "skip-frames", SKIP_FRAMES_VARIABLE);
    pass_option(words, "reports", REPORTS_VARIABLE);
    if (choices_synchronous()) {
        words_add(words, "--synchronous");
    }
}

bool choices_synchronous(void)
{
    const char *value = getenv(ST_SYNCHRONOUS_VARIABLE);
    return value != NULL && value[0] != '\0';
}

bool choices_hold(void)
{
    const char *value = getenv(ST_ON_ERROR_VARIABLE);
    enum st_on_error what = value != NULL ? st_on_error_find(value) : ST_ON_ERROR_REPORT;
    return what == ST_ON_ERROR_WAIT || what == ST_ON_ERROR_STOP;
}

unsigned choices_groups(void)
{
    unsigned groups;
    st_groups_of(getenv(CHECK_VARIABLE), &groups);
    return groups;
}

bool choices_check(void)
{
    return choices_groups() != 0;
}

unsigned long choices_most(void)
{
    const char *most = getenv(MAX_REPORTS_VARIABLE);
    if (most == NULL || most[0] == '\0') {
        setenv(MAX_REPORTS_VARIABLE, most = MOST_REPORTS, 1);
    }
    return strtoul(most, NULL, 10);
}
