/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The way of an agent to `mpipp run`: to one of its addresses, or by another agent (branch.h), to which `mpipp run` has sent it.
 * If that one is not heard any more, it goes back to `mpipp run`.
 *
 *     struct way way = {.key = key, .name = "node7"};
 *     way_keep(&way, now);                                  // often: it makes links, and gives them up
 *     while (way_receive(&way, &message)) { ... }
 *     way_send(&way, kind, ticket, body, length);
 */
#ifndef MPIPP_NODES_WAY_H
#define MPIPP_NODES_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job_key.h"
#include "link.h"
#include "protocol.h"

struct way {
    const struct job_key *key;
    const char *name;
    struct link *link;    /* NULL: not possible */
    bool is_heard;        /* `mpipp run` has answered */
    bool was_heard;       /* it has answered once */
    bool is_below;        /* by another agent */
    size_t address;       /* of the key's, the one that is tried now */
    int64_t tried;        /* since when; milliseconds */
    int64_t heard;        /* when something was heard last, or the agent began */
    struct link *next;    /* that has to answer first; NULL: none */
    struct job_key above; /* of the agent that it leads to */
    size_t next_address;
    int64_t next_tried;
    int64_t down;     /* since when nobody is at the other end; 0: somebody is */
    unsigned changes; /* how often messages may have been lost, because another link was taken */
};

/* Makes links, and gives up those where nobody answers. NOW: clock_ms(). To be called several times a second. */
void way_keep(struct way *way, int64_t now);

/* Goes by another agent, as soon as that one answers. */
void way_move(struct way *way, const struct node_branch *where, int64_t now);

/* Takes the next message, whose bytes are valid until the next call. Returns false if no message is there. */
bool way_receive(struct way *way, struct link_message *message);

/* Sends a message, without waiting. It may be lost: see `changes'. */
void way_send(struct way *way, enum node_kind kind, uint32_t ticket, const void *body,
              size_t length);

/* Descriptors to poll, or -1. */
int way_file(const struct way *way);
int way_next_file(const struct way *way);

/* True if `mpipp run` was heard, and nobody is at the other end any more, for a moment already. However long ago way_keep() was
 * called. */
bool way_is_down(const struct way *way, int64_t now);

/* Says who this agent is. */
void way_say_hello(struct way *way);

void way_close(struct way *way);

#endif
