/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank of an agent's node waits for, and where: the agent reads it, and adds it to its message about all of its
 * ranks (states.h). */
#ifndef MPIPP_NODES_EXAMINED_H
#define MPIPP_NODES_EXAMINED_H

#include <stdint.h>

#include "../watch/looks.h"
#include "states.h"

/* RANK is the one with this PID; NULL: it is not on this node. */
void examined_add(struct states_writer *writer, int64_t pid, struct looked *rank);

#endif
