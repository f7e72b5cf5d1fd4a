/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out which message a receive got, by counting (MPI-4.0, 3.5: messages do not overtake each
 * other).
 *
 * A channel is a communicator, a sender and a tag. The messages of a channel are numbered from 1 on
 * in the order in which they are sent. The receives that took them are numbered in the order in
 * which they were posted. The two numbers are the same: of two receives, the one that was posted
 * first has the message that was sent first, in whatever order they complete. A receive from any
 * source, or with any tag, belongs to the channel of its status. Until that is known, later
 * receives that could have got its message must wait for their numbers.
 *
 *     uint32_t receive = st_numbering_post(numbering, comm, 0, ST_NUMBERING_ANY);
 *     ... MPI has completed it: by its status it came from rank 0 with tag 7 ...
 *     st_numbering_took(numbering, receive, 0, 7);
 *     while (st_numbering_next(numbering, &numbered)) { ... numbered.number, of channel numbered.channel ... }
 *
 * Each receiving process has one. Not thread-safe. Cost: O(posted receives without a number).
 */
#ifndef ST_CORE_AGREE_NUMBERING_H
#define ST_CORE_AGREE_NUMBERING_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ST_NUMBERING_ANY = -1,   /* any source, any tag */
    ST_NUMBERING_ROOM = 4096 /* the most receives without a number */
};
#define ST_NO_RECEIVE UINT32_MAX

struct st_channel {
    uint64_t comm;
    int32_t source, tag;
};

/* A receive that has its number now. */
struct st_numbered {
    uint32_t receive; /* from st_numbering_post(); invalid after the next call */
    struct st_channel channel;
    uint64_t number; /* among the channel's messages; 0: cannot be found out, do not compare */
};

struct st_numbering;

struct st_numbering *st_numbering_new(void); /* returns NULL if there is no memory */
void st_numbering_free(struct st_numbering *numbering);

/* Posts a receive. Returns ST_NO_RECEIVE if the communicator's receives are not numbered any more,
 * because there is no room, or because of st_numbering_lose(). */
uint32_t st_numbering_post(struct st_numbering *numbering, uint64_t comm, int32_t source,
                           int32_t tag);

/* Each receive gets one call of the last two functions. It is being cancelled: it may take a
 * message or none. */
void st_numbering_cancels(struct st_numbering *numbering, uint32_t receive);
/* It has taken a message from this source with this tag. */
void st_numbering_took(struct st_numbering *numbering, uint32_t receive, int32_t source,
                       int32_t tag);
/* It was cancelled, or refused: it never takes a message. */
void st_numbering_took_none(struct st_numbering *numbering, uint32_t receive);

/* It cannot be known what a receive took: receives of its communicator are not numbered from now
 * on. */
void st_numbering_lose(struct st_numbering *numbering, uint64_t comm);

/* Stores the next receive that has got its number. Returns false if there are no more. */
bool st_numbering_next(struct st_numbering *numbering, struct st_numbered *numbered);

/* Returns the number that a receive of this channel would have if it were posted last; 0 if that is
 * not certain yet. */
uint64_t st_numbering_of(const struct st_numbering *numbering, const struct st_channel *channel);
/* Returns true if no receive is waiting for its number: then the next one gets it as soon as it has
 * its message. */
bool st_numbering_is_idle(const struct st_numbering *numbering);
/* How many receives have taken a message and have no number yet. */
uint32_t st_numbering_unnumbered(const struct st_numbering *numbering);
/* Returns the number of the message that a pending receive takes, if that is certain; else 0. */
uint64_t st_numbering_expects(const struct st_numbering *numbering, uint32_t receive,
                              struct st_channel *channel);
/* Returns true if the communicator's receives are numbered, and none is pending that matches the
 * tag, from any source. `comm` is that of st_message_comm(). */
bool st_numbering_has_all(const struct st_numbering *numbering, uint32_t comm, int32_t tag);
/* Returns how many messages of the channel were taken by receives whose number is known. */
uint64_t st_numbering_taken(const struct st_numbering *numbering, const struct st_channel *channel);

/* --- also for senders: messages, counted by channel --- */

struct st_channel_count {
    struct st_channel channel;
    uint64_t count; /* 0: not in use */
};
struct st_channel_counts {
    struct st_channel_count *list; /* open addressing */
    uint32_t used, room;           /* room: a power of two, or 0 */
};

/* Returns the counter of a channel, 0 at first. NULL if there is no memory, or if there are too
 * many. Valid while counts->list is the same. */
uint64_t *st_channel_count(struct st_channel_counts *counts, const struct st_channel *channel);

/* --- for a receive whose number is known when it is posted --- */

/* Returns the counters of the messages that were taken: 0, or one more than that. The caller may add to one
 * while no receive is posted, and st_numbering_losses() is the same as when it got the counter. */
struct st_channel_counts *st_numbering_counts(struct st_numbering *numbering);
/* Returns how many communicators are given up. */
uint32_t st_numbering_losses(const struct st_numbering *numbering);

#endif
