/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this rank shows of its messages to a debugger and to `mpipp run` (struct st_shared_messages): how many it has
 * sent to and received from whom, and which. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_SHOWN_H
#define ST_RUNTIME_RANKS_SHOWN_H

#include <stdbool.h>

#include "core/agree/message.h"

/* Once st_node_make_messages() has succeeded. Where memory ends nothing is shown. */
void st_shown_begin(void);

/* A message is left for a rank of MPI_COMM_WORLD; -1: for another process. */
void st_shown_sent(int32_t to);
/* A message of this process was received. */
void st_shown_received(uint64_t sender);
/* It lies in this place of the room of the sender, which has this place in the table of ranks. */
void st_shown_taken(uint32_t sender, uint32_t place, const struct st_message *message);
bool st_shown_was_taken(uint32_t sender, uint32_t place, const struct st_message *message);

/* Something was sent or received, and is not counted: from now on the counts are not relied on. */
void st_shown_unsure(void);
/* So many receives are complete and not counted yet. */
void st_shown_unnumbered(uint32_t count);

#endif
