/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What matched.c shares with matched_races.c, known_messages.c and lost.c. The caller holds the
 * recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_MATCHED_INTERNAL_H
#define ST_RUNTIME_RANKS_MATCHED_INTERNAL_H

#include "runtime/ranks/matched.h"
#include "runtime/ranks/raced.h"

extern struct st_matched {
    struct st_numbering *numbering;
    struct st_channel_counts sent; /* by communicator, receiver and tag */
    struct st_message_writer writer;
    uint64_t posted; /* receives, and probes that have found a message */
    uint32_t age;    /* grows when it is not known any more what was sent on a communicator */
} st_matched __attribute__((visibility("hidden")));

/* A message that is there. */
struct st_found_message {
    struct st_message message;
    uint32_t sender; /* the sender's index in the table of ranks */
    uint32_t place;  /* index in the sender's room */
};

/* Counts a message that was received. */
void st_matched_count(bool is_compared);

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

/* Stores the message with this number. Returns false if it cannot be seen. */
bool st_matched_find(const struct st_message_end *end, const struct st_channel *channel,
                     uint64_t number, struct st_found_message *found);

/* --- races (matched_races.c), if they are sought --- */

/* It is not known yet which message it is: takes all that its sender has done for earlier than what
 * follows. */
void st_matched_join_source(const struct st_message_end *end, int32_t source);

/* Notes the end of a receive. */
void st_matched_note_end(struct st_message_end *end);
/* The receive has taken this message: finds what it, or an earlier one, could have taken
 * instead. */
void st_matched_find_races(const struct st_message_end *end, const struct st_channel *channel,
                           const struct st_found_message *taken, struct st_misfits *found);
/* Messages may have come since; later the rank may wait for ever, for the one that it has got. */
void st_matched_look_again(struct st_misfits *found);

/* Returns what a report of a race says of a message. */
struct st_sent_message st_matched_sent_message(const struct st_found_message *found);
/* Adds the race of a message, if a receive before `after` could have taken it instead of its
 * own. */
void st_matched_find_race(const struct st_sent_message *other, uint64_t after,
                          struct st_misfits *found);

/* Returns true if the message has as many bytes as MPI says. */
bool st_matched_is_it(const struct st_message *message, int64_t bytes);
/* The receive has taken this message: compares them. */
void st_matched_take(const struct st_message_end *end, const struct st_channel *channel,
                     const struct st_found_message *taken, struct st_misfits *found);

#endif
