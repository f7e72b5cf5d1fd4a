/*
 * Which rank of a job a process is: launchers tell it in the environment, before MPI_Init does.
 */
#ifndef MPIPP_WORLD_H
#define MPIPP_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct world {
    long rank;
    long size;  /* -1: not told */
    long local; /* how many of them are on this host; -1: not told */
};

/* ENVIRONMENT is LENGTH bytes of "NAME=VALUE\0", as in /proc/PID/environ. False: it is no rank. */
bool world_find(struct world *world, const char *environment, size_t length);

/* The same for a process, by the environment that it was started with. */
bool world_of_process(struct world *world, pid_t pid);

/* What the launcher calls the job, for one whose processes are not to be seen; NULL: nothing. */
const char *world_job_name(const char *environment, size_t length);

#endif
