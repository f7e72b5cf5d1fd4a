/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages between an agent and `mpipp run` (link.h). Each begins with struct node_head; numbers are
 * in the byte order of the machines, which are of one kind. What follows is checked against the length
 * of the message before it is used.
 *
 *     agent                                    mpipp run
 *     HELLO      struct node_hello         →
 *     RANKS      struct far_state[]        →   once a second, and at the end of a rank
 *     CALLS      struct far_run, ...       →   collective calls that the first rank of the node has begun (packed.h)
 *                                          ←   EXPAND    struct far_call[]: the first calls of blocks; the ticket is their number
 *     CALLS      the same, with the ticket →   the calls of these blocks, as far as they are still there
 *                                          ←   EXAMINE   int64_t pids[]
 *     EXAMINED   what they wait for (states.h)  →
 *                                          ←   READ      struct far_read_request
 *     BYTES      what was read             →
 *                                          ←   PLACE     struct far_read_request
 *     PLACED     struct far_placed         →
 *                                          ←   STACKS    struct far_stack[]
 *     STACK_TEXT JSON of stacks/beside.h   →
 *                                          ←   DETAILS   struct far_call
 *     DETAIL     JSON of calls.h           →   the calls with that number of all ranks of the node
 *     ENDS       JSON of calls.h           →   all ranks have ended: their last calls
 *                                          ←   LEFT
 *     ALL_CALLS  JSON of calls.h           →
 *     SUMS       struct far_sums[]         →   what ranks exchange with those of other nodes
 *                                          ←   QUESTION  struct far_question
 *     MESSAGES   JSON of exchange.h        →   null: no rank of the node
 *                                          ←   TOLD      struct far_call: what its flags say
 *     TURNS      struct far_turns, and its turns, for each rank that has turned to another communicator  →
 *                                          ←   TURN      struct far_turn_request
 *     BYTES      JSON of watch/turns.h     →
 *                                          ←   DESCRIBE
 *     DESCRIBED  JSON of watch/described.h →  what each rank of the node does
 *                                          ←   BRANCH    let other agents come to you (branch.h)
 *     BRANCHES   struct node_branch        →   they may
 *                                          ←   MOVE      struct node_branch: go to that agent
 *     UP         struct node_up, a message, for each message of the agents that have come  →
 *                                          ←   DOWN      struct node_up, a message: for one of them
 *     DROPPED    struct node_dropped       →   messages of theirs that were not kept while `mpipp run' was not heard
 *                                          ←   BEAT      once a second; passed on to all of them
 *                                          ←   GOODBYE   the job has ended
 *
 * A request has a ticket, which its answer repeats.
 */
#ifndef MPIPP_NODES_PROTOCOL_H
#define MPIPP_NODES_PROTOCOL_H

#include <stdint.h>

#include "core/agree/orders.h"
#include "core/agree/remote.h"

enum { NODE_PROTOCOL = 8 };

/* Milliseconds between two messages of CALLS of an agent. Turns begin at whole multiples of it in the clocks of the hosts,
 * which agree well enough in most clusters: then the messages of all agents come together, and `mpipp run' takes them all
 * when they have had NODE_TO_COME milliseconds to come. */
enum { NODE_TICK = 80, NODE_TO_COME = 8 };

enum node_kind {
    NODE_HELLO = 1,
    NODE_RANKS,
    NODE_CALLS,
    NODE_EXAMINE,
    NODE_EXAMINED,
    NODE_READ,
    NODE_BYTES,
    NODE_PLACE,
    NODE_PLACED,
    NODE_STACKS,
    NODE_STACK_TEXT,
    NODE_DETAILS,
    NODE_DETAIL,
    NODE_ENDS,
    NODE_LEFT,
    NODE_ALL_CALLS,
    NODE_TOLD,
    NODE_SUMS,
    NODE_QUESTION,
    NODE_MESSAGES,
    NODE_DESCRIBE,
    NODE_DESCRIBED,
    NODE_TURNS,
    NODE_TURN,
    NODE_EXPAND,
    NODE_BRANCH,
    NODE_BRANCHES,
    NODE_MOVE,
    NODE_UP,
    NODE_DOWN,
    NODE_BEAT,
    NODE_DROPPED,
    NODE_GOODBYE
};

struct node_head {
    uint32_t kind; /* enum node_kind */
    uint32_t ticket;
};

struct node_hello {
    uint32_t protocol;
    uint32_t segment; /* ST_SEGMENT_VERSION */
    char host[256];
    char version[64]; /* of mpipp */
    char name[320];   /* of the agent: it keeps it when it comes by another way */
};

/* At most so many agents come to `mpipp run', and to each agent: a tree. For tests MPIPP_NODE_WIDTH sets it. */
enum { NODE_WIDTH = 32 };

/* Where an agent lets others come: a public key, and addresses with commas between them, and a null character. */
struct node_branch {
    unsigned char server[32];
    char addresses[992];
};

/* A message of, or for, an agent that has come to another one, which has numbered it. It follows, with bytes up to a
 * multiple of 8. */
struct node_up {
    uint32_t child;
    uint32_t length;
};

struct node_dropped {
    uint64_t count;
};

enum far_flag {
    FAR_ENDED = 0x1,
    FAR_RUNS = 0x2, /* its registry can be read; neither of the two: not yet, or it may not */
    FAR_FORBIDDEN = 0x4,
    FAR_COMPUTES = 0x8,
    FAR_STOPPED = 0x10,
    FAR_STARVED = 0x20,
    FAR_WAITS = 0x40, /* it is in a call that waits for other ranks */
    FAR_MOVED = 0x80, /* it has begun or left such a call since the last time */
};

/* What an agent says of a rank: as in struct looked (watch/looks.h). */
struct far_state {
    int64_t pid;
    uint64_t root;     /* address of its registry; 0: not known */
    uint64_t identity; /* of its call */
    int64_t counted;   /* milliseconds in it */
    uint32_t flags;    /* enum far_flag */
    int32_t rank;      /* in its MPI_COMM_WORLD */
};

struct far_read_request {
    int64_t pid;
    uint64_t address;
    uint64_t length;
};

struct far_placed {
    uint64_t offset;
    uint32_t is_known;
    uint32_t length; /* of the path, which follows */
};

struct far_stack {
    int64_t pid;
    int64_t rank;
};

struct far_call {
    uint64_t comm, number; /* struct st_collective */
    uint64_t digest;       /* st_collective_digest(); not used in DETAILS */
    uint64_t flags;        /* enum far_call_flag */
};

/* Calls of one communicator with the same flags, numbered on; after it are 8 bytes for each: its digest. */
struct far_run {
    uint64_t comm, first;
    uint32_t count;
    uint32_t
        flags; /* enum far_call_flag, or FAR_RUN_BLOCKS: each of the `count` words is of a block */
};

/* Calls with the numbers from 1, 17, 33, ... on. */
enum { FAR_BLOCK = 16 };

/* The messages of a rank with one of another node. */
struct far_sums {
    uint64_t world;     /* of both (st_gpid_world()) */
    int32_t rank, peer; /* in MPI_COMM_WORLD */
    struct st_remote_sums sums;
    uint32_t state;     /* enum st_remote_state of the rank */
    uint32_t is_unsure; /* of the rank: it has sent or received what is not counted */
};

/* Which messages were sent from one rank to another, by the sender, or by the receiver. */
struct far_question {
    uint64_t world;
    int32_t from, to;
    uint32_t of_sender;
    uint32_t spare;
};

/* Turns of a rank, which follow. */
struct far_turns {
    int64_t pid;
    uint64_t first; /* so many turns came before them */
    uint32_t index; /* of the rank, in the memory of its node */
    uint32_t count;
};

/* Where a rank has made a call, and of what function: the call with this number, after this turn. */
struct far_turn_request {
    struct st_order_turn turn;
    uint64_t number;
    uint32_t index;
    uint32_t spare;
};

enum far_call_flag {
    FAR_CALL_TOLD = 1,  /* a rank of the node has reported that the calls differ */
    FAR_CALL_PAIRS = 8, /* each two ranks have data of their own */
    FAR_CALL_ASK = 4,   /* its digest does not show all on which some ranks must agree */
    FAR_CALL_ENDED = 2, /* the node compares nothing more of the communicator, after this call */
    FAR_RUN_BLOCKS = 16 /* of a run alone */
};

#endif
