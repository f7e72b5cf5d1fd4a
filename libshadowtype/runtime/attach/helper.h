/*
 * 'mpipp on-error': a process beside the rank, which owns the debugger.
 *
 * The program does not notice it: it is nobody's child that the program can wait for, no SIGCHLD
 * comes of it, and it has none of the rank's descriptors but standard error. Between the fork and
 * the exec there are system calls alone: other threads may hold any lock.
 */
#ifndef ST_RUNTIME_ATTACH_HELPER_H
#define ST_RUNTIME_ATTACH_HELPER_H

#include <stdint.h>

struct st_helper_of {
    const char *what; /* as in --on-error */
    int rank;         /* in MPI_COMM_WORLD; negative: not known */
    int32_t thread;   /* that has erred */
    int64_t number;   /* of the finding */
    int32_t parent;   /* the process that started the rank */
    unsigned times;   /* this process has been held, with this one */
};

/* A socket to the helper, its standard input; -1: it could not be started, and *ERROR says why. */
int st_helper_start(const struct st_helper_of *of, int *error);

/* The executable: beside this library, in its tree. */
const char *st_helper_path(void);

#endif
