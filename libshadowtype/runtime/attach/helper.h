/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 'mpipp on-error': a process beside the rank, which owns the debugger.
 *
 * The program does not notice it: no wait() of the program returns it, it causes no SIGCHLD, and it
 * has none of the rank's descriptors except standard error. Between fork and exec there are only
 * system calls, because other threads may hold any lock.
 */
#ifndef ST_RUNTIME_ATTACH_HELPER_H
#define ST_RUNTIME_ATTACH_HELPER_H

#include <stdint.h>

struct st_helper_of {
    const char *what; /* as in --on-error */
    int rank;         /* in MPI_COMM_WORLD; negative: not known */
    int32_t thread;   /* the thread with the error */
    int64_t number;   /* of the finding */
    int32_t parent;   /* the process that started the rank */
    unsigned times;   /* how often this process has been held, this time included */
};

/* Starts the helper. Returns a socket to its standard input; -1 if it could not be started, with
 * the reason in *ERROR. */
int st_helper_start(const struct st_helper_of *of, int *error);

/* Returns the path of the executable, which is in the same tree as this library. */
const char *st_helper_path(void);

#endif
