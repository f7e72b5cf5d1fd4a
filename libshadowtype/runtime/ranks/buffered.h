/*
 * deadlock-potential: two ranks send to each other by MPI_Send, and both receive later. The program goes on only because MPI
 * keeps the messages in buffers, which it need not do (MPI-4.0, 3.5).
 *
 * Proof: each of both sends was begun with no receive posted, and this rank's was not received when the other one's was
 * begun. So the other rank receives it after its own send. This rank receives that one now, after its own send, too. If both sends wait for
 * their receives, neither is received. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_BUFFERED_H
#define ST_RUNTIME_RANKS_BUFFERED_H

#include "runtime/ranks/message_ends.h"

/* Before all others, once st_node_make_messages() has succeeded. Where memory ends nothing is found. */
void st_buffered_begin(void);

/* A message is left; `alone`: no receive is posted. Returns true if only its receive, or a buffer, lets the sender go
 * on; *had_received is how many messages of its receiver this rank has received then. */
bool st_buffered_leave(const struct st_message_end *end, bool alone, uint64_t *had_received);

/* This rank has received a message of process `sender` (gpid). */
void st_buffered_received(uint64_t sender);
/* It has received one that is not known, or what it has sent is not known: nothing is found any more. */
void st_buffered_stop(void);

/* A receive is about to be posted for a message that process `sender` has sent. Returns the own send that is head to head
 * with it; NULL: none is. */
const struct st_message_end *st_buffered_find(uint64_t sender, const struct st_message *ahead);

#endif
