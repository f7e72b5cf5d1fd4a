/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line that starts a job: the launcher of the program's own MPI, with 'mpipp exec'
 * before each program.
 *
 *     struct launch launch = {0};
 *     launch_take(&launch, words);            // "-n 2 ./a x : -n 1 ./b", or ends mpipp
 *     launch_command(&launch, &command);      // mpiexec.mpich -n 2 mpipp exec --mpi=mpich -- ./a x ...
 *
 * So the launcher itself is not preloaded, and any launcher may be used.
 */
#ifndef MPIPP_LAUNCH_H
#define MPIPP_LAUNCH_H

#include "findings/choices.h"
#include "mpi_kind.h"
#include "program.h"
#include "words.h"

struct launch {
    const char *command;    /* "mpipp run", for example, for sentences */
    const char *launcher;   /* the user's launcher, as a command line; NULL: find it */
    const char *folder;     /* where the ranks will run, if not here; else NULL */
    const char *mpi;        /* --mpi, or NULL */
    const char *hold;       /* --hold for 'mpipp exec', or NULL */
    struct program program; /* the first program: it decides which MPI is used */
    enum mpi_kind kind;
    struct words passed;     /* words after the launcher */
    struct choices *choices; /* for reports; NULL: they are not gathered here */
    const char *exported; /* an environment variable that ranks on other hosts need; NULL: none */
};

/* Takes the launcher's options, programs and arguments. mpipp's own --launcher and --mpi are
 * removed from them. */
void launch_take(struct launch *launch, char *const *words);

/* Does the same in two steps: takes the options before the first program, and returns the rest. */
char *const *launch_take_options(struct launch *launch, char *const *words);

/* The second step. */
void launch_take_programs(struct launch *launch, char *const *words);

/* Adds the launcher and all words that were taken. Sets the environment variables that this
 * launcher needs. */
void launch_command(const struct launch *launch, struct words *command);

#endif
