/*
 * Which message a receive got, by counting (RANKS 3.1; MPI-4.0, 3.5: messages do not overtake each other).
 *
 * A channel is a communicator, a sender and a tag. The messages of a channel are numbered from 1 on in the order in
 * which they are sent; the receives that took them are numbered in the order in which they were posted, and that is
 * the same: of two receives the one that was posted first has the message that was sent first. In what order they
 * complete does not matter. A receive from any source, or with any tag, belongs to the channel that its status names;
 * until that is known, those behind it that it may have come before have to wait for their numbers.
 *
 *     uint32_t receive = st_numbering_post(numbering, comm, 0, ST_NUMBERING_ANY);
 *     ... MPI has completed it: by its status it came from rank 0 with tag 7 ...
 *     st_numbering_took(numbering, receive, 0, 7);
 *     while (st_numbering_next(numbering, &numbered)) { ... numbered.number, of channel numbered.channel ... }
 *
 * One receiving process has one. Not thread-safe. Costs: O(receives that are posted and have no number yet).
 */
#ifndef ST_CORE_AGREE_NUMBERING_H
#define ST_CORE_AGREE_NUMBERING_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ST_NUMBERING_ANY = -1,   /* any source, any tag */
    ST_NUMBERING_ROOM = 4096 /* receives without a number, at most */
};
#define ST_NO_RECEIVE UINT32_MAX

struct st_channel {
    uint64_t comm;
    int32_t source, tag;
};

/* A receive that has its number now. */
struct st_numbered {
    uint32_t receive; /* as it was posted; gone after the next call */
    struct st_channel channel;
    uint64_t
        number; /* of the channel's messages; 0: none can be told, and it is not to be compared */
};

struct st_numbering;

struct st_numbering *st_numbering_new(void); /* NULL: no memory */
void st_numbering_free(struct st_numbering *numbering);

/* A receive is posted. ST_NO_RECEIVE: the communicator's receives are numbered no more, because there is no room, or
 * st_numbering_lose() was called. */
uint32_t st_numbering_post(struct st_numbering *numbering, uint64_t comm, int32_t source,
                           int32_t tag);

/* Each receive comes to one of the last two, once. It is being cancelled: it may take a message or none. */
void st_numbering_cancels(struct st_numbering *numbering, uint32_t receive);
/* It has taken a message from this source with this tag. */
void st_numbering_took(struct st_numbering *numbering, uint32_t receive, int32_t source,
                       int32_t tag);
/* It was cancelled, or refused: it never takes one. */
void st_numbering_took_none(struct st_numbering *numbering, uint32_t receive);

/* What a receive took is not to be known: nothing of its communicator is numbered from now on. */
void st_numbering_lose(struct st_numbering *numbering, uint64_t comm);

/* The next one of those that have got their numbers. False: there are no more. */
bool st_numbering_next(struct st_numbering *numbering, struct st_numbered *numbered);

/* The number that a receive of this channel would have if it were posted last; 0: that cannot be told yet. */
uint64_t st_numbering_of(const struct st_numbering *numbering, const struct st_channel *channel);
/* Whether no receive has still to get its number: then the next one gets it as soon as it has its message. */
bool st_numbering_is_idle(const struct st_numbering *numbering);
/* The number of the message that a pending receive takes, where that is certain; else 0. */
uint64_t st_numbering_expects(const struct st_numbering *numbering, uint32_t receive,
                              struct st_channel *channel);
/* Whether the communicator's receives are numbered, and none of them is pending that admits the tag: from any
 * source. `comm` by st_message_comm(). */
bool st_numbering_has_all(const struct st_numbering *numbering, uint32_t comm, int32_t tag);
/* How many messages of the channel have been taken, by receives whose number is known. */
uint64_t st_numbering_taken(const struct st_numbering *numbering, const struct st_channel *channel);

/* --- the sender's side, too: messages, counted by channel --- */

struct st_channel_count {
    struct st_channel channel;
    uint64_t count; /* 0: not in use */
};
struct st_channel_counts {
    struct st_channel_count *list; /* open addressing */
    uint32_t used, room;           /* room: a power of two, or 0 */
};

/* The place of a channel's count; 0 there: none yet. NULL: there is no memory, or too many are known. */
uint64_t *st_channel_count(struct st_channel_counts *counts, const struct st_channel *channel);

#endif
