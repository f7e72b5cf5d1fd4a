/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creates the memory that the ranks of this node share (libshadowtype/core/agree/segment.h). `mpipp
 * run` creates it, on another node its agent, and passes it to the ranks in the environment. It is freed
 * when the last process that has it ends.
 */
#ifndef CMD_WATCH_NODE_H
#define CMD_WATCH_NODE_H

#include <stdbool.h>
#include <stdint.h>

/* Call it before the launcher is started. If the memory cannot be created, it prints a sentence
 * that says what is not checked. */
void node_make(void);
/* Adds what a node of several needs (core/agree/firsts.h). Returns false if there is no memory. */
bool node_add_firsts(void);
/* Both with the job's nonce, in the agent of another node (nodes/agent.h), without a sentence. */
bool node_make_of(uint64_t nonce);
/* The job's nonce; 0: no memory was created. */
uint64_t node_nonce(void);

/* Returns the number of places for the messages of each rank, minus 1 (core/agree/message.h): as
 * --match-memory says. */
uint32_t node_message_mask(void);

/* Returns the file descriptor of the memory, or -1 if it could not be created. */
int node_file(void);

#endif
