/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The description that a sender writes of a message before MPI gets it, so that the receiver can
 * compare it with its own buffer (MPI-4.0, 3.3.1): the sent signature must be that of the receive,
 * or its beginning.
 *
 * Each process has a table of its last messages in the memory that the ranks of a node share
 * (segment.h). The channel and number of a message (numbering.h) determine its possible places. It
 * stays there until others need them; nobody waits for it to be read.
 *
 * All tables of a job have the same number of places, a power of two. Functions take it as `mask`: the number
 * of places minus 1. The memory is made a chunk of places at a time, when a message is first written there.
 */
#ifndef ST_CORE_AGREE_MESSAGE_H
#define ST_CORE_AGREE_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/agree/behind.h"
#include "core/signature/signature.h"

enum st_message_flag {
    ST_MESSAGE_SIGNED = 0x01,  /* hash and length are known */
    ST_MESSAGE_UNIFORM = 0x02, /* all elements are the same; hash[0] is of one */
    ST_MESSAGE_READY = 0x04,   /* MPI_Rsend */
    ST_MESSAGE_SIZED = 0x08,   /* bytes are known */
    ST_MESSAGE_BLOCKS = 0x10   /* MPI_Send, in a rank that had no receive posted */
};

/* What is sent, or may be received. */
struct st_message_data {
    uint64_t hash[2]; /* of the signature (signature.h) */
    int64_t length;   /* in elements */
    int64_t bytes;
    uint32_t element; /* of a receive: bytes of one element of a derived datatype; else 0 */
    uint16_t flags;   /* enum st_message_flag */
};

struct st_message {
    /* Its number in its channel, from 1 on, in the lower ST_MESSAGE_NUMBER_BITS; above them, if
     * ST_MESSAGE_BLOCKS is set, how many such messages the sender had received from this receiver.
     * Stored last, 0 while the rest changes. */
    uint64_t number;
    uint64_t channel; /* st_message_channel() */
    uint64_t hash[2];
    int64_t length, bytes;
    int32_t tag;
    int32_t to;      /* the receiver's rank in MPI_COMM_WORLD; -1: it is not in the sender's */
    uint32_t comm;   /* st_message_comm() */
    uint16_t place;  /* call site in the sender's area, in units of 8 bytes; 0: not known */
    uint16_t called; /* the form's number, and enum st_message_flag in the upper 5 bits */
};
_Static_assert(sizeof(struct st_message) == 64, "a cache line");

/* Each message may be in one of ST_MESSAGE_WAYS places; those of a channel are adjacent. */
enum {
    ST_MESSAGE_WAYS = 4,
    ST_LOG2_MESSAGES = 13, /* the number of places of a table, unless the user says otherwise */
    ST_LOG2_MESSAGES_LEAST = 12,
    ST_LOG2_MESSAGES_MOST = 23,
    ST_LOG2_CHUNK = 12,                          /* places of a chunk */
    ST_MESSAGE_BYTES = 64 + 2 * sizeof(uint32_t) /* of a place, in the list and beside it */
};
/* The last collective call of a process on a communicator that may wait for all its ranks: a blocking one that
 * has begun, or another one that was waited for. */
struct st_begun_call {
    uint64_t comm;     /* as in struct st_collective; 0: none */
    uint64_t number;   /* the same */
    uint64_t blocking; /* the number of the last blocking one; for that process itself */
    uint64_t spare;
};
enum { ST_LOG2_BEGUN = 7 };

/* After it follow st_message_after() and st_message_ticks(). */
struct st_message_room {
    struct st_begun_call
        begun[1 << ST_LOG2_BEGUN]; /* by a hash of the communicator: the one used last */
    struct st_behind_room behind;  /* of those that this rank has received */
    struct {
        uint32_t has_ready; /* not 0: there may be messages with ST_MESSAGE_READY */
        /* Not 0: the chunk has memory. Nobody touches a chunk without. */
        uint8_t is_made[1 << (ST_LOG2_MESSAGES_MOST - ST_LOG2_CHUNK)];
        uint8_t spare[4092 - (1 << (ST_LOG2_MESSAGES_MOST - ST_LOG2_CHUNK))];
    } facts;                  /* hardly ever written: a page of its own */
    struct st_message list[]; /* the places */
};
_Static_assert(sizeof(struct st_message_room) % 4096 == 0, "whole pages");

/* Returns the number of bytes of a room and what follows it: whole pages. */
static inline uint64_t st_message_room_bytes(uint32_t mask)
{
    return sizeof(struct st_message_room) + ((uint64_t)mask + 1) * ST_MESSAGE_BYTES;
}

/* Returns a list of mask + 1 numbers. Of the message in the same place: how many collective calls that may wait its
 * sender had begun on the same communicator (runtime/ranks/beyond.h). */
static inline uint32_t *st_message_after(const struct st_message_room *room, uint32_t mask)
{
    return (uint32_t *)(uintptr_t)(room->list + mask + 1);
}

/* The same for the tick of the send (access.h), if the ranks have clocks. */
static inline uint32_t *st_message_ticks(const struct st_message_room *room, uint32_t mask)
{
    return st_message_after(room, mask) + mask + 1;
}

/* Returns true if a message may be in this place. */
static inline bool st_message_is_made(const struct st_message_room *room, uint32_t place)
{
    return __atomic_load_n(&room->facts.is_made[place >> ST_LOG2_CHUNK], __ATOMIC_ACQUIRE);
}

/* For the sender only. */
struct st_message_writer {
    struct st_message_room *room;
    uint8_t
        *next; /* (mask + 1) / ST_MESSAGE_WAYS: which of the ways is the oldest; all 0 at first */
    uint32_t mask;
    /* Makes the memory of a chunk, and sets room->facts.is_made. Returns false if there is no memory left. */
    bool (*make)(uint32_t chunk);
};

/* What was received of a sender's room, by place: the last message. */
struct st_message_taken {
    uint64_t channel, number; /* as in struct st_message */
};

/* What a process shows of its messages to those who look at it from outside (registry.h). All counts only grow. What
 * was sent from one process to another and not received is the difference of their two counts; where as many
 * messages are found in the sender's room, these are all. */
#define ST_SHARED_MESSAGES_MAGIC 0x5347534du /* "MSGS" */
struct st_shared_messages {
    uint32_t magic;
    uint32_t rank;          /* its place in the table of ranks (segment.h) */
    uint32_t log2_messages; /* the number of places of each table */
    uint32_t spare;
    uint64_t room; /* address of its struct st_message_room */
    uint64_t
        sent; /* of uint64_t[ST_SEGMENT_RANKS]: messages, by the receiver's rank in MPI_COMM_WORLD */
    uint64_t received; /* the same, by the sender's */
    uint64_t
        taken; /* of uint64_t[ST_SEGMENT_RANKS]: of a struct st_message_taken for each place, by the same; 0: none */
    uint64_t remote;     /* of its struct st_remote_room (remote.h); 0: none */
    uint32_t is_unsure;  /* not 0: it has sent or received what is not counted */
    uint32_t unnumbered; /* receives that are complete, and not counted yet */
};

enum { ST_MESSAGE_FUNCTION_BITS = 11, ST_MESSAGE_NUMBER_BITS = 40 };

static inline uint64_t st_message_number(uint64_t word)
{
    return word & ((UINT64_C(1) << ST_MESSAGE_NUMBER_BITS) - 1);
}

/* Returns the lower 24 bits of the count. */
static inline uint32_t st_message_had_received(const struct st_message *message)
{
    return (uint32_t)(message->number >> ST_MESSAGE_NUMBER_BITS);
}

static inline uint16_t st_message_called(uint16_t function, uint32_t flags)
{
    return (uint16_t)(flags << ST_MESSAGE_FUNCTION_BITS | (function & 0x7ffu));
}

static inline uint16_t st_message_function(const struct st_message *message)
{
    return message->called & 0x7ff;
}

static inline uint16_t st_message_flags(const struct st_message *message)
{
    return message->called >> ST_MESSAGE_FUNCTION_BITS;
}

/* Returns a number for the messages from one rank of a communicator to another one with a tag.
 * Never 0. */
uint64_t st_message_channel(uint64_t comm, int32_t from, int32_t to, int32_t tag);

/* Returns the place of a communicator in st_message_room.begun. */
static inline uint32_t st_begun_place(uint64_t comm)
{
    return (uint32_t)(comm >> (64 - ST_LOG2_BEGUN));
}

/* Returns a short number of a communicator; others may have the same. */
static inline uint32_t st_message_comm(uint64_t comm)
{
    return (uint32_t)(comm >> 32 ^ comm);
}

/* Only for the process that owns the room: begins to write the message of this number, which may have more in its
 * upper bits, in a channel. Returns its place, where nobody sees a message now; ST_NO_MESSAGE if there is no memory for
 * it. What belongs to the place can be written until st_message_close() writes the message itself. */
uint32_t st_message_open(const struct st_message_writer *writer, uint64_t channel, uint64_t number);
void st_message_close(const struct st_message_writer *writer, uint32_t place,
                      const struct st_message *message);
#define ST_NO_MESSAGE UINT32_MAX

/* Withdraws all messages of a communicator: what was sent, and in what order, is not known. */
void st_message_forget(struct st_message_room *room, uint32_t mask, uint64_t comm);
/* Withdraws all messages. */
void st_message_forget_all(struct st_message_room *room, uint32_t mask);
/* Reads *message. Returns its place in the room; ST_NO_MESSAGE if it is not there (any more), or is
 * changing now. */
uint32_t st_message_read(const struct st_message_room *room, uint32_t mask, uint64_t channel,
                         uint64_t number, struct st_message *message);
/* Has the processor fetch the place that st_message_read_near() looks at first. */
void st_message_expect(const struct st_message_room *room, uint32_t mask, uint64_t channel,
                       uint64_t number, uint32_t way);
/* The same as st_message_read(); looks first at that of the places which is number `way`. */
uint32_t st_message_read_near(const struct st_message_room *room, uint32_t mask, uint64_t channel,
                              uint64_t number, uint32_t way, struct st_message *message);
/* Looks only there, for a message in the channel of `like` that has the same data and was sent by the same function.
 * Returns its place and stores its `number` in *word; else ST_NO_MESSAGE. */
uint32_t st_message_find_like(const struct st_message_room *room, uint32_t mask,
                              const struct st_message *like, uint64_t number, uint32_t way,
                              uint64_t *word);
/* Reads the next message at *place or after it, in the order of places, and moves *place behind it. Returns
 * the message's place; ST_NO_MESSAGE if no more follows. Messages that change now are left out. */
uint32_t st_message_read_next(const struct st_message_room *room, uint32_t mask, uint32_t *place,
                              struct st_message *message);

/* The room of a receive. `one` is the signature of one element of its datatype, if that is not
 * uniform. */
struct st_message_space {
    struct st_message_data data;
    struct st_signature one;
};

enum st_message_fit {
    ST_MESSAGE_FITS, /* as far as can be known */
    ST_MESSAGE_TOO_LONG,
    ST_MESSAGE_OTHER_TYPE,
    ST_MESSAGE_ENDS_INSIDE /* within an element of the datatype: what that begins with decides
                              (st_runs_begin(), runs.h) */
};

enum st_message_fit st_message_fits(const struct st_message *sent,
                                    const struct st_message_space *received);

#endif
