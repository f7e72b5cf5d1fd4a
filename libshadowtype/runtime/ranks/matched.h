/*
 * Messages of this rank, as they go on: left where they are sent, numbered where they are received (core/agree/
 * numbering.h), and then held against each other. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_MATCHED_H
#define ST_RUNTIME_RANKS_MATCHED_H

#include "runtime/ranks/misfits.h"
#include "runtime/ranks/requested.h"
#include "runtime/wrap/statuses.h"

/* What was found is told once the lock is given back. */
enum { ST_MOST_MISFITS = 6 };
struct st_misfits {
    struct st_misfit list[ST_MOST_MISFITS];
    size_t count;
};

/* Returns false if there is no memory. */
bool st_matched_begin(void);

/* A message is about to be sent. */
void st_matched_leave(const struct st_message_end *end);
/* What was sent on a communicator is not known any more. */
void st_matched_silence(uint64_t comm);

/* Of all, for ever. */
void st_matched_stop(void);

/* A receive is about to be posted. ST_NO_RECEIVE: it is not followed. */
uint32_t st_matched_post(const struct st_message_end *end, struct st_misfits *found);
/* What is posted as this receive. */
struct st_message_end *st_matched_end(uint32_t receive);
/* Whether a blocking call's receive may be compared after the call has returned. */
bool st_matched_may_wait(void);
void st_matched_cancels(uint32_t receive);
/* It is over. STATUS NULL: what it took is not known. */
void st_matched_receive(uint32_t receive, const struct st_status_facts *status,
                        struct st_misfits *found);
/* A receive was not seen, or is not followed: which messages the later ones took is not known. */
void st_matched_lose(const struct st_message_end *end);
/* A message was received on a communicator, and is not compared. END NULL: it may be any communicator. */
void st_matched_pass(const struct st_message_end *end);

/* MPI_Mprobe has taken a message. */
void st_matched_probe(const struct st_message_end *end, uint64_t message,
                      const struct st_status_facts *status, struct st_misfits *found);
/* A call has received it. PROBED NULL: it is not known; STATUS NULL: not how much. */
void st_matched_probed(struct st_probed *probed, const struct st_status_facts *status,
                       struct st_misfits *found);

/* MPI has cut the message of a receive that is pending. Returns true if that one is known to be too long. */
bool st_matched_cut(uint32_t receive, struct st_misfits *found);

/* All that was sent here and never received; no message can come any more. Needs no lock. */
void st_matched_tell_lost(void);

#endif
