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
    struct image image;       /* of its memory, as far as it was asked for */
    uint32_t asked;           /* the ticket with which it is examined now; 0: it is not */
    uint32_t place;           /* among those that are examined */
    struct rank_turns *turns; /* far_turns.c; NULL: none was told */
    json_t *described;        /* by its agent; NULL: it has not answered */
};

/* How messages reach an agent: it is a peer of the link, or has come to another agent, which has numbered it. */
struct node_way {
    struct node *above; /* NULL: the link */
    uint32_t number;
};

struct node_list {
    struct node **nodes; /* by number; NULL: it has not said hello */
    size_t count;
};

struct node {
    uint32_t index; /* in the order in which they came */
    char *name;     /* of the agent */
    struct node_way way;
    struct node_list below;     /* those that have come to its agent */
    struct node_branch *branch; /* where they come to it; NULL: they may not */
    bool is_branch;             /* it was asked to let others come */
    bool is_placed;             /* it was sent to another agent, if there are many */
    bool waits_to_move;         /* it will be */
    bool is_back;               /* it has lost its way by another agent once */
    char *host;
    bool is_known;   /* it has said hello, and speaks our language */
    bool is_foreign; /* it has said hello in another one, which was reported */
    bool is_silent;  /* nothing was heard of it for a while */
    bool said_silent;
    int64_t heard;    /* milliseconds */
    unsigned unheard; /* signs of life of `mpipp run' since then */
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
    struct node **nodes; /* by index */
    size_t count;
    struct far_rank **table; /* of all ranks, by hash of host and PID; NULL: a free place */
    size_t table_room, table_count;
    struct disagree *disagree;
    struct blocks *blocks;
    size_t blocks_asked;         /* of nodes that have not answered yet */
    unsigned long blocks_missed; /* calls of blocks that nodes did not have any more */
    size_t examining;            /* ranks whose agents have not answered yet */
    far_taken_fn *taken;         /* who takes the answers */
    void *context;
    unsigned long damaged; /* answers of agents that could not be read */
    uint64_t dropped; /* messages that agents could not keep for those that have come to them */
    struct call_scan *scan;
    struct matching *matching;
    struct exchange_scan *exchange;
    int64_t summed; /* milliseconds */
    int64_t turn;   /* of NODE_TICK milliseconds, in which calls and messages were taken last */
    int64_t beat;   /* milliseconds */
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

/* --- ways.c -------------------------------------------------------------------------------------- */

/* Says to the agents that are not reached by others, which pass it on, that `mpipp run` is there. */
void ways_beat(void);

/* How many agents have lost their way by another agent: it has ended, or was not heard. */
size_t ways_back(void);

/* Takes all messages that are there, or waits for at most WAIT milliseconds for the first one. */
void nodes_take_messages(int wait);

/* --- nodes.c ------------------------------------------------------------------------------------- */

void nodes_take_hello(struct node *node, const struct node_hello *hello);

/* Any other message of an agent. */
void nodes_take_message(struct node *node, const struct node_head *head, const char *body,
                        size_t length);

/* --- far.c: answers of agents -------------------------------------------------------------------- */

void far_take_examined(struct node *node, uint32_t ticket, const char *body, size_t length);
void far_take_answer(uint32_t ticket, const char *body, size_t length);

/* Asks one agent, and waits for a short time. Returns NULL if it does not answer; else new memory. */
char *far_ask(struct node *node, enum node_kind kind, const void *body, size_t size,
              size_t *length);

/* --- far_turns.c --------------------------------------------------------------------------------- */

void far_take_turns(struct node *node, const char *body, size_t length);

/* --- far_described.c ----------------------------------------------------------------------------- */

/* True if agents have been asked, and may still answer. */
bool far_describes(int64_t now);

/* Takes the answer of an agent, which it owns then. */
void far_take_described(struct node *node, uint32_t ticket, json_t *list);

/* --- far_stacks.c -------------------------------------------------------------------------------- */

/* Takes the answer of an agent, which it owns then. */
void far_stacks_take(uint32_t ticket, json_t *json);

/* --- compared.c: collective calls ---------------------------------------------------------------- */

/* A node has begun these calls (packed.h). */
void compared_take(uint32_t node, const char *body, size_t length, int64_t now);
/* An answer to EXPAND: the calls of so many blocks. Those that the node has not any more are not compared. */
void compared_take_blocks(uint32_t node, size_t blocks, const char *body, size_t length,
                          int64_t now);
/* Takes the calls of this node. */
void compared_scan(int64_t now);
/* Asks about calls in which nodes differ, and adds what was found. */
void compared_step(struct findings *findings, int64_t now);
/* True if answers of nodes are waited for, or a question is to be asked in a moment. */
bool compared_is_busy(int64_t now);
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
