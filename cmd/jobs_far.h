/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks on other hosts, for jobs.h: each `mpipp run` of a job of several nodes is asked.
 */
#ifndef MPIPP_JOBS_FAR_H
#define MPIPP_JOBS_FAR_H

#include <stddef.h>
#include <sys/types.h>

#include "jobs.h"

/* Asks each `mpipp run` that RUNS lists (terminated by 0), and adds its ranks that are not in the list yet.
 * Those that are get the names that it has for job, host and world. HERE is the name of this host. Takes the
 * list, and returns a longer one. If a `mpipp run` or an agent does not answer,
 * a sentence on standard error says so. */
struct rank *jobs_add_far(struct rank *ranks, size_t *count, const pid_t *runs, const char *here);

#endif
