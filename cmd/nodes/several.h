/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a job may have several nodes: only then does `mpipp run` listen for agents.
 */
#ifndef MPIPP_NODES_SEVERAL_H
#define MPIPP_NODES_SEVERAL_H

#include <stdbool.h>

#include "../words.h"

/* PASSED: the words for the launcher. True if they name hosts, or if a batch system has given the job
 * more than one. */
bool nodes_are_several(const struct words *passed);

#endif
