/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between ranks of different nodes. The receiver cannot read what the sender has written (message.h), so
 * both add each message to a sum, by peer. If the sums of as many messages are equal, all of them match. If not, those
 * who look at both ranks compare the last messages one by one: the sender's room, and the list of the receiver.
 *
 * A message adds a hash of its channel and number, and of its data: for the receiver this is what it has received, as
 * the receive's own type has it. So the order does not matter, and a shorter message than the receive has room for is
 * no difference.
 *
 * Each rank has one struct st_remote_room in the memory of its node (segment.h), if the job has several nodes. Only
 * that rank writes it, and nobody waits.
 */
#ifndef ST_CORE_AGREE_REMOTE_H
#define ST_CORE_AGREE_REMOTE_H

#include "core/agree/message.h"

enum {
    ST_REMOTE_PEERS = 2048, /* the most ranks of other nodes that a rank exchanges messages with */
    ST_REMOTE_LOG2_MESSAGES = 12 /* received messages that are kept */
};

/* The messages of a rank with one rank of another node. */
struct st_remote_sums {
    uint64_t sent, sent_sum;
    uint64_t got, got_sum;
    uint32_t
        vague; /* messages, sent or received, whose data is not known: their hash says nothing of it */
    uint32_t
        asks; /* received messages of which the sender's side has to be looked at (enum st_remote_flag) */
};

struct st_remote_peer {
    uint64_t change; /* odd while the rest changes */
    struct st_remote_sums sums;
    int32_t rank; /* in MPI_COMM_WORLD */
    uint32_t spare[3];
};
_Static_assert(sizeof(struct st_remote_peer) == 64, "a cache line");

enum st_remote_flag {
    ST_REMOTE_PARTIAL = 1, /* it ends inside an element of the receive's datatype */
    ST_REMOTE_EXACT =
        2, /* the communicator's info says mpi_assert_exact_length, and the receive has more room */
    ST_REMOTE_CUT = 4,      /* MPI has cut it: there was not enough room */
    ST_REMOTE_HANDLED = 16, /* the same, and the program has seen the error */
    ST_REMOTE_VAGUE = 8     /* what was received is not known as the receive's type has it */
};

/* A received message. */
struct st_remote_message {
    /* What was received, in the form of what was sent: its number is stored last, 0 while the rest changes. `to` is the
     * sender's rank in MPI_COMM_WORLD; place and function are those of the receive. `bytes` is below 0 if MPI has not said
     * how many there were. */
    struct st_message as;
    uint64_t hash[2]; /* the signature of all that the receive has room for */
    int64_t length, bytes;
    uint64_t comm;     /* id of the communicator in this job */
    int32_t own;       /* the receiver's rank in the communicator */
    int32_t peer, tag; /* as the receive has them: may be ST_NUMBERING_ANY */
    uint32_t element;  /* as in struct st_message_data */
    uint16_t flags;    /* enum st_remote_flag */
    uint16_t data;     /* enum st_message_flag of all that it has room for */
    uint32_t spare;
};
_Static_assert(sizeof(struct st_remote_message) == 128, "two cache lines");

enum st_remote_state { ST_REMOTE_RUNS, ST_REMOTE_ENDED, ST_REMOTE_ENDED_PENDING };

struct st_remote_room {
    uint32_t peer_count;
    uint32_t state; /* enum st_remote_state; PENDING: receives were posted and never completed */
    uint32_t is_unsure; /* not 0: it has sent or received what is not counted */
    uint32_t spare[1021];
    struct st_remote_peer peers[ST_REMOTE_PEERS];
    struct st_remote_message list[1 << ST_REMOTE_LOG2_MESSAGES];
};
_Static_assert(sizeof(struct st_remote_room) % 4096 == 0, "whole pages");

/* For the receiver only. */
struct st_remote_ways {
    uint8_t next[(1 << ST_REMOTE_LOG2_MESSAGES) / ST_MESSAGE_WAYS];
};

/* The hash that a message adds to a sum. DATA is what was sent, or what was received of it. *vague: it is not
 * known. */
uint64_t st_remote_hash(uint64_t channel, uint64_t number, const struct st_message_data *data,
                        bool *vague);

/* Finds out what a receive has received that took so many bytes; BYTES below 0: MPI has not said how many. Returns false
 * if it is not known: then, or for a message that ends inside an element. */
bool st_remote_received(const struct st_message_space *space, int64_t bytes,
                        struct st_message_data *received);

/* Adds to what was sent to a peer, or was received from it. */
void st_remote_add_sent(struct st_remote_peer *peer, uint64_t hash, bool is_vague);
void st_remote_add_got(struct st_remote_peer *peer, uint64_t hash, bool is_vague, bool asks);

/* Returns false if it is changing now. */
bool st_remote_sums_read(const struct st_remote_peer *peer, struct st_remote_sums *sums);

/* Writes a received message at its place. */
void st_remote_write(struct st_remote_room *room, struct st_remote_ways *ways,
                     const struct st_remote_message *message);
/* Reads the message in a place. Returns false if there is none, or if it is changing now. */
bool st_remote_read(const struct st_remote_room *room, uint32_t place,
                    struct st_remote_message *message);
/* Returns true if the message with this channel and number has been received, and is still kept. */
bool st_remote_has(const struct st_remote_room *room, uint64_t channel, uint64_t number);

/* How a received message matches what was sent. */
enum st_remote_match {
    ST_REMOTE_MATCHES, /* as far as can be known */
    ST_REMOTE_OTHER,   /* it is another message: something was received that was not seen */
    ST_REMOTE_OTHER_TYPE,
    ST_REMOTE_TOO_LONG,
    ST_REMOTE_ENDS_INSIDE, /* an element */
    ST_REMOTE_NOT_EXACT
};
/* SENT and RECEIVED have the same channel and number. */
enum st_remote_match st_remote_compare(const struct st_message *sent,
                                       const struct st_remote_message *received);

#endif
