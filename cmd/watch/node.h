/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creates the memory that the ranks of this node share (libshadowtype/core/agree/segment.h). `mpipp
 * run` creates it, and passes it to the ranks in the environment. It is freed when the last process
 * that has it ends.
 */
#ifndef CMD_WATCH_NODE_H
#define CMD_WATCH_NODE_H

/* Call it before the launcher is started. If the memory cannot be created, it prints a sentence
 * that says what is not checked. */
void node_make(void);

/* Returns the file descriptor of the memory, or -1 if it could not be created. */
int node_file(void);

#endif
