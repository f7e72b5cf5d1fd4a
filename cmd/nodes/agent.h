/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The agent of a node: a process that the first `mpipp exec` of the node leaves behind. It holds the
 * memory that the ranks of the node share, looks at them as `mpipp run` does on its own node, and tells
 * `mpipp run` what it needs. It ends when the job has, or when its ranks have and `mpipp run` is not
 * heard any more.
 */
#ifndef MPIPP_NODES_AGENT_H
#define MPIPP_NODES_AGENT_H

#include "job_key.h"

/* DOOR is the socket to which each `mpipp exec` of the node connects; it gets the value of
 * ST_NODE_VARIABLE as one line. NAME is that of the node, for `mpipp run`. */
_Noreturn void agent_run(const struct job_key *key, const char *name, int door);

#endif
