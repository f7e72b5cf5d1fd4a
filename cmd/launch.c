/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "built_for.h"
#include "launcher.h"
#include "options.h"
#include "python.h"
#include "say.h"
#include "tree.h"

static bool is_program(const char *word)
{
    struct program program;
    program_find(&program, word);
    return program_is_runnable(&program);
}

/* Copies the options before the program for the launcher, takes mpipp's own, and returns the rest,
 * which begins with the program. */
static char *const *pass_options(struct launch *launch, char *const *words)
{
    const char *refused = NULL;
    bool may_be_value = false; /* the word before is an unknown option */
    for (; *words != NULL; words++) {
        const char *word = *words;
        if (strcmp(word, "--") == 0) {
            if (words[1] != NULL) {
                return words + 1;
            }
            break;
        }
        if (word[0] != '-' || word[1] == '\0') {
            if (!may_be_value || is_program(word)) {
                return words;
            }
            refused = word;
            may_be_value = false;
            words_add(&launch->passed, word);
            continue;
        }
        if (option_take(&words, "launcher", &launch->launcher) ||
            option_take(&words, "mpi", &launch->mpi) || option_take_callers(&words) ||
            choices_take_for_ranks(&words) ||
            (launch->choices != NULL && choices_take(launch->choices, &words))) {
            continue;
        }
        words_add(&launch->passed, word);
        int values = option_values(options_of_launchers, word);
        may_be_value = values < 0 && strchr(word, '=') == NULL;
        const char *name = word + strspn(word, "-");
        if (words[1] != NULL && (strcmp(name, "wdir") == 0 || strcmp(name, "wd") == 0)) {
            launch->folder = words[1];
        }
        for (; values > 0; values--) {
            if (words[1] == NULL) {
                fail(STATUS_USAGE, "option '%s' needs a value", word);
            }
            words_add(&launch->passed, *++words);
            if (option_counts_ranks(word)) {
                option_require_ranks(word, *words);
            }
        }
    }
    if (refused != NULL) {
        fail(STATUS_NOT_FOUND, "no program given to '%s': '%s' is not a program", launch->command,
             refused);
    }
    fail(STATUS_USAGE, "no program given to '%s'", launch->command);
}

/* Ends mpipp with a sentence if the user asks for another MPI than the one that the program is linked with. What a
 * script will use, or an interpreter, is not known so well. */
static void require_own_mpi(const struct launch *launch)
{
    const struct program *program = &launch->program;
    const bool differs = launch->kind != MPI_KIND_NONE && mpi_kind_has_library(program->mpi) &&
                         program->mpi != launch->kind;
    if (differs && program->kind == PROGRAM_DYNAMIC && !python_is_one(program->path)) {
        fail(STATUS_USAGE, "'%s' uses %s, not %s: %s", program->name, mpi_kind_title(program->mpi),
             mpi_kind_title(launch->kind),
             launch->mpi != NULL ? "leave out --mpi" : "unset MPIPP_MPI");
    }
}

static void find_mpi(struct launch *launch)
{
    launch->kind = mpi_kind_asked(launch->mpi);
    if (launch->program.kind == PROGRAM_STATIC) {
        fail(STATUS_CANNOT_RUN, "%s", program_no_mpi_sentence(&launch->program));
    }
    /* Also with --mpi, the library shows which of several launchers belongs to it. */
    program_find_mpi(&launch->program);
    require_own_mpi(launch);
    if (launch->kind == MPI_KIND_NONE || launch->program.mpi == MPI_KIND_ABI) {
        launch->kind = launch->program.mpi;
    }
    if (!mpi_kind_has_library(launch->kind)) {
        fail(STATUS_USAGE, "%s", program_no_mpi_sentence(&launch->program));
    }
}

/* Passes one program with its arguments, up to the end, or to the ':' before the next one. */
static char *const *pass_program(struct launch *launch, char *const *words)
{
    struct program program;
    program_find(&program, *words);
    if (program.kind == PROGRAM_MISSING && launch->folder != NULL && (*words)[0] != '/') {
        program_find(&program, text_of("%s/%s", launch->folder, *words));
    }
    program_require_runnable(&program);
    if (launch->program.name == NULL) {
        launch->program = program;
        find_mpi(launch);
    }
    words_add(&launch->passed, tree_executable());
    words_add(&launch->passed, "exec");
    words_add(&launch->passed, text_of("--mpi=%s", mpi_kind_name(launch->kind)));
    if (launch->hold != NULL) {
        words_add(&launch->passed, text_of("--hold=%s", launch->hold));
    }
    const char *callers = option_callers(); /* the launcher need not pass on variables */
    if (callers != NULL) {
        words_add(&launch->passed, text_of("--callers=%s", callers));
    }
    choices_pass(&launch->passed);
    words_add(&launch->passed, "--");
    for (; *words != NULL && strcmp(*words, ":") != 0; words++) {
        words_add(&launch->passed, *words);
    }
    return words;
}

void launch_take_programs(struct launch *launch, char *const *words)
{
    words = pass_program(launch, words);
    while (*words != NULL) {
        words_add(&launch->passed, *words++);
        words = pass_program(launch, pass_options(launch, words));
    }
    /* Checked here, so that there is one sentence, not one per rank. */
    tree_library(launch->kind);
    if (launch->program.mpi == launch->kind) {
        built_for_compare(launch->kind, launch->program.name, launch->program.mpi_soname);
    }
    if (choices_groups() & ST_GROUP_SIZE) {
        tree_heap();
    }
}

char *const *launch_take_options(struct launch *launch, char *const *words)
{
    return pass_options(launch, words);
}

void launch_take(struct launch *launch, char *const *words)
{
    launch_take_programs(launch, pass_options(launch, words));
}

/* Adds the words for Open MPI's launcher. It passes a variable to other hosts only if `-x NAME` stands before
 * each program. */
static void add_exporting(struct words *command, const struct launch *launch)
{
    bool is_begin = true;
    for (size_t i = 0; i < launch->passed.count; i++) {
        if (is_begin) {
            words_add(command, "-x");
            words_add(command, launch->exported);
        }
        words_add(command, launch->passed.list[i]);
        is_begin = strcmp(launch->passed.list[i], ":") == 0;
    }
}

void launch_command(const struct launch *launch, struct words *command)
{
    const size_t first = command->count;
    if (launch->launcher == NULL) {
        words_add(command, launcher_find(launch->kind, launch->program.mpi_library));
    } else {
        size_t before = command->count;
        if (!words_split(command, launch->launcher)) {
            fail(STATUS_USAGE, "a quote is not closed in the launcher \"%s\"", launch->launcher);
        }
        if (command->count == before) {
            fail(STATUS_USAGE, "the launcher is empty");
        }
        const char *launcher = command->list[before];
        if (!program_takes_other_launcher(&launch->program, launch->kind) &&
            launcher_belongs_to_other(launcher, launch->kind)) {
            fail(STATUS_USAGE,
                 "'%s' is the launcher of another MPI, and '%s' uses %s: each rank would be alone",
                 launcher, launch->program.name, mpi_kind_title(launch->kind));
        }
    }
    if (launch->kind == MPI_KIND_OPENMPI && launch->exported != NULL &&
        launcher_is_known(command->list[first])) {
        add_exporting(command, launch);
    } else {
        words_add_all(command, launch->passed.list);
    }
    mpi_kind_prepare_environment(launch->kind);
}
