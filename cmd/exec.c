/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp exec: becomes the program, with the library preloaded. In 'mpipp run' the launcher starts
 * each rank through it, in 'mpipp gdb' gdb does; batch scripts use it directly.
 *
 * --optional is for a gdb that was started without a program: a program without MPI is then run as
 * it is.
 */
#include "commands.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "findings/choices.h"
#include "hold.h"
#include "launcher.h"
#include "nodes/join.h"
#include "options.h"
#include "preload.h"
#include "program.h"
#include "say.h"

static _Noreturn void become_program(const struct program *program, char *const *words)
{
    execv(program->path, words);
    fail(STATUS_CANNOT_RUN, "cannot run '%s': %s", program->name, strerror(errno));
}

int command_exec(char *const *words)
{
    bool optional = false;
    const char *mpi_option = NULL;
    const char *hold = NULL;
    for (; *words != NULL && (*words)[0] == '-'; words++) {
        if (strcmp(*words, "--") == 0) {
            words++;
            break;
        }
        if (strcmp(*words, "--help") == 0) {
            return command_help((char *[]){"exec", NULL});
        }
        if (strcmp(*words, "--optional") == 0) {
            optional = true;
        } else if (!option_take(&words, "mpi", &mpi_option) &&
                   !option_take(&words, "hold", &hold) && !option_take_callers(&words) &&
                   !choices_take_for_ranks(&words)) {
            fail(STATUS_USAGE, "'mpipp exec' has no option '%s'", *words);
        }
    }
    if (*words == NULL) {
        fail(STATUS_USAGE, "no program given to 'mpipp exec'");
    }
    choices_require();

    struct program program;
    enum mpi_kind kind = mpi_kind_asked(mpi_option);
    program_find(&program, *words);
    program_require_runnable(&program);
    if (program.kind == PROGRAM_STATIC && optional) {
        become_program(&program, words);
    }
    if (program.kind == PROGRAM_STATIC) {
        fail(STATUS_CANNOT_RUN, "%s", program_no_mpi_sentence(&program));
    }
    if (kind == MPI_KIND_NONE) {
        program_find_mpi(&program);
        kind = program.mpi;
    }
    bool found = mpi_kind_has_library(kind);
    if (!found && optional) {
        become_program(&program, words);
    }
    if (!found) {
        fail(STATUS_USAGE, "%s", program_no_mpi_sentence(&program));
    }

    if (launcher_is_wrong(kind)) {
        program_find_mpi(&program);
        if (!program_takes_other_launcher(&program, kind)) {
            warn("'%s' uses %s, but the launcher of another MPI started it: each rank is alone",
                 program.name, mpi_kind_title(kind));
        }
    }
    node_join();
    preload_set(kind, (choices_groups() & ST_GROUP_SIZE) != 0);
    if (optional) {
        mpi_kind_prepare_environment(kind);
    }
    if (hold != NULL) {
        hold_set(hold);
    }
    become_program(&program, words);
}
