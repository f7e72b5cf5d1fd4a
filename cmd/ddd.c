/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp ddd: becomes DDD, whose debugger is 'mpipp gdb', with buttons for the plugin's commands.
 *
 *     mpipp ddd -n 2 ./app args
 *  →  ddd --gdb --debugger "'.../mpipp' gdb -n 2" -xrm 'Ddd*consoleButtons: ...' ./app args
 */
#include "commands.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debugger.h"
#include "findings/choices.h"
#include "options.h"
#include "say.h"
#include "tree.h"
#include "words.h"

/* A button: its command, in which () means the text of DDD's argument field, and its label. */
struct button {
    const char *command;
    const char *label;
};

static const struct button buttons[] = {
    {"mpi call", "MPI Call"},
    {"mpi types", "MPI Types"},
    {"mpi type ()", "MPI Type ()"},
    {"mpi browse ()", "MPI Browse ()"},
    {"mpi draw -open (), mpipp.svg", "MPI Draw ()"},
};

/* Resources of DDD are lines: a line end in them is written as a backslash and an n. */
static const char *button_lines(void)
{
    const char *lines = "";
    for (size_t i = 0; i < sizeof buttons / sizeof buttons[0]; i++) {
        if (!tree_has_command(buttons[i].command)) {
            continue;
        }
        lines = text_of("%s%s%s // %s", lines, lines[0] == '\0' ? "" : "\\n", buttons[i].command,
                        buttons[i].label);
    }
    return lines;
}

static void add_resource(struct words *command, const char *name, const char *value)
{
    words_add(command, "-xrm");
    words_add(command, text_of("Ddd*%s: %s", name, value));
}

/* Adds the words of 'mpipp gdb' before PROGRAM to *OPTIONS, and our option for DDD to *DDD. Returns
 * PROGRAM and the words after it. */
static char *const *take_options(struct words *options, const char **ddd, char *const *words)
{
    static const char *const ours[] = {"gdb", "mpi", "launcher", "stdin"};
    for (; *words != NULL && (*words)[0] == '-'; words++) {
        const char *word = *words;
        if (strcmp(word, "--") == 0) {
            return words + 1;
        }
        if (option_take(&words, "ddd", ddd)) {
            continue;
        }
        char *const *first = words;
        const char *value;
        bool taken = option_take_callers(&words) || choices_take_for_ranks(&words) ||
                     option_take_ranks(&words, &value);
        for (size_t i = 0; !taken && i < sizeof ours / sizeof ours[0]; i++) {
            taken = option_take(&words, ours[i], &value);
        }
        if (!taken) {
            debugger_take_option(options, &words);
            continue;
        }
        for (; first <= words; first++) {
            words_add(options, *first);
        }
    }
    return words;
}

/* DDD writes its settings, with the buttons, when it ends: it gets another folder for them, so that
 * a DDD without mpipp does not find them. */
static void keep_settings_apart(void)
{
    const char *home = getenv("HOME");
    if (getenv("DDD_STATE") != NULL || home == NULL) {
        return;
    }
    const char *folder = text_of("%s/.ddd", home);
    const char *own = text_of("%s/mpipp", folder);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        return;
    }
    if (mkdir(own, 0700) != 0 && errno != EEXIST) {
        return;
    }
    setenv("DDD_STATE", own, 1);
}

int command_ddd(char *const *words)
{
    const char *ddd = "ddd";
    struct words options = {0};
    if (*words != NULL && strcmp(*words, "--help") == 0) {
        return command_help((char *[]){"ddd", NULL});
    }
    words = take_options(&options, &ddd, words);
    if (*words == NULL) {
        fail(STATUS_USAGE, "no program given to 'mpipp ddd'");
    }

    struct words command = {0};
    if (!words_split(&command, ddd) || command.count == 0) {
        fail(STATUS_USAGE, "'--ddd=%s': it is a program, with options", ddd);
    }
    const char *debugger = text_of("%s gdb", text_quoted(tree_executable()));
    for (size_t i = 0; i < options.count; i++) {
        debugger = text_of("%s %s", debugger, text_quoted(options.list[i]));
    }
    words_add(&command, "--gdb");
    words_add(&command, "--debugger");
    words_add(&command, debugger);
    const char *lines = button_lines();
    add_resource(&command, "consoleButtons", lines);
    add_resource(&command, "dataButtons", lines);
    words_add_all(&command, words);

    keep_settings_apart();
    execvp(command.list[0], command.list);
    if (errno == ENOENT) {
        fail(STATUS_NOT_FOUND, "no such program: '%s': DDD has to be installed", command.list[0]);
    }
    fail(STATUS_CANNOT_RUN, "cannot run '%s': %s", command.list[0], strerror(errno));
}
