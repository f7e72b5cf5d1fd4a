/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a process of the job finds the agent of its node. The first one starts it: whoever can bind the
 * socket of the node, whose name nobody can guess who does not have the key of the job.
 */
#ifndef MPIPP_NODES_JOIN_H
#define MPIPP_NODES_JOIN_H

/* For `mpipp exec`, before it becomes the program. Sets ST_NODE_VARIABLE to the memory of this node, if
 * the job has several nodes, and this one is not that of `mpipp run`. Otherwise it does nothing; so it
 * does, with a sentence, if there is no agent and none can be started. */
void node_join(void);

#endif
