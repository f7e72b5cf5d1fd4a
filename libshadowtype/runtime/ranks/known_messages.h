/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that repeat an earlier one, but for their data: what matched.h works out for each was worked out then.
 * The caller holds the recorder's lock.
 *
 *     if (st_known_send_keep(&send, &end)) ...
 *     if (!st_known_send_leave(&send))    // the next time
 *         st_matched_leave(&end, &name);
 */
#ifndef ST_RUNTIME_RANKS_KNOWN_MESSAGES_H
#define ST_RUNTIME_RANKS_KNOWN_MESSAGES_H

#include "runtime/ranks/matched.h"

/* The counter of a channel, and the list in which it is. */
struct st_known_count {
    const struct st_channel_count *list;
    uint64_t *count;
};

struct st_known_send {
    struct st_message_end end;
    struct st_message message; /* the last one */
    struct st_known_count sent;
    uint32_t age; /* of st_matched, when this was found out */
};

struct st_known_receive {
    struct st_message_end end;
    struct st_channel channel;
    struct st_known_count taken;
    const struct st_message_room *room; /* of the sender */
    uint64_t name;                      /* of the channel, as in struct st_message */
    struct st_message like; /* the last message, if nothing was found; else its number is 0 */
    uint32_t sender;        /* its index in the table of ranks */
    uint32_t last;          /* where the last message was, in the room */
    uint32_t losses;        /* st_numbering_losses(), when this was found out */
};

/* Keeps a send that has been left. Returns false if it cannot be repeated. */
bool st_known_send_keep(struct st_known_send *known, const struct st_message_end *end);
/* Leaves it once more. Returns false if something has changed; then nothing was done. */
bool st_known_send_leave(struct st_known_send *known);

/* Returns the name of the message that was left last. */
struct st_sent_name st_known_send_name(const struct st_known_send *known);

/* Keeps a receive from one rank with one tag, after it has taken a message. Returns false if it cannot be repeated. */
bool st_known_receive_keep(struct st_known_receive *known, const struct st_message_end *end);
/* It is about to be posted once more. Returns false if its number is not certain, or more has to be looked at:
 * then nothing was done. */
bool st_known_receive_post(struct st_known_receive *known);
/* It has returned: its message will be looked at soon. */
void st_known_receive_expect(const struct st_known_receive *known);
/* It has taken a message of so many bytes. Returns false if that one is not found: then nothing was done. To be
 * called only if nothing was posted in the meantime. */
bool st_known_receive_take(struct st_known_receive *known, int64_t bytes, struct st_misfits *found);
/* The same, but for messages that are like the last one, of which nothing is to be found: in far fewer instructions. */
bool st_known_receive_take_like(struct st_known_receive *known);

#endif
