/*
 * deadlock-potential: two ranks send to each other by MPI_Send, and both receive later. The program goes on only because
 * MPI keeps the messages in buffers, which it need not do (MPI-4.0, 3.5).
 *
 * Proof: no receive was posted in either rank when it began its send. This rank's message was not received when the
 * other rank began its send, so that it is received after that. The other rank's message is received here, by a receive that was
 * posted after this rank's send. If both sends wait for their receives, none of the two is ever posted. The caller
 * holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_BUFFERED_H
#define ST_RUNTIME_RANKS_BUFFERED_H

#include "runtime/ranks/message_ends.h"

/* Before all others, once st_node_make_messages() has succeeded. Where memory ends nothing is found. */
void st_buffered_begin(void);

/* A message is left; `alone`: no receive is posted. Returns true if the message gets ST_MESSAGE_BLOCKS; *had_received is then
 * how many messages with it this rank has received from the receiver. */
bool st_buffered_leave(const struct st_message_end *end, bool alone, uint64_t *had_received);

/* This rank has received a message of process `sender` (gpid). */
void st_buffered_received(uint64_t sender, const struct st_message *message);
/* It has received one that is not known, or what it has sent is not known: nothing is found any more. */
void st_buffered_stop(void);

/* How many messages this rank has left with ST_MESSAGE_BLOCKS. */
uint64_t st_buffered_sends(void);

/* A message of process `sender` was received; `before`: st_buffered_sends() when that receive was posted. Returns the own send
 * that is head to head with it; NULL if none is, or if it is not known. */
const struct st_message_end *st_buffered_find(uint64_t sender, const struct st_message *taken,
                                              uint64_t before);

#endif
