/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock-potential: ranks send to each other by MPI_Send, and receive later. The program continues
 * only because MPI buffers the messages, which it need not do (MPI-4.0, 3.5).
 *
 * The proof for two ranks: no receive was posted in either rank when it began its send. This rank's message had
 * not been received when the other rank began its send, so it is received after that. The other
 * rank's message is received here, by a receive that was posted after this rank's send. So if both
 * sends waited for their receives, neither receive would ever be posted. For a circle of more ranks,
 * see core/agree/behind.h. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_BUFFERED_H
#define ST_RUNTIME_RANKS_BUFFERED_H

#include "runtime/ranks/misfits.h"

/* To be called first, once st_node_make_messages() has succeeded. If there is no memory, nothing is
 * found. */
void st_buffered_begin(void);

/* A message is written; `alone`: no receive is posted. Returns true if the message gets
 * ST_MESSAGE_BLOCKS; *had_received is then the number of such messages that this rank has received
 * from the receiver. */
bool st_buffered_leave(const struct st_message_end *end, bool alone, uint64_t *had_received);

/* This rank has received a message from process `sender` (gpid). */
void st_buffered_received(uint64_t sender, const struct st_message *message);
/* The same if st_buffered_find() and st_buffered_circle() find nothing, which need not be called then. Returns false if
 * they may find something: then nothing was done. Of the message only its number, channel and flags are looked at. */
bool st_buffered_receives_plain(uint64_t sender, const struct st_message *message, uint64_t before);
/* An unknown message was received, or messages were sent that are not known: nothing is found any
 * more. */
void st_buffered_stop(void);

/* The message that st_buffered_leave() was asked about has this name. */
void st_buffered_sent(const struct st_message_end *end, uint64_t channel, uint64_t number);

/* Returns how many sends this rank has waited for, as above. */
uint64_t st_buffered_sends(void);

/* A message from process `sender` was received; `before` is st_buffered_sends() at the time when
 * that receive was posted. Returns this rank's send that deadlocks with it; NULL if there is none,
 * or if it is not known. */
const struct st_message_end *st_buffered_find(uint64_t sender, const struct st_message *taken,
                                              uint64_t before);

/* MPI_Wait, or MPI_Waitall, has completed an MPI_Isend, while no receive was posted: as if it had
 * been MPI_Send. */
void st_buffered_waited(const struct st_sent_name *name);

/* The message was received, by a receive as above. Returns the circle of sends in which it is, if
 * there is one that neither this function nor st_buffered_find() has returned yet; else NULL. */
const struct st_send_circle *st_buffered_circle(const struct st_sent_message *taken,
                                                uint64_t before);

#endif
