/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports a message that does not match the receive that takes it, with both calls.
 */
#ifndef ST_RUNTIME_RANKS_MISFITS_H
#define ST_RUNTIME_RANKS_MISFITS_H

#include "report/report.h"
#include "runtime/ranks/message_ends.h"

/* A message of the rank `sender`, by its index in the table of ranks. */
struct st_sent_message {
    struct st_message message;
    uint32_t sender;
    uint32_t tick; /* of that rank when it sent it (clocks.h); 0: not known */
};

/* Sends of several ranks, each of which waits for the next, and the last for the first. */
enum { ST_CIRCLE_TOLD = 8 };
struct st_send_circle {
    uint64_t name; /* of their call sites */
    size_t count;
    struct st_sent_message list[ST_CIRCLE_TOLD]; /* the first of them */
};

/* For DEADLOCK_POTENTIAL of a message and a collective call on its communicator (beyond.h). */
struct st_beyond_call {
    uint32_t number; /* of the call, its low bits; 0: it is no such case */
    bool is_senders; /* the sender has made it before; else the receiver has */
};

struct st_misfit {
    enum st_check check;
    enum st_severity severity; /* 0: that of the catalogue */
    struct st_message sent;
    uint32_t sender; /* the sender's index in the table of ranks */
    int32_t source;  /* the sender's rank in the communicator */
    struct st_message_end
        taker; /* the receive; for DEADLOCK_POTENTIAL this rank's send; unused for MATCH_LOST */
    const struct st_sent_message *rival; /* for MATCH_RACE: the other one that it could have got */
    const struct st_send_circle
        *circle; /* for DEADLOCK_POTENTIAL of more than two ranks; else NULL */
    struct st_beyond_call beyond;
    uint64_t times : 63;  /* for MATCH_LOST: how many messages of one call */
    uint64_t or_more : 1; /* there may be more */
};

/* FACTS are those of the receive's own call if it is running; NULL: it has returned. */
void st_misfit_tell(struct st_facts *facts, const struct st_misfit *misfit);

#endif
