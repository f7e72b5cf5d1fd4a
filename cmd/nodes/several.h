/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a job may have several nodes: only then does `mpipp run` listen for agents.
 */
#ifndef MPIPP_NODES_SEVERAL_H
#define MPIPP_NODES_SEVERAL_H

#include <stdbool.h>

#include "../words.h"

/* PASSED: the words for the launcher. LAUNCHER: the user's launcher as a command line, or NULL.
 * Returns true if they name hosts, if the launcher belongs to no MPI (srun), or if a batch system
 * has given the job more than one host. */
bool nodes_are_several(const struct words *passed, const char *launcher);

#endif
