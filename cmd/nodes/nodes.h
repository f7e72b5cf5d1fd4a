/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The other nodes of a job, as `mpipp run` sees them through their agents.
 *
 *     nodes_open();                                // before the launcher is started
 *     ... nodes_step(&findings, now) ...           // when nodes_file() is readable, and after nodes_wait()
 *     nodes_finish(&findings);                     // the job has ended
 *     left_compare();                              // asks the agents for the last calls
 *     nodes_close(&findings);                      // says goodbye to them
 *
 * There is one job, so there is one such thing. Without nodes_open() all functions do nothing.
 */
#ifndef MPIPP_NODES_NODES_H
#define MPIPP_NODES_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../findings/merged.h"
#include "../watch/differing.h"
#include "../watch/left.h"
#include "far.h"

/* Listens for agents, and sets GATHER_VARIABLE for the launcher. If that is not possible, it prints a
 * sentence that says what is not checked. */
void nodes_open(void);
bool nodes_are_open(void);

/* A descriptor to poll, or -1. */
int nodes_file(void);
/* Milliseconds until nodes_step() has to be called; -1: not at all. */
int nodes_wait(void);

/* Takes what the agents have sent, and compares the collective calls of the nodes. */
void nodes_step(struct findings *findings, int64_t now);

/* The rank with this host and PID, if an agent looks at it; else NULL. It stays there. */
struct far_rank *nodes_find_rank(const char *host, int64_t pid);

/* Waits until the agents have told all of their ranks, which have ended, and compares that. */
void nodes_finish(struct findings *findings);
/* After that: adds the ends of the other nodes' ranks. */
void nodes_find_ends(struct left_ends *ends);
/* Adds all collective calls of the other nodes' ranks. */
void nodes_add_calls(struct published_call **list, size_t *count);

/* Lets the agents end, and says which ranks had none. */
void nodes_close(const struct findings *findings);

/* The stacks of ranks on other nodes, which their agents take. The result is as beside_end() has it for
 * one group. */
struct far_stacks;
struct far_stacks *far_stacks_start(struct far_rank *const *list, size_t count);
bool far_stacks_are_done(struct far_stacks *stacks, int64_t now);
/* Waits until they are, but no longer than far_stacks_are_done() would have it. */
void far_stacks_wait(struct far_stacks *stacks);
json_t *far_stacks_end(struct far_stacks *stacks);

#endif
