/*
 * A job in the background of a debugger, with a keeper: a process of its own that is the parent of
 * the launcher and ends with it, or ends it when the debugger is gone, however that went.
 *
 *     struct job job;
 *     job_prepare(&job);                       // makes job.folder, for notes
 *     job_start(&job, command, "/dev/null");   // the launcher, in a session of its own
 *     ... exec gdb: it becomes the keeper's parent, whose end the keeper sees
 *
 * A file "detached" in the folder tells the keeper that the job shall run on without its debugger;
 * SIGUSR1, that the debugger kills the ranks and wants the job to end without a word: it waits for a
 * file "quiet", or for the keeper's end, before it does so.
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

/* COMMAND reads INPUT; it keeps off the terminal, but for its output. */
void job_start(struct job *job, char *const *command, const char *input);

/* Whether the job has ended, with its exit status in *STATUS then. */
bool job_ended(struct job *job, int *status);

#endif
