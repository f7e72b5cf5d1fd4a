/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of this rank with ranks of other nodes: added to the sums that the agents of the nodes compare
 * (core/agree/remote.h). Without such nodes all functions do nothing. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_FAR_H
#define ST_RUNTIME_RANKS_FAR_H

#include "runtime/ranks/matched.h"

/* Once st_node_make_messages() has succeeded. */
void st_far_begin(void);

/* Lets other processes know the name of a function that sends or receives. */
void st_far_name(uint16_t function);

/* A message with this number is left for a rank of MPI_COMM_WORLD. */
void st_far_sent(const struct st_message *message, uint64_t number);

/* A receive has taken the message with this number of its channel. Returns false if the sender is not a rank of
 * another node; then nothing was done. */
bool st_far_received(const struct st_message_end *end, const struct st_channel *channel,
                     uint64_t number, int64_t bytes);

/* MPI has cut the message with this number. The same. IS_HANDLED: the program sees the error. */
bool st_far_cut(const struct st_message_end *end, const struct st_channel *channel, uint64_t number,
                bool is_handled);

/* A receive from any source has taken a message, and races are looked for: not those with messages of other nodes. */
void st_far_wild_one(void);

/* Something was sent or received, and is not counted. */
void st_far_unsure(void);
/* MPI_Finalize: no message can come any more. */
void st_far_end(void);

#endif
