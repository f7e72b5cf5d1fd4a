/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI jobs of this user on this host, from /proc, whoever started them.
 *
 * A rank is a process that has a rank number of a launcher in its environment, and an MPI library
 * in its memory. If no process of a rank has one (not yet, or MPI is linked statically), the rank
 * is the process that the launcher started. The name of a job is the PID of 'mpipp run', or else of
 * the launcher. If that runs elsewhere, it is the name that the batch system or the MPI library
 * gives the job.
 */
#ifndef MPIPP_JOBS_H
#define MPIPP_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "world.h"

struct rank {
    char *job;
    char *world_name;  /* the launcher's; "" if it has none */
    pid_t world_first; /* the smallest PID of the ranks of its world */
    int world_number;  /* in the job: 1 is the world that the launcher started, others were
                          spawned */
    struct world world;
    pid_t pid;
    bool has_mpi;
    bool recorded;
    const char *program;
    const char *host; /* NULL: this one */
    /* Of a rank on another host, from `mpipp run`: */
    const char *line;  /* what it does, in one line; NULL: not known */
    const char *since; /* "41 s" */
};

/* Returns the ranks of JOB (NULL: of all jobs), sorted by job, world and rank, and stores their
 * number in *COUNT. */
struct rank *jobs_ranks(const char *job, size_t *count);

/* Does the same for the job that PID belongs to, as a rank, a process that a rank has started, or
 * the launcher; PID 0: for the only job. Ends mpipp with a sentence if there is no such job, or
 * more than one. */
struct rank *jobs_ranks_of(pid_t pid, size_t *count);

/* Both with the ranks on other hosts, as far as the `mpipp run` of their job runs here: it is asked. If it does
 * not answer, a sentence says so. */
struct rank *jobs_all_ranks(const char *job, size_t *count);
struct rank *jobs_all_ranks_of(pid_t pid, size_t *count);

/* Returns the `mpipp run` of a rank's job, if it answers questions about ranks (inquiry/ask.h); else 0. */
pid_t jobs_run_of(const struct rank *rank);

/* Returns the name of this host. */
const char *jobs_host(void);

#endif
