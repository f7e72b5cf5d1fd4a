/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether a debugger may attach to a process.
 */
#ifndef MPIPP_TRACEABLE_H
#define MPIPP_TRACEABLE_H

#include <sys/types.h>

/* Returns NULL if it may; else a sentence that says why not and what helps, with mpipp's exit
 * status in *STATUS. */
const char *traceable_why_not(pid_t pid, int *status);

#endif
