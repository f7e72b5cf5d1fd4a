/*
 * The MPI jobs of this user on this host, as /proc shows them: whoever has started them.
 *
 * A rank is a process that has its number from a launcher in its environment and an MPI library in
 * its memory; where no process of a rank has one (yet, or linked statically), it is what the launcher
 * started. A job's name is the PID of 'mpipp run', or else of the launcher; where that runs elsewhere,
 * what the batch system or the MPI library calls the job.
 */
#ifndef MPIPP_JOBS_H
#define MPIPP_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "world.h"

struct rank {
    char *job;
    struct world world;
    pid_t pid;
    bool has_mpi;
    bool recorded;
    const char *program;
};

/* The ranks of JOB (NULL: of all jobs), by job and rank, *COUNT of them. */
struct rank *jobs_ranks(const char *job, size_t *count);

/* The same of the job that PID is a process of: a rank, what it started, or its launcher. 0: of the
 * only job that there is. Ends mpipp with a sentence if there is no such job, or more than one. */
struct rank *jobs_ranks_of(pid_t pid, size_t *count);

/* This host's name. */
const char *jobs_host(void);

#endif
