/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp run: starts the program's own MPI launcher, which starts each rank through 'mpipp exec',
 * and gathers the ranks' reports.
 *
 *     mpipp run -n 2 ./a x : -n 1 ./b
 *  →  mpiexec.mpich -n 2 mpipp exec --mpi=mpich -- ./a x : -n 1 mpipp exec --mpi=mpich -- ./b
 */
#include "commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "findings/watch.h"
#include "launch.h"
#include "nodes/job_key.h"
#include "nodes/nodes.h"
#include "nodes/several.h"
#include "say.h"
#include "words.h"

/* Becomes the launcher: for a run without checks. */
static _Noreturn void become_command(char *const *command)
{
    execvp(command[0], command);
    fail(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN, "cannot run the launcher '%s': %s",
         command[0], strerror(errno));
}

static bool are_equal(const char *one, const char *other)
{
    const char *a = getenv(one), *b = getenv(other);
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* srun gives its tasks the variables of MPICH's launcher, too (--mpi=pmi2), except that of its proxy. */
static bool is_task_of_srun(void)
{
    return are_equal("PMI_RANK", "SLURM_PROCID") && are_equal("PMI_SIZE", "SLURM_STEP_NUM_TASKS") &&
           getenv("HYDI_CONTROL_FD") == NULL;
}

/* Says so where a launcher has started several of us: each would start a job of its own. */
static void warn_under_launcher(void)
{
    static const struct {
        const char *rank, *size, *launcher;
    } launchers[] = {{"PMI_RANK", "PMI_SIZE", "mpiexec"},
                     {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "mpirun"},
                     {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "srun"}};
    for (size_t i = is_task_of_srun() ? 2 : 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        const char *rank = getenv(launchers[i].rank), *size = getenv(launchers[i].size);
        if (rank == NULL || size == NULL || strtol(size, NULL, 10) < 2) {
            continue;
        }
        if (strcmp(rank, "0") == 0) {
            warn("'%s' has started %s of 'mpipp run', and each starts a job: 'mpipp run "
                 "--launcher=%s' "
                 "starts one, and '%s ... mpipp exec PROGRAM' is for scripts",
                 launchers[i].launcher, size, launchers[i].launcher, launchers[i].launcher);
        }
        return;
    }
}

int command_run(char *const *words)
{
    if (*words != NULL && strcmp(*words, "--help") == 0) {
        return command_help((char *[]){"run", NULL});
    }
    struct choices choices = {0};
    struct launch launch = {.command = "mpipp run", .choices = &choices};
    struct words command = {0};
    words = launch_take_options(&launch, words);
    warn_under_launcher();
    if (!choices_check() &&
        (choices.files.count != 0 || choices.fail_on != 0 || choices_synchronous())) {
        fail(STATUS_USAGE, "'--check=none' leaves nothing to report");
    }
    struct watch *watch = choices_check() ? watch_open(&choices) : NULL;
    launch_take_programs(&launch, words);
    unsetenv(GATHER_VARIABLE); /* of a job in which this one is started */
    if (watch != NULL && nodes_are_several(&launch.passed, launch.launcher)) {
        nodes_open();
        launch.exported = nodes_are_open() ? GATHER_VARIABLE : NULL;
    }
    launch_command(&launch, &command);
    if (watch == NULL) {
        become_command(command.list);
    }
    watch_run(watch, command.list);
}
