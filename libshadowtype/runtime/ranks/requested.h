/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data on messages that is kept between two calls: the operations of requests, and the messages that
 * MPI_Mprobe has taken. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_REQUESTED_H
#define ST_RUNTIME_RANKS_REQUESTED_H

#include "runtime/objects/records.h"
#include "runtime/ranks/message_ends.h"

/* A message that MPI_Mprobe has taken. It can be compared once its number and its bytes are known,
 * in any order. */
struct st_probed {
    struct st_probed *next;
    uint64_t message;          /* MPI's handle; 0: a call is receiving it */
    uint32_t receive;          /* the posted receive (numbering.h); ST_NO_RECEIVE: it has its
                                  number */
    struct st_message_end end; /* the call that looks for it, later the one that receives it */
    struct st_channel channel;
    uint64_t number;     /* 0: cannot be found out */
    int64_t bytes;       /* -1: not known yet */
    bool is_partitioned; /* the message of an MPI_Precv_init instead (partitions_matched.h) */
};

struct st_requested {
    struct st_message_end end;
    uint32_t receive;         /* the posted receive (numbering.h); ST_NO_RECEIVE: not posted */
    struct st_probed *probed; /* the message of MPI_Mprobe that it receives, or the first one of an
                                 MPI_Precv_init; NULL: none */
    struct st_sent_name sent; /* the message that it sends; number 0: none */
    bool may_wait;            /* a send that only a buffer, or its receive, completes: MPI_Isend */
    bool is_persistent;
    bool is_partitioned; /* of MPI_Psend_init or MPI_Precv_init */
};

/* Keeps the operation of a request: one that receives, and of which nothing else is known yet. Its side is not filled.
 * Returns NULL if there is no memory. */
struct st_requested *st_requested_new(struct st_record_name name);
/* Returns NULL if nothing is known of it. */
struct st_requested *st_requested_find(struct st_record_name name);

/* A call has completed a request; its statuses are read once the lock is released. */
void st_requested_complete(const struct st_facts *facts, struct st_record_name name,
                           int64_t member);

struct st_completed_receive {
    int64_t member; /* index among the call's requests */
    uint32_t receive;
    struct st_probed *probed;
};
/* Stores the next request that the call has completed. Returns false if there are no more. Takes
 * the lock itself. */
bool st_requested_next(const struct st_facts *facts, struct st_completed_receive *completed);

/* --- messages that MPI_Mprobe has taken --- */

/* Stores the message that MPI_Mprobe, or a similar function, has returned. Returns false if there
 * is none. */
bool st_probed_message(const struct st_facts *facts, uint64_t *message);
/* Returns NULL if there is no memory. */
struct st_probed *st_probed_keep(uint64_t message, uint32_t receive,
                                 const struct st_message_end *end);
/* Returns the one that is posted as this receive; NULL if there is none. */
struct st_probed *st_probed_posted(uint32_t receive);
/* Returns the one that the call will receive. Its handle is not its own any more: the caller hands
 * it to st_matched_probed() when it was received. NULL if it is not known. */
struct st_probed *st_probed_take(const struct st_facts *facts, uint64_t message);
void st_probed_drop(struct st_probed *probed);

#endif
