/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job in the background of a debugger, with a keeper. The keeper is a separate process: the
 * parent of the launcher. It ends with the launcher, or ends the launcher when the debugger is
 * gone, however it has ended.
 *
 *     struct job job;
 *     job_prepare(&job);                       // makes job.folder, for notes
 *     job_start(&job, command, "/dev/null");   // the launcher, in a separate session
 *     ... exec gdb: it becomes the keeper's parent, whose end the keeper sees
 *
 * A file "detached" in the folder tells the keeper to let the job run on without its debugger.
 * SIGUSR1 tells it that the debugger kills the ranks and wants the job to end silently: the keeper
 * then makes a file "quiet"; the debugger waits for it, or for the keeper's end, before it kills.
 */
#ifndef MPIPP_JOB_H
#define MPIPP_JOB_H

#include <stdbool.h>
#include <sys/types.h>

struct job {
    char *folder;
    pid_t keeper;
};

void job_prepare(struct job *job);

/* Starts COMMAND, which reads INPUT. It uses the terminal only for output. */
void job_start(struct job *job, char *const *command, const char *input);

/* Returns true if the job has ended, with its exit status in *STATUS. */
bool job_ended(struct job *job, int *status);

#endif
