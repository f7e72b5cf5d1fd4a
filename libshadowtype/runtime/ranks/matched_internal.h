/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What matched.c shares with known_messages.c and lost.c. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_MATCHED_INTERNAL_H
#define ST_RUNTIME_RANKS_MATCHED_INTERNAL_H

#include "runtime/ranks/matched.h"
#include "runtime/ranks/raced.h"

extern struct st_matched {
    struct st_numbering *numbering;
    struct st_channel_counts sent; /* by communicator, receiver and tag */
    struct st_message_ways ways;
    uint32_t age; /* grows when it is not known any more what was sent on a communicator */
} st_matched __attribute__((visibility("hidden")));

/* A message that is there. */
struct st_found_message {
    struct st_message message;
    uint32_t sender; /* the sender's index in the table of ranks */
    uint32_t place;  /* index in the sender's room */
};

/* Returns the counter of the messages of a send's channel; NULL: they are not counted. */
uint64_t *st_matched_sent(const struct st_message_end *end);
/* Returns the message of a send, without its number. */
struct st_message st_matched_message(const struct st_message_end *end);
/* Writes the message with this number, and what else is known at this time. */
void st_matched_write(const struct st_message_end *end, struct st_message *message,
                      uint64_t number);

/* Returns true if a message on this communicator, by st_message_comm(), was received that could not
 * be compared: it is not known which messages were received. */
bool st_matched_is_unsure(uint32_t comm);

/* Returns what a report of a race says of a message. */
struct st_sent_message st_matched_sent_message(const struct st_found_message *found);
/* Adds the race of a message, if a receive before `after` could have taken it instead of its own. */
void st_matched_find_race(const struct st_sent_message *other, uint64_t after,
                          struct st_misfits *found);

/* Returns true if the message has as many bytes as MPI says. */
bool st_matched_is_it(const struct st_message *message, int64_t bytes);
/* The receive has taken this message: compares them. */
void st_matched_take(const struct st_message_end *end, const struct st_channel *channel,
                     const struct st_found_message *taken, struct st_misfits *found);

#endif
