/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which rank of a job a process is, from the launcher's environment variables: before MPI_Init.
 */
#ifndef MPIPP_WORLD_H
#define MPIPP_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct world {
    long rank;
    long size;  /* -1: not known */
    long local; /* ranks on this host; -1: not known */
    bool
        batch; /* it may be the shell of Slurm's batch script, which has a rank's variables as well */
};

/* ENVIRONMENT is LENGTH bytes of "NAME=VALUE\0", as in /proc/PID/environ. Returns false if it is no
 * rank. */
bool world_find(struct world *world, const char *environment, size_t length);

/* Does the same for a process, from the environment that it was started with. */
bool world_of_process(struct world *world, pid_t pid);

/* Returns the launcher's name of the job, for a job whose launcher is not visible; NULL if there is
 * none. */
const char *world_job_name(const char *environment, size_t length);

/* Returns the name that the launcher gives to the MPI_COMM_WORLD of a rank: ranks that were spawned
 * have another one than those that spawned them. NULL: the launcher gives no names. */
const char *world_name(const char *environment, size_t length);

#endif
