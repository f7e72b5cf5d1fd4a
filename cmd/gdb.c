/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp gdb: becomes gdb with the plugin loaded. What gdb starts, it starts through 'mpipp exec'.
 *
 *     mpipp gdb -n 1 -q ./app args
 *  →  gdb -iex 'source .../mpipp-gdb.py' -iex "set exec-wrapper '.../mpipp' exec --mpi=... --" \
 *         -q --args ./app args
 *     mpipp gdb -q ./app core.0
 *  →  gdb -iex 'source .../mpipp-gdb.py' -q ./app core.0
 */
#include "commands.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "debugger.h"
#include "findings/answer.h"
#include "findings/choices.h"
#include "gdb_ranks.h"
#include "mi_unfold.h"
#include "options.h"
#include "preload.h"
#include "program.h"
#include "say.h"
#include "tree.h"
#include "words.h"

struct session {
    struct gdb_ranks ranks; /* its options, which include those for a single rank */
    bool just_arguments;    /* --args: words after the program are never core files */
    const char *frontend;   /* the frontend that drives gdb, if it needs more than gdb's own
                               GDB/MI */
};

/* Takes the options. Returns the rest: the program and the words after it. */
static char *const *take_options(struct session *session, char *const *words)
{
    for (; *words != NULL && (*words)[0] == '-'; words++) {
        const char *word = *words;
        if (strcmp(word, "--") == 0) {
            return words + 1;
        }
        if (strcmp(word, "--args") == 0 || strcmp(word, "-args") == 0) {
            session->just_arguments = true;
            return words + 1;
        }
        struct gdb_ranks *ranks = &session->ranks;
        if (option_take(&words, "gdb", &ranks->gdb) || option_take(&words, "mpi", &ranks->mpi) ||
            option_take(&words, "launcher", &ranks->launcher) ||
            option_take(&words, "stdin", &ranks->input) ||
            option_take(&words, "frontend", &session->frontend) || option_take_callers(&words) ||
            choices_take_for_ranks(&words) || option_take_ranks(&words, &ranks->count)) {
            continue;
        }
        debugger_take_option(&ranks->options, &words);
    }
    return words;
}

static bool all_are_cores(char *const *words)
{
    for (; *words != NULL; words++) {
        if (!program_is_core_file(*words)) {
            return false;
        }
    }
    return true;
}

/* gdb's command line takes one core file. The others become further inferiors, before any of the
 * user's commands. PROGRAM may be NULL: only the core files are known. */
static void add_more_cores(struct words *command, const char *program, char *const *cores)
{
    if (*cores == NULL) {
        return;
    }
    for (int inferior = 2; *cores != NULL; cores++, inferior++) {
        debugger_add(command, "-ex",
                     program != NULL
                         ? text_of("add-inferior -no-connection -exec %s", text_quoted(program))
                         : "add-inferior -no-connection");
        debugger_add(command, "-ex", text_of("inferior %d", inferior));
        debugger_add(command, "-ex", text_of("core-file %s", *cores));
    }
    debugger_add(command, "-ex", "inferior 1");
}

/* Adds the preload for the programs that gdb will start. */
static void add_preload(struct words *command, const struct session *session,
                        struct program *program)
{
    enum mpi_kind kind = mpi_kind_asked(session->ranks.mpi);
    if (kind == MPI_KIND_NONE && program->path != NULL) {
        program_find_mpi(program);
        kind = program->mpi;
        if (!mpi_kind_has_library(kind)) {
            warn("%s", program_no_mpi_sentence(program));
        }
    } else if (program->kind == PROGRAM_STATIC) {
        warn("%s", program_no_mpi_sentence(program));
        return;
    }
    const char *runner = text_quoted(tree_executable());
    if (program->path == NULL && kind == MPI_KIND_NONE) { /* gdb will get the program by 'file' */
        debugger_add(command, "-iex", text_of("set exec-wrapper %s exec --optional --", runner));
    }
    if (!mpi_kind_has_library(kind)) {
        return;
    }
    preload_unset(kind);
    mpi_kind_prepare_environment(kind);
    debugger_add(command, "-iex",
                 text_of("set exec-wrapper %s exec --mpi=%s --", runner, mpi_kind_name(kind)));
}

/* Adds a program. A script is debugged in its interpreter, which may be a script itself (pyenv's
 * "python3" is). */
static void add_program(struct words *command, const struct program *program, int depth)
{
    if (program->kind == PROGRAM_SCRIPT && depth < 4) {
        struct program interpreter;
        program_find(&interpreter, program->interpreter.list[0]);
        add_program(command, &interpreter, depth + 1);
        words_add_all(command, program->interpreter.list + 1);
    }
    words_add(command, program->path);
}

static void serve_frontend(const char *name)
{
    if (strcmp(name, "cdt-gdb-adapter") != 0) {
        fail(STATUS_USAGE, "'--frontend=%s': the one that needs it is cdt-gdb-adapter", name);
    }
    mi_unfold_output();
}

int command_gdb(char *const *words)
{
    struct session session = {.ranks.gdb = debugger_default()};
    const struct gdb_ranks *ranks = &session.ranks;
    if (*words != NULL && strcmp(*words, "--help") == 0) {
        return command_help((char *[]){"gdb", NULL});
    }
    words = take_options(&session, words);
    choices_require();
    if (session.frontend != NULL) {
        serve_frontend(session.frontend);
    }
    if (ranks->launcher != NULL || (ranks->count != NULL && strtol(ranks->count, NULL, 10) > 1)) {
        gdb_ranks(ranks, words);
    }
    if (ranks->input != NULL) {
        fail(STATUS_USAGE, "'--stdin' is for several ranks: here, gdb has 'run < FILE'");
    }

    struct program program = {0};
    bool cores = false;
    bool only_cores = *words != NULL && !session.just_arguments && all_are_cores(words);
    if (*words != NULL && !only_cores) {
        program_find(&program, *words);
        cores = words[1] != NULL && !session.just_arguments && all_are_cores(words + 1);
        /* The program of a core file need not be able to run here. */
        if (!cores || program.kind == PROGRAM_MISSING || program.kind == PROGRAM_DIRECTORY) {
            program_require_runnable(&program);
        }
    }
    debugger_require(ranks->gdb);

    struct words command = {0};
    debugger_begin(&command, ranks->gdb);
    if (only_cores) {
        warn("without the program of %s, gdb shows neither its lines nor its variables: mpipp gdb "
             "PROGRAM %s%s",
             *words, *words, words[1] != NULL ? " ..." : "");
        add_more_cores(&command, NULL, words + 1);
        words_add_all(&command, ranks->options.list);
        words_add(&command, text_of("--core=%s", *words));
    } else if (cores) {
        const char *executable =
            program.kind == PROGRAM_SCRIPT ? program.interpreter.list[0] : program.path;
        add_more_cores(&command, executable, words + 2);
        words_add_all(&command, ranks->options.list);
        words_add(&command, executable);
        words_add(&command, words[1]);
    } else {
        add_preload(&command, &session, &program);
        words_add_all(&command, ranks->options.list);
        if (program.path != NULL) {
            words_add(&command, "--args");
            add_program(&command, &program, 0);
            words_add_all(&command, words + 1);
        }
    }
    answer_start();
    debugger_become(&command);
}
