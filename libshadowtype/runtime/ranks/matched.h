/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages of this rank: written when they are sent, numbered when they are received
 * (core/agree/numbering.h), and then compared. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_MATCHED_H
#define ST_RUNTIME_RANKS_MATCHED_H

#include "runtime/ranks/misfits.h"
#include "runtime/ranks/requested.h"
#include "runtime/wrap/statuses.h"

/* Findings are reported once the lock is released. */
enum { ST_MOST_MISFITS = 6 };
struct st_misfits {
    struct st_misfit list[ST_MOST_MISFITS];
    size_t count;
};

/* Returns false if there is no memory. */
bool st_matched_begin(void);

/* A message is about to be sent. Stores its name; number 0: not known. */
void st_matched_leave(const struct st_message_end *end, struct st_sent_name *name);
/* What was sent on a communicator is not known any more. */
void st_matched_silence(uint64_t comm);

/* The same for all communicators, for good. */
void st_matched_stop(void);

/* A receive is about to be posted. Returns its number; ST_NO_RECEIVE if it is not followed. */
uint32_t st_matched_post(const struct st_message_end *end, struct st_misfits *found);
/* The same for a receive that has begun: it may have its message already. */
uint32_t st_matched_post_late(const struct st_message_end *end);
/* Returns the posted side of this receive. */
struct st_message_end *st_matched_end(uint32_t receive);
/* Returns true if a blocking call's receive may be compared after the call has returned. */
bool st_matched_may_wait(void);
/* MPI_Wait, or MPI_Waitall, has completed the send of that name; no receive was posted. */
void st_matched_waited(const struct st_sent_name *name);
void st_matched_cancels(uint32_t receive);
/* The receive is complete. STATUS NULL: it is not known which message it took. */
void st_matched_receive(uint32_t receive, const struct st_status_facts *status,
                        struct st_misfits *found);
/* A receive was not seen, or is not followed: it is not known which messages the later ones take. */
void st_matched_lose(const struct st_message_end *end);
/* Counts a message that was received on a communicator and is not compared. END NULL: on any
 * communicator. */
void st_matched_pass(const struct st_message_end *end);

/* MPI_Mprobe has taken a message. */
void st_matched_probe(const struct st_message_end *end, uint64_t message,
                      const struct st_status_facts *status, struct st_misfits *found);
/* A call has received that message. PROBED NULL: it is not known; STATUS NULL: its length is not
 * known. */
void st_matched_probed(struct st_probed *probed, const struct st_status_facts *status,
                       struct st_misfits *found);

/* MPI_Probe or MPI_Iprobe has found a message. To be called if clocks are on (clocks.h). */
void st_matched_looked(const struct st_message_end *end, const struct st_status_facts *status,
                       struct st_misfits *found);

/* MPI has truncated the message of a pending receive. Returns true if that message is known to be
 * too long, or if an agent looks at it. FATAL: the program does not see the error. */
bool st_matched_cut(uint32_t receive, bool fatal, struct st_misfits *found);

/* Reports all messages that were sent to this rank and never received; no message can come any
 * more. Needs no lock. */
void st_matched_tell_lost(void);

#endif
