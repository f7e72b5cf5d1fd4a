/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that see the other nodes from `mpipp run`. */
#ifndef MPIPP_NODES_NODES_INTERNAL_H
#define MPIPP_NODES_NODES_INTERNAL_H

#include <jansson.h>

#include "blocks.h"
#include "calls.h"
#include "disagree.h"
#include "exchange.h"
#include "image.h"
#include "job_key.h"
#include "link.h"
#include "matching.h"
#include "nodes.h"

struct far_rank {
    struct node *node;
    struct far_state state;
    struct far_examined examined;
    bool has_examined;
    struct image image;       /* of the memory that its state is in */
    uint32_t asked;           /* the ticket with which it is examined now; 0: it is not */
    struct rank_turns *turns; /* far_turns.c; NULL: none was told */
    json_t *described;        /* by its agent; NULL: it has not answered */
};

struct node {
    uint32_t peer;
    char *host;
    bool is_known;   /* it has said hello, and speaks our language */
    bool is_foreign; /* it has said hello in another one, which was reported */
    bool is_silent;  /* nothing was heard of it for a while */
    bool said_silent;
    int64_t heard; /* milliseconds */
    int64_t deaf_until;
    struct far_rank **ranks;
    size_t rank_count;
    json_t *ends;       /* calls_ends(); NULL: its ranks have not ended */
    json_t *all_calls;  /* calls_all(); NULL: not there yet */
    uint32_t described; /* the ticket of the last answer to DESCRIBE */
};

struct nodes {
    struct link *link;
    bool is_refused; /* it could not be opened, and that was printed */
    struct job_key key;
    struct node **nodes; /* by peer */
    size_t count;
    struct far_rank **table; /* of all ranks, by hash of host and PID; NULL: a free place */
    size_t table_room, table_count;
    struct disagree *disagree;
    struct blocks *blocks;
    size_t blocks_asked;         /* of nodes that have not answered yet */
    unsigned long blocks_missed; /* calls of blocks that nodes did not have any more */
    struct call_scan *scan;
    struct matching *matching;
    struct exchange_scan *exchange;
    int64_t summed; /* milliseconds */
    int64_t turn;   /* of NODE_TICK milliseconds, in which this node's calls were taken last */
    int64_t beat;   /* milliseconds */
    int64_t taken;  /* when messages were taken last; milliseconds */
    uint32_t tickets;
    /* The answer that is waited for. */
    uint32_t wanted;
    char *answer;
    size_t answer_length;
};
extern struct nodes nodes_all;

bool nodes_tell(const struct node *node, enum node_kind kind, uint32_t ticket, const void *body,
                size_t length);
/* To all agents that are known. */
void nodes_tell_all(enum node_kind kind, const void *body, size_t length);

/* Takes all messages that are there, or waits for at most WAIT milliseconds for the first one. Returns true if there
 * was one. */
bool nodes_take_messages(int wait);

/* --- far.c: answers of agents -------------------------------------------------------------------- */

void far_take_examined(struct node *node, uint32_t ticket, const char *body, size_t length);
void far_take_answer(uint32_t ticket, const char *body, size_t length);

/* Asks one agent, and waits for a short time. Returns NULL if it does not answer; else new memory. */
char *far_ask(struct node *node, enum node_kind kind, const void *body, size_t size,
              size_t *length);

/* --- far_turns.c --------------------------------------------------------------------------------- */

void far_take_turns(struct node *node, const char *body, size_t length);

/* --- far_described.c ----------------------------------------------------------------------------- */

/* Takes the answer of an agent, which it owns then. */
void far_take_described(struct node *node, uint32_t ticket, json_t *list);

/* --- far_stacks.c -------------------------------------------------------------------------------- */

/* Takes the answer of an agent, which it owns then. */
void far_stacks_take(uint32_t ticket, json_t *json);

/* --- compared.c: collective calls ---------------------------------------------------------------- */

/* A node has begun these calls (packed.h). Returns how many they are. */
size_t compared_take(uint32_t node, const char *body, size_t length, int64_t now);
/* The ticket of EXPAND. The answer are the calls of a block; those that the node has not any more are not compared. */
enum { NODE_OF_BLOCK = 1 };
void compared_take_block(uint32_t node, const char *body, size_t length, int64_t now);
/* Takes the calls of this node. */
void compared_scan(int64_t now);
/* Asks about calls in which nodes differ, and adds what was found. */
void compared_step(struct findings *findings, int64_t now);
/* How many questions are open to nodes, or will be soon. */
size_t compared_asked(void);
/* How many calls or blocks are not compared yet; from now on asks at once, because nothing more will come. */
size_t compared_hurry(void);
/* Counts what is still open as not compared. */
void compared_give_up(void);
/* Says how many calls were not compared. */
void compared_say_missed(void);
/* Adds a finding to those of its rank. */
void compared_add_record(struct findings *findings, const json_t *record);

/* --- matched.c: messages ------------------------------------------------------------------------- */

/* Takes the sums of this node. */
void matched_scan(int64_t now);
/* Asks about messages in which nodes differ, and adds what was found. */
void matched_step(struct findings *findings, int64_t now);

#endif
