/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks at the ranks of other nodes, through their agents (nodes/far.h): for looks.h alone.
 *
 *     afar_look(looks, rank, now);                 // what the agent said last
 *     afar_examine(looks);                         // all that run, at once: it waits for the answers
 *     afar_read(rank, timeout, with_stopped);      // what the rank waits for
 *     if (afar_open(rank)) { ... rank->registry ... }
 */
#ifndef CMD_WATCH_AFAR_H
#define CMD_WATCH_AFAR_H

#include "looks.h"

void afar_look(struct looks *looks, struct looked *rank, int64_t now);

/* Lets the agents of all nodes look at their ranks. What was opened of ranks is closed. */
void afar_examine(struct looks *looks);

/* Says whether the rank is stuck, as looks_read() has it. */
void afar_read(struct looked *rank, int64_t timeout, bool with_stopped);

/* Opens the registry of such a rank: each part of it is asked for, and waited for, so this is for few ranks. Returns false
 * if its agent does not answer, if too many are open already, or if that has taken too long. */
bool afar_open(struct looks *looks, struct looked *rank);

#endif
