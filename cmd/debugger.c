/* SPDX-License-Identifier: BSD-3-Clause */
#include "debugger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "elf_file.h"
#include "options.h"
#include "program.h"
#include "say.h"
#include "tree.h"

#define OLDEST_GDB 13

const char *debugger_default(void)
{
    const char *gdb = getenv("MPIPP_GDB");
    return gdb == NULL || gdb[0] == '\0' ? "gdb" : gdb;
}

/* Nearly every gdb is linked with Python's library. To start one only for a question would double
 * the time until the user's own is there. */
static bool has_python_library(const char *gdb)
{
    struct program program;
    program_find(&program, gdb);
    struct elf_file file;
    if (program.kind != PROGRAM_DYNAMIC || elf_open(&file, program.path) != ELF_OK) {
        return false;
    }
    const bool has = elf_needs(&file, "libpython3");
    elf_close(&file);
    return has;
}

void debugger_require(const char *gdb)
{
    if (has_python_library(gdb)) {
        return;
    }
    static const char mark[] = "mpipp:version ";
    struct words question = {0};
    words_add(&question, gdb);
    words_add(&question, "-nx");
    words_add(&question, "-batch");
    words_add(&question, "-ex");
    words_add(&question, "python import gdb; print('mpipp:version ' + gdb.VERSION)");

    char *answer;
    int status = child_output(question.list, &answer);
    if (status == STATUS_NOT_FOUND) {
        fail(STATUS_NOT_FOUND, "no such gdb: '%s'", gdb);
    }
    if (strstr(answer, "Python scripting is not supported") != NULL) {
        fail(1, "'%s' is built without Python", gdb);
    }
    const char *version = strstr(answer, mark);
    if (version == NULL) {
        fail(1, "'%s' does not work as a gdb", gdb);
    }
    version += strlen(mark);
    if (strtol(version, NULL, 10) < OLDEST_GDB) {
        fail(1, "'%s' is gdb %.*s: mpipp needs %d or later", gdb, (int)strcspn(version, "\n"),
             version, OLDEST_GDB);
    }
}

void debugger_begin(struct words *command, const char *gdb)
{
    words_add(command, gdb);
    debugger_add(command, "-iex", "python mpipp_required = True");
    debugger_add(command, "-iex", text_of("source %s", tree_plugin()));
}

void debugger_add(struct words *command, const char *option, const char *value)
{
    words_add(command, option);
    words_add(command, value);
}

void debugger_call(struct words *command, const char *module, const char *call)
{
    debugger_add(command, "-ex",
                 text_of("python import importlib, sys; 'mpipp' in sys.modules and "
                         "importlib.import_module('mpipp.%s').%s",
                         module, call));
}

char *debugger_bytes(const char *text)
{
    char *quoted = text_of("b'");
    for (; *text != '\0'; text++) {
        quoted = text_of("%s\\x%02x", quoted, (unsigned char)*text);
    }
    return text_of("%s'", quoted);
}

void debugger_take_option(struct words *options, char *const **words)
{
    const char *word = **words;
    words_add(options, word);
    for (int values = option_values(options_of_gdb, word); values > 0; values--) {
        if ((*words)[1] == NULL) {
            fail(STATUS_USAGE, "option '%s' needs a value", word);
        }
        words_add(options, *++*words);
    }
}

void debugger_become(const struct words *command)
{
    const char *gdb = command->list[0];
    execvp(gdb, command->list);
    fail(STATUS_NOT_FOUND, "cannot run '%s': %s", gdb, strerror(errno));
}
